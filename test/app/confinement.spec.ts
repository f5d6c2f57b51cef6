// What the page cannot do, and what app://grantbench does not give out.

import { expect, test } from './launch.ts';

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
