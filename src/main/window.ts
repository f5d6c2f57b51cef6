// The workbench window: a single sandboxed window that shows only the built page and remembers its size and position.

import {
  app,
  BrowserWindow,
  dialog,
  nativeTheme,
  type Rectangle,
  screen,
  type WebContents,
  type WebFrameMain,
} from 'electron';
import { join } from 'node:path';
import { showMessage } from './dialogs.ts';
import type { Places } from './places.ts';
import { PAGE_ORIGIN, PAGE_URL } from './scheme.ts';
import { remember, type WindowSettings, type WindowSettingsStore } from './window-settings.ts';
import { readFileSync } from 'node:fs';

/** `electron-vite dev` serves the page itself; a build loads only its own URL. */
const devUrl = import.meta.env.DEV ? process.env['ELECTRON_RENDERER_URL'] : undefined;
const pageUrl = devUrl ?? PAGE_URL;
const pageOrigin = devUrl === undefined ? PAGE_ORIGIN : new URL(devUrl).origin;

/** The page's background, so that a growing window does not flash before it is painted. */
const BACKGROUND = { dark: '#0e1014', light: '#f6f7f9' };

export function isOurPage(contents: WebContents, frame: WebFrameMain): boolean {
  return BrowserWindow.fromWebContents(contents) !== null && frame.origin === pageOrigin;
}

/** Asks about unsaved edits or a running scenario. Without this, Electron would keep the window open and say nothing. */
function askBeforeLeaving(window: BrowserWindow): void {
  window.webContents.on('will-prevent-unload', (event) => {
    const answer = dialog.showMessageBoxSync(window, {
      type: 'question',
      title: 'Grantbench',
      message: 'Leave this page?',
      detail:
        'Unsaved edits are lost. A running scenario stops, and what it changed is not restored.',
      buttons: ['Leave', 'Stay'],
      defaultId: 1,
      cancelId: 1,
    });
    if (answer === 0) event.preventDefault();
  });
}

/** Without this, the window would stay blank and say nothing. */
async function reportCrash(window: BrowserWindow, reason: string): Promise<void> {
  const answer = await showMessage({
    type: 'error',
    message: `The page ended unexpectedly (${reason}).`,
    detail: 'The sandbox keeps running. Unsaved edits in the page are lost.',
    buttons: ['Reload', 'Close'],
    cancelId: 1,
  });
  if (window.isDestroyed()) return;
  if (answer === 0) window.reload();
  else window.close();
}

function open({ bundle, icon, window_state }: Places): BrowserWindow {
  const { bounds, maximised } = readWindowState(window_state);
  const window = new BrowserWindow({
    ...bounds,
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    show: false,
    icon,
    // Until the page sets its own, which names the workspace and the open view.
    title: 'Grantbench',
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: {
      preload: join(bundle, 'preload', 'preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      navigateOnDragDrop: false,
      // Else only the third start would use the code cache.
      v8CacheOptions: 'bypassHeatCheck',
    },
  });
  followWindowState(window, window_state);
  askBeforeLeaving(window);
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit') void reportCrash(window, reason);
  });
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

/** On macOS the server keeps running without a window, as is usual there; the dock reopens it. */
export const endsWithWindow = (
  platform: NodeJS.Platform,
  { keep_running }: Pick<WindowSettings, 'keep_running'>,
): boolean => platform !== 'darwin' && !keep_running;

/** Returns a function that brings the window to the front, and opens it first if it was closed. */
export function createWindow(places: Places, settings: WindowSettingsStore): () => BrowserWindow {
  let current: BrowserWindow | null = null;
  app.on('window-all-closed', () => {
    if (endsWithWindow(process.platform, settings.get())) app.quit();
  });
  return () => {
    if (current !== null) return focus(current);
    const window = open(places);
    current = window;
    window.on('closed', () => (current = null));
    return window;
  };
}

const MIN_SIZE = { width: 900, height: 600 };
const DEFAULT_SIZE = { width: 1280, height: 840 };

/** Pixels of the title bar that must be on screen, so that the window can be dragged. */
const GRIP = 80;
const SETTLED_MS = 400;

interface WindowState {
  readonly bounds: Partial<Rectangle> & { readonly width: number; readonly height: number };
  readonly maximised: boolean;
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

function parseState(text: string): WindowState | null {
  const { x, y, width, height, maximised } = JSON.parse(text) as Record<string, unknown>;
  if (!isWhole(width) || !isWhole(height)) return null;
  const size = {
    width: Math.max(width, MIN_SIZE.width),
    height: Math.max(height, MIN_SIZE.height),
  };
  const bounds = isWhole(x) && isWhole(y) ? { x, y, ...size } : size;
  return { bounds, maximised: maximised === true };
}

/** Limits the size to that of all displays side by side, and drops a position that is no longer on any of them. */
function onScreen({ bounds, maximised }: WindowState): WindowState {
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const fit = (side: 'width' | 'height') =>
    Math.min(
      bounds[side],
      areas.reduce((sum, area) => sum + area[side], 0),
    );
  const size = { width: fit('width'), height: fit('height') };
  const { x, y } = bounds;
  if (x === undefined || y === undefined) return { bounds: size, maximised };
  const visible = areas.some((area) => {
    const across = Math.min(x + size.width, area.x + area.width) - Math.max(x, area.x);
    return across >= GRIP && y >= area.y && y <= area.y + area.height - GRIP;
  });
  return { bounds: visible ? { x, y, ...size } : size, maximised };
}

/** Returns the default size for a missing or broken file. */
function readWindowState(file: string): WindowState {
  try {
    const state = parseState(readFileSync(file, 'utf8'));
    if (state !== null) return onScreen(state);
  } catch {
    // The file is missing or not valid.
  }
  return { bounds: DEFAULT_SIZE, maximised: false };
}

function followWindowState(window: BrowserWindow, file: string): void {
  let timer: NodeJS.Timeout | undefined;
  const save = () => {
    clearTimeout(timer);
    const state = { ...window.getNormalBounds(), maximised: window.isMaximized() };
    remember(file, `${JSON.stringify(state)}\n`);
  };
  const settle = () => {
    clearTimeout(timer);
    timer = setTimeout(save, SETTLED_MS);
  };
  window.on('resize', settle);
  window.on('move', settle);
  window.on('close', save);
}

/**
 * Applies the theme chosen in the page to what the system draws: title bar, menus, dialogs, and the window before the
 * page has loaded. `prefers-color-scheme` in the page follows it too.
 */
export function followTheme(settings: WindowSettingsStore): void {
  const follow = () => {
    const { theme } = settings.get();
    if (nativeTheme.themeSource !== theme) nativeTheme.themeSource = theme;
  };
  settings.onChange(follow);
  follow();
}
