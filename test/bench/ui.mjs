// How the page fares with 10,000 exchanges, 10,000 tokens and 2,000 requests a second: what a viewer costs the
// server, frame times while scrolling, memory over some minutes, and how soon page and window are there. A
// missed aim is reported and fails nothing. `npm run bench:ui -- --minutes 10`; run `npm run build` first.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import autocannon from 'autocannon';
import {
  missingTestDisplay,
  needsVirtualDisplay,
  testBrowser,
  testElectron,
} from '../../scripts/test-runtimes.mjs';
import { runQuietly } from '../../scripts/run.mjs';
import { controlOf, serve } from '../../scripts/serve.mjs';
import { FORM, refreshForm } from './http.mjs';
import { note, plainTable, stay, summary, tableOfResults } from './report.mjs';
import { inTurn, median, medianRatio, pick } from './statistics.mjs';

const EXCHANGES = 10_000;
const TOKENS = 10_000;
const RATE = 2000;
const BATCH = 100;
const ROUNDS = 5;
const MEASURED_S = 5;
const SAMPLE_MS = 10_000;
const SCROLL_MS = 5000;
const MB = 1_000_000;
/** Of a second, as Linux counts the time of processes. */
const TICK_MS = 10;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1' } } });
const minutes = Number(values.minutes);

async function mint(control) {
  const refreshTokens = [];
  // Each pair is two credentials.
  for (let made = 0; made < TOKENS / 2; made += BATCH) {
    const pair = () => control('POST', '/tokens', { client_id: 'demo-app' });
    const pairs = await Promise.all(Array.from({ length: BATCH }, pair));
    refreshTokens.push(...pairs.map(({ refresh_token }) => refresh_token));
  }
  return refreshTokens;
}

function load(url, refreshTokens, options) {
  const requests = refreshTokens.map((token) => ({
    method: 'POST',
    headers: FORM,
    body: refreshForm(token),
  }));
  return autocannon({ url, connections: 8, requests, timeout: 30, ...options });
}

/** Time on a core that a process has had, in ms; null where the system does not tell. */
function coreTime(pid) {
  if (process.platform !== 'linux') return null;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const pageUrl = ({ control }) => `${control.url}/#token=${control.token}`;

async function openPage(browser, ready) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript(markFirstView);
  await page.goto(pageUrl(ready));
  await page.getByRole('banner').getByText('Running').waitFor();
  return page;
}

async function openView(page, name) {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click();
  await page.waitForTimeout(1000);
}

/** Marks the moment at which Flow, the first view, can be used. Runs in the page. */
function markFirstView() {
  const watch = new MutationObserver(() => {
    const buttons = [...document.querySelectorAll('button')];
    if (!buttons.some(({ textContent }) => textContent === 'Run all')) return;
    performance.mark('first-view');
    watch.disconnect();
  });
  watch.observe(document, { childList: true, subtree: true });
}

/** When a page was first painted, in ms, and the bytes of its scripts until Flow could be used. Runs in the page. */
function firstView() {
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  const [view] = performance.getEntriesByName('first-view');
  const scripts = performance
    .getEntriesByType('resource')
    .filter(({ name, responseEnd }) => /\.js$/.test(name) && responseEnd <= view.startTime);
  return {
    painted: paint.startTime,
    bytes: scripts.reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0),
  };
}

/** The median of several pages, opened one after another. */
async function firstPage(browser, ready) {
  const pages = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await openPage(browser, ready);
    await page.waitForFunction(() => performance.getEntriesByName('first-view').length > 0);
    pages.push(await page.evaluate(firstView));
    await page.close();
  }
  return [
    stay('first contentful paint', median(pages.map(({ painted }) => painted)), 400, 'ms'),
    stay(
      'JavaScript until the first view',
      median(pages.map(({ bytes }) => bytes)) / 1000,
      400,
      'kB',
    ),
  ];
}

/** What one request costs the server, in ms of a core, with and without a page that shows Traffic. */
async function viewerCost(browser, ready, refreshTokens, pid) {
  if (coreTime(pid) === null) return [];
  const results = await inTurn(['alone', 'viewed'], ROUNDS, async (name) => {
    const page = name === 'viewed' ? await openPage(browser, ready) : null;
    if (page !== null) await openView(page, 'Traffic');
    const before = coreTime(pid);
    const options = { duration: MEASURED_S, overallRate: RATE };
    const { requests } = await load(ready.token_endpoint, refreshTokens, options);
    const cost = (coreTime(pid) - before) / requests.total;
    await page?.close();
    return { cost, rate: requests.average };
  });
  const [alone, viewed] = [results.alone, results.viewed];
  const more = medianRatio(
    viewed.map(({ cost }) => cost),
    alone.map(({ cost }) => cost),
  );
  const rateOf = (measured) => median(measured.map(({ rate }) => rate));
  return [
    stay("a viewer of Traffic, of the server's processor time", 100 * (more - 1), 10, '%'),
    note('requests answered meanwhile', rateOf(viewed), '/s'),
    note('requests answered without a viewer', rateOf(alone), '/s'),
  ];
}

/** Our window against a bare one of the same Electron, both from the start of their processes. */
async function windowStart() {
  const electron = testElectron();
  const missing = 'reason' in electron ? electron.reason : missingTestDisplay();
  if (missing !== null) {
    print('no window is measured', missing);
    return [];
  }
  const script = [process.execPath, join(import.meta.dirname, 'window.mjs'), electron.binary];
  const [command, ...args] = needsVirtualDisplay ? ['xvfb-run', '-a', ...script] : script;
  const { code, output } = await runQuietly(command, args);
  if (code !== 0) throw new Error(output);
  const measured = JSON.parse(output);
  return ['first', 'later'].flatMap((start) => {
    const { ours, bare } = pick(measured, start);
    return [
      stay(`window usable, ${start} start, against a bare one`, medianRatio(ours, bare), 1.5),
      note(`window usable, ${start} start`, median(ours), 'ms'),
    ];
  });
}

/** Frame times in ms while the view's list is scrolled up and down, one step a frame. */
const scroll = (page) =>
  page.evaluate(
    (duration) =>
      new Promise((resolve) => {
        const tall = [...document.querySelectorAll('main *')].filter(
          (one) => one.scrollHeight > 4 * one.clientHeight && one.clientHeight > 100,
        );
        const list = tall.sort((a, b) => b.scrollHeight - a.scrollHeight)[0];
        const times = [];
        const begun = performance.now();
        let last = begun;
        const frame = (now) => {
          times.push(now - last);
          last = now;
          if (list) list.scrollTop += 120 * (Math.floor((now - begun) / 1000) % 2 === 0 ? 1 : -1);
          if (now - begun < duration) requestAnimationFrame(frame);
          else resolve({ scrolled: list !== undefined, times: times.slice(1) });
        };
        requestAnimationFrame(frame);
      }),
    SCROLL_MS,
  );

function framesOf(view, { scrolled, times }) {
  if (!scrolled) throw new Error(`${view}: there is nothing to scroll`);
  const sorted = times.toSorted((a, b) => a - b);
  const long = times.filter((time) => time > 50).length;
  return [
    stay(`a frame of scrolling ${view}, median`, median(times), 17, 'ms'),
    note(`a frame of scrolling ${view}, 95 %`, sorted[Math.floor(sorted.length * 0.95)], 'ms'),
    stay(`a frame of scrolling ${view}, worst`, sorted.at(-1), 50, 'ms'),
    note(`frames of scrolling ${view} over 50 ms`, (100 * long) / times.length, '%'),
  ];
}

async function heap(session) {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / MB;
}

const print = (name, text) => process.stdout.write(`${name.padEnd(36)} ${text}\n`);

const browserFound = testBrowser();
if ('reason' in browserFound) throw new Error(`No browser: ${browserFound.reason}`);
const { child, ready } = await serve(['--port', '0', '--control-port', '0']);
const browser = await chromium.launch({
  executablePath: browserFound.binary,
  args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : [],
});
try {
  const control = controlOf(ready);
  // Two cores do not make as many RSA signatures a second.
  await control('PATCH', '/settings', { throttle: { mode: 'off' }, signing_alg: 'ES256' });
  const refreshTokens = await mint(control);
  const url = ready.token_endpoint;
  await load(url, refreshTokens, { amount: EXCHANGES });
  const rows = [
    ...(await firstPage(browser, ready)),
    ...(await windowStart()),
    ...(await viewerCost(browser, ready, refreshTokens, child.pid)),
  ];

  const page = await openPage(browser, ready);
  const session = await page.context().newCDPSession(page);
  const seconds = Math.max(1, Math.round(minutes * 60)) + 30;
  const going = load(url, refreshTokens, { duration: seconds, overallRate: RATE });
  for (const view of ['Traffic', 'Tokens']) {
    await openView(page, view);
    rows.push(...framesOf(view, await scroll(page)));
  }
  await openView(page, 'Traffic');
  const first = await heap(session);
  print('heap at the start', `${first.toFixed(1)} MB`);
  const until = performance.now() + minutes * 60_000;
  while (performance.now() < until) {
    await page.waitForTimeout(Math.min(SAMPLE_MS, Math.max(0, until - performance.now())));
    print('heap', `${(await heap(session)).toFixed(1)} MB`);
  }
  rows.push(note(`heap grown in ${minutes} min`, (await heap(session)) - first, 'MB'));
  going.stop();
  await going;
  process.stdout.write(`\n${plainTable(tableOfResults(rows))}\n\n${summary(rows)}\n`);
} finally {
  await browser.close();
  child.kill();
}
