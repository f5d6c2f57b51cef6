// Actions on the window itself, for the palette and Settings. Each reports its result.

import { attempt } from './sandbox.ts';
import { windowControl } from '../connection/control.ts';
import { notify } from '../ui/notify.tsx';

/** null in a browser tab. */
export const appWindow = windowControl?.window ?? null;

export type AppWindow = NonNullable<typeof appWindow>;

export const openWorkspace = (window: AppWindow): Promise<boolean> =>
  attempt('No workspace was opened.', () => window.open());

export const saveWorkspaceAs = (window: AppWindow): Promise<boolean> =>
  attempt('The workspace was not saved.', () => window.saveAs());

export const keepRunning = (window: AppWindow, keep_running: boolean): Promise<boolean> =>
  attempt('The choice was not saved.', async () => {
    await window.keepRunning({ keep_running });
    notify(
      keep_running
        ? 'When the window closes, the server keeps running; reopen the window from the tray'
        : 'When the window closes, Grantbench quits',
    );
  });
