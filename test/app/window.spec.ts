import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { startSlowRequest, untilRefused } from '../support/slow-request.ts';
import { appArguments, appEnvironment, expect, test } from './launch.ts';

const bounds = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());

test('the window comes back with the size and place it had', async ({ launch }) => {
  const first = await launch();
  const wanted = { x: 40, y: 30, width: 1000, height: 640 };
  await first.app.evaluate(
    ({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to),
    wanted,
  );
  await expect.poll(() => bounds(first.app)).toEqual(wanted);
  await first.app.close();
  const second = await launch();
  expect(await bounds(second.app)).toEqual(wanted);
});

test('a remembered place that no display shows is forgotten, the size kept', async ({
  launch,
  userData,
}) => {
  const lost = { x: 90_000, y: 90_000, width: 1010, height: 650, maximised: false };
  writeFileSync(join(userData, 'window-state.json'), JSON.stringify(lost));
  const { app } = await launch();
  const found = await bounds(app);
  expect(found).toMatchObject({ width: 1010, height: 650 });
  expect(found?.x).toBeLessThan(5000);
});

test('a second start shows the first window and ends', async ({
  launch,
  executablePath,
  userData,
}) => {
  const { app, bench } = await launch();
  await bench.ready();
  await app.evaluate(({ app: electron }) => {
    electron.once('second-instance', () => electron.setName('seen'));
  });
  const second = spawn(executablePath, appArguments(), {
    env: appEnvironment(userData, 0),
    stdio: 'ignore',
  });
  const [code] = (await once(second, 'exit')) as [number | null];
  expect(code).toBe(0);
  await expect.poll(() => app.evaluate(({ app: electron }) => electron.getName())).toBe('seen');
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('the page is kept in: no Node, no other address, no other window, no permission', async ({
  launch,
}) => {
  const { app, page } = await launch();
  expect(page.url()).toMatch(/^app:\/\/grantbench\//);
  expect(await page.evaluate(() => [typeof globalThis.require, typeof globalThis.process])).toEqual(
    ['undefined', 'undefined'],
  );
  expect(await page.evaluate(() => window.open('https://example.com/'))).toBeNull();
  await page.evaluate(() => {
    location.href = 'https://example.com/';
  });
  await page.evaluate(() => {
    location.href = 'file:///etc/hostname';
  });
  expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied');
  expect(page.url()).toMatch(/^app:\/\/grantbench\//);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('app://grantbench gives out the bundle under a policy, and nothing beside it', async ({
  launch,
}) => {
  const { app } = await launch();
  const status = (url: string) =>
    app.evaluate(({ net }, to) => net.fetch(to).then((answer) => answer.status), url);
  const policy = await app.evaluate(({ net }) =>
    net.fetch('app://grantbench/').then((answer) => answer.headers.get('content-security-policy')),
  );
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  for (const path of [
    '..%2fmain%2fmain.js',
    '%2e%2e/main/main.js',
    '..%5cmain%5cmain.js',
    'none.js',
    '%ff',
    'a%00.js',
  ]) {
    expect(await status(`app://grantbench/${path}`), path).toBe(404);
  }
  expect(await status('app://elsewhere/index.html')).toBe(404);
});

test('quitting lets a request in flight finish and leaves with 0', async ({ launch }) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  const issuer =
    (await page
      .getByRole('banner')
      .getByText(/^http:\/\/localhost:\d+$/)
      .textContent()) ?? '';
  const port = Number(new URL(issuer).port);
  const request = await startSlowRequest(port, '{"grant_type":"authorization_code"}');
  const exited = once(app.process(), 'exit');
  await app.evaluate(({ app: electron }) => electron.quit());
  await untilRefused(port);
  expect(await request.finish()).toMatch(/^HTTP\/1\.1 400 [\s\S]*invalid_request/);
  expect(await exited).toEqual([0, null]);
});

test('a port in use is told, and its button starts the server on a free one', async ({
  launch,
}) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { page, bench } = await launch({ port });
  await expect(page.getByText('The server is not running')).toBeVisible();
  await expect(
    page.getByRole('status').filter({ hasText: 'The server is not running' }),
  ).toContainText(String(port));
  await page.getByRole('button', { name: /Start on port \d+/ }).click();
  await bench.ready();
  await expect(page.getByText('The server is not running')).toBeHidden();
  await bench.runAll();
  other.close();
});

test('an unreadable workspace is left as it is; the window opens on the demo, unsaved', async ({
  launch,
  userData,
}) => {
  const file = join(userData, 'workspace.json');
  writeFileSync(file, '{"version": 1, "clients": 7}');
  const { app, page, bench } = await launch();
  await bench.ready();
  await expect(page.getByRole('contentinfo')).toContainText('in memory only');
  await bench.runAll();
  expect(readFileSync(file, 'utf8')).toBe('{"version": 1, "clients": 7}');
  // The message box is still open: the test ends the app as the system would.
  await app.evaluate(({ app: electron }) => electron.quit()).catch(() => undefined);
});

test('a reload gets a new port to the engine and the page goes on', async ({ launch }) => {
  const { page, bench } = await launch();
  await bench.ready();
  await page.reload();
  await bench.ready();
  await bench.runAll();
});
