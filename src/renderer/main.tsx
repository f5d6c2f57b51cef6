// The entry of the page, which is the same in the window and in a browser tab: styles, then React. connection/control.ts
// knows where the page runs; frame/view-parts.tsx loads what a view needs.

import './ui/reset.css';
import './ui/components.css';
import './ui/theme.css';
// Before the styles of the views, which change its rows.
import './ui/item.module.css';
import { createRoot } from 'react-dom/client';
import { MantineProvider } from '@mantine/core';
import { Frame } from './frame/Frame.tsx';
import { keepEarlyKeys } from './frame/early-keys.ts';
import { keepFocus } from './frame/keep-focus.ts';
import { followMenus } from './frame/menus.ts';
import { prefetchView } from './frame/view-parts.tsx';
import { listenToRoute, viewNow } from './navigation/route.ts';
import { offerCommands } from './navigation/command.ts';
import { themeManager } from './ui/preferences.ts';
import { cssVariablesResolver, theme } from './ui/theme.ts';
import { ignoreDisabled } from './ui/use-need.ts';
import { startSync } from './connection/sync.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
offerCommands(async () => (await import('./frame/commands/all.ts')).runById);
ignoreDisabled();
followMenus();
startSync();
listenToRoute();
keepEarlyKeys();
keepFocus(root);
// The view's code loads while the page connects.
void prefetchView(viewNow());
createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    colorSchemeManager={themeManager()}
    defaultColorScheme="auto"
  >
    <Frame />
  </MantineProvider>,
);
