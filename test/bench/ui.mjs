// How the page fares with 10,000 exchanges, 10,000 tokens and 2,000 requests a second: frame times while
// scrolling, its memory over some minutes, and the endpoint with and without a viewer. It prints and
// asserts nothing. `npm run bench:ui -- --minutes 10`; run `npm run build` first.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import autocannon from 'autocannon';
import { testBrowser } from '../../scripts/test-runtimes.mjs';
import { ROOT } from '../../scripts/run.mjs';
import { FORM, refreshForm } from './http.mjs';

const EXCHANGES = 10_000;
const TOKENS = 10_000;
const RATE = 2000;
const BATCH = 100;
const MEASURED_S = 10;
const SAMPLE_MS = 10_000;
const SCROLL_MS = 5000;
const MB = 1_000_000;
/** Of a second, as Linux counts the time of processes. */
const TICK_MS = 10;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1' } } });
const minutes = Number(values.minutes);

async function serve() {
  const args = [join(ROOT, 'out/node/cli.cjs'), 'serve', '--json', '--quiet'];
  const child = spawn(process.execPath, [...args, '--port', '0', '--control-port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise((resolve) =>
    createInterface({ input: child.stdout }).once('line', resolve),
  );
  return { child, ready: JSON.parse(line) };
}

const controlOf = (ready) => async (method, path, body) => {
  const headers = {
    authorization: `Bearer ${ready.control.token}`,
    'content-type': 'application/json',
  };
  const url = `${ready.control.url}/api${path}`;
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return answer.status === 204 ? null : answer.json();
};

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

/** The load for a while, and what one request costs the server: a browser on the same cores slows both. */
async function measured(url, refreshTokens, pid) {
  const before = coreTime(pid);
  const { requests } = await load(url, refreshTokens, { duration: MEASURED_S });
  const cost = before === null ? null : (1000 * (coreTime(pid) - before)) / requests.total;
  return { rate: requests.average, cost };
}

async function openView(page, name) {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click();
  await page.waitForTimeout(1000);
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

function told({ scrolled, times }) {
  if (!scrolled) return 'nothing to scroll';
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  const long = times.filter((time) => time > 50).length;
  return `median ${at(0.5)} ms, 95 % ${at(0.95)} ms, worst ${(sorted.at(-1) ?? 0).toFixed(1)} ms, ${long} of ${times.length} over 50 ms`;
}

async function heap(session) {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / MB;
}

const print = (name, text) => process.stdout.write(`${name.padEnd(36)} ${text}\n`);

const browserFound = testBrowser();
if ('reason' in browserFound) throw new Error(`No browser: ${browserFound.reason}`);
const { child, ready } = await serve();
const browser = await chromium.launch({
  executablePath: browserFound.binary,
  args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : [],
});
try {
  const control = controlOf(ready);
  await control('PATCH', '/settings', { throttle: { mode: 'off' } });
  const refreshTokens = await mint(control);
  const url = ready.token_endpoint;
  await load(url, refreshTokens, { amount: EXCHANGES });
  const alone = await measured(url, refreshTokens, child.pid);
  print('endpoint, no viewer', `${Math.round(alone.rate)} requests/s`);

  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${ready.control.url}/#token=${ready.control.token}`);
  await page.getByRole('banner').getByText('Running').waitFor();
  const paint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  );
  print('first contentful paint', `${Math.round(paint)} ms`);
  await openView(page, 'Traffic');
  const viewed = await measured(url, refreshTokens, child.pid);
  const share = viewed.rate / alone.rate;
  print(
    'endpoint, Traffic looked at',
    `${Math.round(viewed.rate)} requests/s, ${share.toFixed(2)} of that without`,
  );
  if (alone.cost !== null) {
    const words = [alone, viewed].map(({ cost }) => `${Math.round(cost)} µs`).join(', looked at ');
    print('a request costs the server', `${words}: ${(alone.cost / viewed.cost).toFixed(2)}`);
  }

  const session = await page.context().newCDPSession(page);
  const seconds = Math.max(1, Math.round(minutes * 60)) + 30;
  const going = load(url, refreshTokens, { duration: seconds, overallRate: RATE });
  for (const view of ['Traffic', 'Tokens']) {
    await openView(page, view);
    print(`scrolling ${view} at ${RATE}/s`, told(await scroll(page)));
  }
  await openView(page, 'Traffic');
  const first = await heap(session);
  print('heap at the start', `${first.toFixed(1)} MB`);
  const until = performance.now() + minutes * 60_000;
  while (performance.now() < until) {
    await page.waitForTimeout(Math.min(SAMPLE_MS, Math.max(0, until - performance.now())));
    print('heap', `${(await heap(session)).toFixed(1)} MB`);
  }
  print('heap grown by', `${((await heap(session)) - first).toFixed(1)} MB in ${minutes} min`);
  going.stop();
  await going;
} finally {
  await browser.close();
  child.kill();
}
