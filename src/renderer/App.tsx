import { MantineProvider } from '@mantine/core';
import { themeManager } from './ui/preferences.ts';
import { Frame } from './frame/Frame.tsx';
import { cssVariablesResolver, theme } from './ui/theme.ts';

const manager = themeManager();

export const App = () => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    colorSchemeManager={manager}
    defaultColorScheme="auto"
  >
    <Frame />
  </MantineProvider>
);
