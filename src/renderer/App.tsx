import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { themeManager } from './ui/appearance.ts';
import { ConnectPage } from './frame/ConnectPage.tsx';
import { Frame } from './frame/Frame.tsx';
import { usePage } from './connection/state.ts';
import { cssVariablesResolver, theme } from './ui/theme.ts';
import { RuleHost } from './ui/citation/RuleHost.tsx';
import { ConfirmHost } from './ui/ConfirmHost.tsx';
import { RowMenuHost } from './ui/grid/RowMenuHost.tsx';
import classes from './ui/notify.module.css';

const manager = themeManager();

export function App() {
  const refused = usePage((state) => state.connection === 'refused');
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={manager}
      defaultColorScheme="auto"
    >
      <Notifications
        position="bottom-center"
        limit={3}
        containerWidth="var(--notice)"
        classNames={{ root: classes.notices }}
      />
      <ConfirmHost />
      <RuleHost />
      <RowMenuHost />
      {refused ? <ConnectPage /> : <Frame />}
    </MantineProvider>
  );
}
