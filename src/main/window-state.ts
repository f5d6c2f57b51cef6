// Size and place of the window, remembered over restarts.

import { readFileSync } from 'node:fs';
import { screen, type BrowserWindow, type Rectangle } from 'electron';
import { remember } from './remember.ts';

export const MIN_SIZE = { width: 900, height: 600 };
const DEFAULT_SIZE = { width: 1280, height: 840 };

/** Enough of the title bar to take hold of the window. */
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

/** A display may be gone since: a place that nobody can see is forgotten, the size is kept. */
function onScreen({ bounds, maximised }: WindowState): WindowState {
  const { x, y, width, height } = bounds;
  if (x === undefined || y === undefined) return { bounds, maximised };
  const visible = screen.getAllDisplays().some(({ workArea }) => {
    const across = Math.min(x + width, workArea.x + workArea.width) - Math.max(x, workArea.x);
    return across >= GRIP && y >= workArea.y && y <= workArea.y + workArea.height - GRIP;
  });
  return { bounds: visible ? bounds : { width, height }, maximised };
}

/** A missing or broken file is no reason to stop: the default size stands in. */
export function recallWindow(file: string): WindowState {
  try {
    const state = parseState(readFileSync(file, 'utf8'));
    if (state !== null) return onScreen(state);
  } catch {
    // Not there yet, or not ours.
  }
  return { bounds: DEFAULT_SIZE, maximised: false };
}

export function rememberWindow(window: BrowserWindow, file: string): void {
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
