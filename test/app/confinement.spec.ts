// The sandboxing of the page, what app://grantbench serves, and what leaves the window: files that the page exports, and
// the sign-in page in a browser.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { expect, test } from './launch.ts';
import { answerQuestion } from './native-dialogs.ts';

/** Saves the next download to this file without a dialog. @returns a function that reads the state of the download */
async function nextDownload(app: ElectronApplication, file: string) {
  await app.evaluate(({ session }, path) => {
    const kept = globalThis as { download?: string };
    delete kept.download;
    session.defaultSession.once('will-download', (event, item) => {
      item.setSavePath(path);
      item.once('done', (_event, state) => (kept.download ??= state));
      // A download that was already cancelled never emits "done".
      if (event.defaultPrevented) kept.download = 'refused';
    });
  }, file);
  return () => app.evaluate(() => (globalThis as { download?: string }).download);
}

test('an export is saved, or its failure reported, any other download is blocked; a sign-in page opens in the browser, and the step reports one that cannot be opened and stops waiting; the page has no Node, cannot navigate away or open windows, and may only notify and write to the clipboard; app://grantbench serves only the bundle, with a content security policy', async ({
  launch,
  userData,
}) => {
  const { app, page, bench } = await launch();
  await expect(page).toHaveURL(/^app:\/\/grantbench\//);
  expect(await page.evaluate(() => [typeof globalThis.require, typeof globalThis.process])).toEqual(
    ['undefined', 'undefined'],
  );

  await bench.ready();
  await bench.runAll();
  await bench.open('Traffic');
  const file = join(userData, 'traffic.har');
  await expect(page.getByText('End of list.')).toBeVisible();
  const saved = await nextDownload(app, file);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: 'HAR' }).click();
  await expect.poll(saved).toBe('completed');
  const { log } = JSON.parse(await readFile(file, 'utf8')) as { log: { entries: object[] } };
  expect(log.entries.length).toBeGreaterThan(2);
  const failed = await nextDownload(app, join(file, 'within a file.har'));
  const reported = await answerQuestion(app, 'OK');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: 'HAR' }).click();
  await expect.poll(failed).toBe('interrupted');
  await expect.poll(reported).toEqual([expect.stringContaining('could not be saved.')]);

  const refused = await nextDownload(app, join(userData, 'page.html'));
  await page.evaluate(() => {
    const link = document.createElement('a');
    link.href = 'index.html';
    link.download = 'page.html';
    link.click();
  });
  await expect.poll(refused).toBe('refused');

  await bench.open('Flow');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  // The test must not open a real browser.
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    shell.openExternal = (url) => Promise.resolve(void opened.push(url));
    Object.assign(globalThis, { opened });
  });
  const opened = () => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
  const signIn = page.getByRole('button', { name: 'As a public client, with PKCE' });
  const cancel = page.getByRole('button', { name: 'Cancel', exact: true });
  await signIn.click();
  await expect.poll(opened).toHaveLength(1);
  const [url = ''] = await opened();
  expect(new URL(url).pathname).toBe('/authorize');
  expect(new URL(url).hostname).toBe('localhost');
  await cancel.click();
  await expect(page.getByText('The sign-in was cancelled.').first()).toBeVisible();

  await app.evaluate(({ shell }) => {
    shell.openExternal = () => Promise.reject(new Error('no browser'));
  });
  await signIn.click();
  await expect(bench.step('Issue a code')).toContainText(
    'The sign-in page could not be opened in a browser of this machine.',
  );
  await expect(cancel).toHaveCount(0);

  // For Playwright, a blocked navigation does not end, so no click may follow.
  expect(await page.evaluate(() => window.open('https://example.com/'))).toBeNull();
  await page.evaluate(() => {
    location.href = 'https://example.com/';
  });
  await page.evaluate(() => {
    location.href = 'file:///etc/hostname';
  });
  expect(await page.evaluate(() => Notification.requestPermission())).toBe('granted');
  for (const name of ['geolocation', 'camera', 'clipboard-read']) {
    const state = (permission: string) =>
      navigator.permissions
        .query({ name: permission as PermissionName })
        .then((status) => status.state);
    expect(await page.evaluate(state, name), name).toBe('denied');
  }
  expect(page.url()).toMatch(/^app:\/\/grantbench\//);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);

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
