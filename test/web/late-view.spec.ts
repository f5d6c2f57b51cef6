// Code that is loaded late: a view that was requested while the server was away is shown with its styles, a preloaded
// view, and a shortcut that was pressed early.

import { startCli, stopCli } from '../support/cli-process.ts';
import { workbench } from '../support/workbench.ts';
import { addressOf, expect, testWithOwnPage, testWithProcess } from './serve.ts';

testWithProcess(
  'a view requested while the server is away is shown once it is back',
  async ({ page, cli, ready }) => {
    // Preloading fails too: the view's code and styles are unavailable with the server.
    let cut = true;
    await page.route(/UsersView-.*\.(js|css)$/, async (route) => {
      if (cut) await stopCli(cli);
      await (cut ? route.abort('connectionrefused') : route.continue());
    });
    await page.goto(addressOf(ready));
    await expect(page.getByText('Connection lost')).toBeVisible();
    await page.getByRole('link', { name: 'Users' }).click();
    await expect(page.getByText('This view loads when the connection is restored.')).toBeVisible();
    const [port = '', control = ''] = [ready.issuer, ready.control.url].map(
      (url) => new URL(url).port,
    );
    cut = false;
    const next = startCli(
      ['serve', '--json', '--quiet', '--port', port, '--control-port', control],
      {
        GRANTBENCH_CONTROL_TOKEN: ready.control.token,
      },
    );
    try {
      await workbench(page).ready();
      await expect(page.getByRole('region', { name: 'Users' })).toBeVisible({ timeout: 30_000 });
      const lacking = () =>
        page
          .locator('link[rel=stylesheet]')
          .evaluateAll((links) => links.filter((link) => (link as HTMLLinkElement).sheet === null));
      await expect.poll(async () => (await lacking()).length).toBe(0);
    } finally {
      await stopCli(next);
    }
  },
);

testWithOwnPage(
  'the first view is drawn from the first script alone and without schemas, a shortcut pressed meanwhile runs later, and a view that a busy page preloaded is drawn without a placeholder',
  async ({ page, ready }) => {
    const scripts: { readonly name: string; readonly hasSchemas: boolean }[] = [];
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\.js$/, async (route) => {
      const response = await route.fetch();
      const name = new URL(route.request().url()).pathname.replace('/assets/', '');
      scripts.push({ name, hasSchemas: (await response.text()).includes('$ZodType') });
      if (name.startsWith('Commands-')) await released;
      await route.fulfill({ response });
    });
    // A page that is never idle: only the time limit calls back.
    await page.addInitScript(() => {
      window.requestIdleCallback = (run, { timeout = Infinity } = {}) =>
        Number.isFinite(timeout)
          ? Number(setTimeout(() => run({ didTimeout: true, timeRemaining: () => 0 }), timeout))
          : 0;
    });
    // What the page asks for up to the moment at which Flow is drawn.
    await page.addInitScript(() => {
      const watch = new MutationObserver(() => {
        const buttons = [...document.querySelectorAll('button')];
        if (!buttons.some(({ textContent }) => textContent === 'Run all')) return;
        watch.disconnect();
        const links = document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]');
        document.body.dataset['askedFor'] = [...links].map(({ href }) => href).join(' ');
      });
      watch.observe(document, { childList: true, subtree: true });
    });
    await page.goto(addressOf(ready));
    await expect(page.locator('body')).toHaveAttribute(
      'data-asked-for',
      /^\S+\/rolldown-runtime-\S+$/,
    );
    await page.keyboard.press('Alt+3');
    release();
    await expect(page.getByRole('region', { name: 'Users' })).toBeVisible();
    expect(scripts.filter(({ name }) => name.startsWith('index-'))).toMatchObject([
      { hasSchemas: false },
    ]);
    expect(scripts.some(({ hasSchemas }) => hasSchemas)).toBe(true);

    const loaded = () =>
      page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    // Views are loaded one after another, Help last.
    await expect.poll(async () => (await loaded()).join()).toMatch(/HelpView-[^,]*\.js/);
    const stoodIn = await page.evaluateHandle(() => {
      const seen: Element[] = [];
      new MutationObserver(() => {
        seen.push(...document.querySelectorAll('main [aria-busy="true"]'));
      }).observe(document.body, { childList: true, subtree: true });
      return seen;
    });
    await page.getByRole('link', { name: 'Devices' }).click();
    await expect(page.getByRole('region', { name: 'Devices' })).toBeVisible();
    expect(await stoodIn.evaluate((seen) => seen.length)).toBe(0);
  },
);
