// Takes the screenshots of the views (but Help) and of the sign-in page in the dark theme, with a seeded workspace, a
// frozen clock and a fixed size; and makes the README's animation. Run `npm run build` first; needs a browser, as the
// web tests do.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { animatedWebp } from './animated-webp.mjs';
import { ROOT } from './run.mjs';
import { controlOf, serve } from './serve.mjs';
import { browserLaunch, testBrowser } from './test-runtimes.mjs';

const IMAGES = join(ROOT, 'docs', 'images');
const NOW = '2026-03-02T10:00:00.000Z';
const SIZE = { width: 1280, height: 800 };
const PORT = 4280;
const SETTLES_MS = 600;
/** Activated after all requests for the pictures were sent. */
const FAULTS = ['throttled_twice', 'unavailable_one_in_five'];

/** Adds a second client and user, and freezes the clock. @param {ReturnType<typeof controlOf>} control */
async function seed(control) {
  await control('PATCH', '/clock', { now: NOW });
  await control('PATCH', '/clock', { frozen: true });
  await control('POST', '/clients', {
    client_id: 'checkout',
    client_secret: 'checkout-secret',
    client_name: 'Checkout',
    redirect_uris: ['http://localhost:5000/callback'],
  });
  await control('POST', '/users', {
    sub: 'grace',
    name: 'Grace Example',
    email: 'grace@example.test',
    claims: { roles: ['auditor'], tenant: 'north' },
  });
}

/**
 * Acts as an app that sends a different redirect_uri at the token endpoint, and then a used code.
 *
 * @param {any} ready
 * @param {ReturnType<typeof controlOf>} control
 */
async function mistake(ready, control) {
  const client = { client_id: 'checkout', client_secret: 'checkout-secret' };
  const exchange = async (/** @type {string} */ redirect_uri) => {
    const { code } = /** @type {{ code: string }} */ (
      await control('POST', '/codes', {
        client_id: client.client_id,
        redirect_uri: 'http://localhost:5000/callback',
      })
    );
    const body = JSON.stringify({
      grant_type: 'authorization_code',
      ...client,
      audience: ready.issuer,
      redirect_uri,
      code,
    });
    const headers = { 'content-type': 'application/json' };
    await fetch(ready.token_endpoint, { method: 'POST', headers, body });
    return () => fetch(ready.token_endpoint, { method: 'POST', headers, body });
  };
  await exchange('http://localhost:5000/callback/');
  const again = await exchange('http://localhost:5000/callback');
  await again();
}

/** Adds results of a client check: some refused, and one fault. @param {ReturnType<typeof controlOf>} control */
async function checkApp(control) {
  const { items } = await control('GET', '/client-checks/cases');
  const client_checks = items.slice(0, 16).map((/** @type {any} */ one) => ({
    case: one.id,
    client_id: null,
    reached: true,
    went_on: one.id === 'id-token-aud-other',
    login: one.expected === 'refuse' ? 'failed' : 'succeeded',
    login_tells: true,
    good_after: true,
    goes_on_when_good: true,
    ended_at: NOW,
  }));
  await control('PUT', '/workspace', { ...(await control('GET', '/workspace')), client_checks });
}

/** @typedef {import('@playwright/test').Page} Page */

/** Opens the workbench of a server. @param {Page} page @param {any} ready */
async function openPage(page, ready) {
  await page.goto(`${ready.control.url}/#token=${ready.control.token}`);
  await page.getByRole('banner').getByText('Running').waitFor();
}

/** Runs the whole flow to its end. @param {Page} page */
async function runFlow(page) {
  const runAll = page.getByRole('button', { name: 'Run all', exact: true });
  await runAll.click();
  await page.waitForTimeout(SETTLES_MS);
  await runAll.click({ trial: true });
}

/** Runs the whole flow, throttles counters, and sends a burst for the chart. @param {Page} page */
async function fill(page) {
  await runFlow(page);
  await page.keyboard.press('Alt+H');
  await page.getByText('40 of 40 requests answered').waitFor();
}

/**
 * The actions in a view before its screenshot is taken.
 *
 * @type {Readonly<Record<string, (page: Page) => Promise<void>>>}
 */
const AT_WORK = {
  check: (page) => page.getByRole('link', { name: 'ID token for another client' }).click(),
  clients: (page) => page.getByRole('link', { name: 'Checkout' }).click(),
  users: (page) => page.getByRole('link', { name: 'grace' }).click(),
  tokens: (page) =>
    page
      .getByRole('row', { name: /Access token/ })
      .first()
      .click(),
  throttling: async (page) => {
    await page.getByRole('tab', { name: /Advisories/ }).click();
    await page.getByRole('switch', { name: 'Include Grantbench’s own' }).first().check();
    await page.getByRole('tab', { name: /Counters/ }).click();
  },
  traffic: async (page) => {
    await page.getByPlaceholder(/Path, client/).fill('checkout');
    await page
      .getByRole('row', { name: /redirect_uri/ })
      .first()
      .click();
  },
};

/** @param {Page} page @param {string} name */
async function save(page, name) {
  const path = join(IMAGES, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled' });
  console.log(path);
}

/** @param {Page} page */
async function shoot(page) {
  const links = page.getByRole('navigation', { name: 'Views' }).getByRole('link');
  for (const link of await links.all()) {
    const view = (await link.getAttribute('href'))?.replace('#/', '') ?? '';
    if (view === 'help') continue;
    await link.click();
    await AT_WORK[view]?.(page);
    // Moves the pointer away from the pressed button, whose tooltip would be in the picture.
    await page.mouse.move(0, 0);
    await page.waitForTimeout(SETTLES_MS);
    await save(page, `${view}-dark`);
  }
}

/** @param {Page} page @param {any} ready */
async function openSignIn(page, ready) {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'checkout',
    redirect_uri: 'http://localhost:5000/callback',
    scope: 'openid profile email',
  });
  await page.goto(`${ready.issuer}/authorize?${query}`);
}

/** Runs in the page, because no module here encodes WebP; quality 1 is lossless. */
const ENCODE = `async (data) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + data;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext('2d', { alpha: false }).drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', 1).split(',')[1];
}`;

/** Returns a screenshot as a still WebP. @param {Page} page */
async function still(page) {
  const png = (await page.screenshot({ animations: 'disabled' })).toString('base64');
  const webp = await page.evaluate(`(${ENCODE})(${JSON.stringify(png)})`);
  return Buffer.from(String(webp), 'base64');
}

/**
 * Records the animation: a working flow, then an app whose redirect URI differs by one character.
 *
 * @param {import('@playwright/test').Browser} browser
 */
async function animate(browser) {
  const size = { width: 1080, height: 640 };
  const { child, ready } = await serve(['--port', '0', '--control-port', '0']);
  try {
    const control = controlOf(ready);
    await seed(control);
    const page = await browser.newPage({
      viewport: size,
      colorScheme: 'dark',
      reducedMotion: 'reduce',
    });
    await openPage(page, ready);
    /** @type {import('./animated-webp.mjs').Frame[]} */
    const frames = [];
    const take = async (/** @type {number} */ ms) => {
      await page.mouse.move(0, 0);
      await page.waitForTimeout(SETTLES_MS);
      frames.push({ still: await still(page), ms });
    };
    await take(1_500);
    await runFlow(page);
    await take(2_500);
    await page.getByRole('link', { name: 'Traffic' }).click();
    await take(1_500);
    await mistake(ready, control);
    const rejected = page.getByRole('row', { name: /redirect_uri/ }).first();
    await rejected.waitFor();
    await take(2_000);
    await rejected.click();
    await take(5_000);
    const path = join(IMAGES, 'why.webp');
    writeFileSync(path, animatedWebp(frames, size));
    console.log(path);
    await page.close();
  } finally {
    child.kill();
  }
}

const found = testBrowser();
if ('reason' in found) throw new Error(`No browser to take pictures with: ${found.reason}`);
const { child, ready } = await serve(['--port', String(PORT), '--control-port', '0']);
const browser = await chromium.launch(browserLaunch());
try {
  const control = controlOf(ready);
  await seed(control);
  await checkApp(control);
  await mistake(ready, control);
  const page = await browser.newPage({
    viewport: SIZE,
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  });
  await openPage(page, ready);
  await fill(page);
  await page.getByRole('link', { name: 'Requests' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('200').first().waitFor();
  for (const preset of FAULTS) await control('POST', '/faults', { preset });
  await shoot(page);
  await openSignIn(page, ready);
  await save(page, 'sign-in-dark');
  await animate(browser);
} finally {
  await browser.close();
  child.kill();
}
