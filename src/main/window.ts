// The workbench window: one, sandboxed, showing only the built page.

import {
  app,
  BrowserWindow,
  dialog,
  nativeTheme,
  type WebContents,
  type WebFrameMain,
} from 'electron';
import { join } from 'node:path';
import type { Engine } from '../engine/engine.ts';
import type { Places } from './places.ts';
import { PAGE_ORIGIN, PAGE_URL } from './scheme.ts';
import type { WindowSettings, WindowSettingsStore } from './window-settings.ts';
import { MIN_SIZE, recallWindow, rememberWindow } from './window-state.ts';

/** `electron-vite dev` serves the page itself; a build knows no other address than its own. */
const devUrl = import.meta.env.DEV ? process.env['ELECTRON_RENDERER_URL'] : undefined;
const pageUrl = devUrl ?? PAGE_URL;
const pageOrigin = devUrl === undefined ? PAGE_ORIGIN : new URL(devUrl).origin;

/** The page's own background, so that a window growing faster than it paints does not flash. */
const BACKGROUND = { dark: '#0e1014', light: '#f6f7f9' };

export interface Windows {
  /** Brings the window to the front; opens it if it was closed. */
  show(): BrowserWindow;
}

export function isOurPage(contents: WebContents, frame: WebFrameMain): boolean {
  return BrowserWindow.fromWebContents(contents) !== null && frame.origin === pageOrigin;
}

/** Until the page gives its own, with the view in front. */
function titleOf(engine: Engine): string {
  return `${engine.server().workspace.name} – Grantbench`;
}

/** The page holds unsaved edits; Electron would keep the window open without a word. */
function askBeforeLeaving(window: BrowserWindow): void {
  window.webContents.on('will-prevent-unload', (event) => {
    const answer = dialog.showMessageBoxSync(window, {
      type: 'question',
      title: 'Grantbench',
      message: 'You have unsaved changes.',
      detail: 'They will be lost if you leave.',
      buttons: ['Leave', 'Stay'],
      defaultId: 1,
      cancelId: 1,
    });
    if (answer === 0) event.preventDefault();
  });
}

function open({ bundle, icon, window_state }: Places, engine: Engine): BrowserWindow {
  const { bounds, maximised } = recallWindow(window_state);
  const window = new BrowserWindow({
    ...bounds,
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    show: false,
    icon,
    title: titleOf(engine),
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: {
      preload: join(bundle, 'preload', 'preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      navigateOnDragDrop: false,
    },
  });
  rememberWindow(window, window_state);
  askBeforeLeaving(window);
  window.once('ready-to-show', () => {
    if (maximised) window.maximize();
    window.show();
  });
  void window.loadURL(pageUrl);
  return window;
}

function focus(window: BrowserWindow): BrowserWindow {
  if (window.isMinimized()) window.restore();
  if (window.isVisible()) window.focus();
  return window;
}

/** On a Mac the server goes on without a window, as apps there do; the dock brings it back. */
export const endsWithWindow = (
  platform: NodeJS.Platform,
  { keep_running }: Pick<WindowSettings, 'keep_running'>,
): boolean => platform !== 'darwin' && !keep_running;

export function createWindows(
  places: Places,
  engine: Engine,
  settings: WindowSettingsStore,
): Windows {
  let current: BrowserWindow | null = null;
  app.on('window-all-closed', () => {
    if (endsWithWindow(process.platform, settings.get())) app.quit();
  });
  return {
    show() {
      if (current !== null) return focus(current);
      const window = open(places, engine);
      current = window;
      window.on('closed', () => (current = null));
      return window;
    },
  };
}
