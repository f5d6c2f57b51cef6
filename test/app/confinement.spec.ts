// The sandboxing of the page, and what app://grantbench serves.

import { expect, test } from './launch.ts';

test('the page has no Node, cannot navigate away or open windows, and may only notify and write to the clipboard; app://grantbench serves only the bundle, with a content security policy', async ({
  launch,
}) => {
  const { app, page } = await launch();
  await expect(page).toHaveURL(/^app:\/\/grantbench\//);
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

test('the window opens the sign-in page of its own server in the browser; the step reports a browser that cannot be opened, and stops waiting', async ({
  launch,
}) => {
  const { app, page, bench } = await launch();
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
});
