import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { themeManager } from './ui/preferences.ts';
import { Frame } from './frame/Frame.tsx';
import { TokenDialog } from './frame/TokenDialog.tsx';
import { cssVariablesResolver, theme } from './ui/theme.ts';
import { RuleHost } from './ui/links.tsx';
import { ConfirmHost } from './ui/confirm.tsx';
import { RowMenuHost } from './ui/grid/row-menu.tsx';
import { MOST_NOTICES } from './ui/notify.tsx';
import classes from './ui/notify.module.css';

const manager = themeManager();

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={manager}
      defaultColorScheme="auto"
    >
      <Notifications
        position="bottom-center"
        limit={MOST_NOTICES}
        containerWidth="var(--notice)"
        classNames={{ root: classes.notices }}
      />
      <ConfirmHost />
      <RuleHost />
      <RowMenuHost />
      <Frame />
      <TokenDialog />
    </MantineProvider>
  );
}
