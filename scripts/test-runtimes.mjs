// Finds the Electron and the browser for the tests, or the reason why there is none; and launches the browser.

import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { environmentElectron, packagedElectron } from './electron-binary.mjs';
import { fallbackElectron } from './fallback-electron.mjs';
import { isOnPath } from './run.mjs';

/** @typedef {{ binary: string } | { reason: string }} Runtime */

/** The browsers of Debian, of which the headless one is faster, and of Playwright. */
const BROWSERS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  chromium.executablePath(),
];

const SETUP = '`npm run setup:test` sees to it';

/** @returns {Runtime} */
export function testElectron() {
  const named = environmentElectron();
  if (named?.exists) return { binary: named.binary };
  if (named !== null) return { reason: `${named.name} is set, but there is no ${named.binary}` };
  const binary = packagedElectron() ?? fallbackElectron();
  return binary === null ? { reason: `there is no Electron to test with; ${SETUP}` } : { binary };
}

/** Whether Electron needs a virtual display: on Linux without a display. */
export const needsVirtualDisplay = process.platform === 'linux' && !process.env['DISPLAY'];

/** @returns {string | null} */
export function missingTestDisplay() {
  if (!needsVirtualDisplay || isOnPath('xvfb-run')) return null;
  return `there is no display and no xvfb-run; ${SETUP}`;
}

/** @returns {Runtime} */
export function testBrowser() {
  const named = process.env['CHROMIUM_PATH'];
  if (named)
    return existsSync(named)
      ? { binary: named }
      : { reason: `CHROMIUM_PATH is set, but there is no ${named}` };
  const binary = BROWSERS.find((path) => existsSync(path));
  return binary === undefined ? { reason: `there is no Chromium; ${SETUP}` } : { binary };
}

/**
 * Returns the launch options of the test browser; Playwright reports a missing one.
 *
 * @returns {import('@playwright/test').LaunchOptions}
 */
export function browserLaunch() {
  const browser = testBrowser();
  // The page of a test ends before optimized code has repaid its compilation.
  const args = ['--js-flags=--no-opt --no-maglev', '--disable-gpu'];
  return 'reason' in browser ? { args } : { args, executablePath: browser.binary };
}
