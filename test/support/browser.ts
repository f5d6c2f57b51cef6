import type { LaunchOptions } from '@playwright/test';
import { testBrowser } from '../../scripts/test-runtimes.mjs';

const QUIET = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Launch options of the test browser; Playwright reports a missing one. */
export function browserLaunch(): LaunchOptions {
  const browser = testBrowser();
  // Chromium refuses to start its sandbox as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox', ...QUIET] : QUIET;
  return 'reason' in browser ? { args } : { args, executablePath: browser.binary };
}
