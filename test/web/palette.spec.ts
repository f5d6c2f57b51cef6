// The palette: it does not move during typing, and finds whatever the page can show.

import type { Locator, Page } from '@playwright/test';
import { ask, exchange, issueCode } from '../support/token-calls.ts';
import { lookFor, runCommand, VIEWS } from '../support/workbench.ts';
import { expect, openBench, test } from './serve.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });
const search = (page: Page) => palette(page).getByRole('combobox', { name: 'Search commands' });
const option = (page: Page, name: string | RegExp): Locator =>
  palette(page).getByRole('option', { name }).first();
const selected = (page: Page): Locator => palette(page).getByRole('option', { selected: true });

test('a listed command that has become impossible says why it does not run', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await lookFor(page, 'run the whole flow');
  await expect(option(page, /^Run the whole flow/)).toBeVisible();
  await ask(ready, 'POST', '/server/stop');
  await expect(page.getByRole('banner', { includeHidden: true })).toContainText(/stopped/i);
  await page.keyboard.press('Enter');
  await expect(page.getByText('“Run the whole flow” was not run.')).toBeVisible();
  await expect(page.getByText('The server is stopped. Start it first.')).toBeVisible();
});

test('behaviour 12.13: the palette offers at most ten commands, does not move during typing, and finds all commands but one that mirrors a provider; it lists the views like the sidebar and the shortcuts', async ({
  bench,
}) => {
  const { page } = bench;
  await lookFor(page, '');
  const options = palette(page).getByRole('option');
  await expect(option(page, /^Run the whole flow/)).toBeVisible();
  const offered = await options.count();
  expect(offered).toBeGreaterThan(5);
  expect(offered).toBeLessThanOrEqual(10);
  await expect(option(page, /^Reset all/)).toHaveCount(0);

  const place = await palette(page).boundingBox();
  for (const query of ['t', 'to', 'tok', 'token', 'token x', 'no such thing', 'jwt']) {
    await search(page).fill(query);
    expect(await palette(page).boundingBox(), query).toEqual(place);
    if (query === 'no such thing') await expect(palette(page)).toContainText('No matching');
    else await expect(options.first(), query).toHaveAttribute('aria-selected', 'true');
    await expect(selected(page)).toHaveCount(query === 'no such thing' ? 0 : 1);
  }

  for (const [query, name] of [
    ['reset all', /^Reset all/],
    ['jwt', 'Inspect a pasted token'],
    ['decode', 'Inspect a pasted token'],
    ['cors', /CORS/],
    ['429', /Throttle mode/],
    ['tls', /HTTPS/],
    ['forge', /Build and sign/],
    ['Import workspace', /^Import workspace/],
  ] as const) {
    await search(page).fill(query);
    await expect(option(page, name), query).toBeVisible();
  }
  await search(page).fill('Mirror a provider');
  await expect(option(page, /Mirror a provider/)).toHaveCount(0);

  await page.keyboard.press('Escape');
  const links = page.getByRole('navigation', { name: 'Views' }).getByRole('link');
  const inOrder = VIEWS.map((view) => new RegExp(`^${view}`));
  await expect(links).toHaveText(inOrder);
  await lookFor(page, 'go to');
  const group = palette(page).getByRole('group', { name: 'Go to' });
  // A group shows at most eight.
  await expect(group.getByRole('option')).toHaveText(inOrder.slice(0, 8));
  await page.keyboard.press('Escape');
  for (const [index, view] of VIEWS.slice(0, 9).entries()) {
    await page.keyboard.press(`Alt+${index + 1}`);
    await expect(links.filter({ hasText: view })).toHaveAttribute('aria-current', 'page');
  }
});

test('reports of the service do not move the palette’s entries; it finds clients, users, settings, documents, tokens and exchanges, and opens them', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await exchange(ready, await issueCode(ready));
  await expect(page.getByRole('link', { name: 'Traffic' })).toContainText('1');
  await lookFor(page, 'oauth/token');
  // The documents are loaded once the palette is open, so they appear after what the page already knows.
  await expect(option(page, /Specification/)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  const names = () => palette(page).getByRole('option').allInnerTexts();
  const before = await names();
  const at = await selected(page).innerText();
  await exchange(ready, await issueCode(ready));
  await expect(page.getByRole('link', { name: 'Traffic' })).toContainText('2');
  expect(await names()).toEqual(before);
  expect(await selected(page).innerText()).toBe(at);

  await page.keyboard.press('Escape');
  const open = async (query: string, name: string | RegExp) => {
    await lookFor(page, query);
    await option(page, name).click();
    await expect(palette(page)).toBeHidden();
  };
  await open('demo-app', /demo-app$/);
  await expect(page).toHaveURL(/#\/clients\/demo-app$/);
  await open('ada', /ada/);
  await expect(page).toHaveURL(/#\/users\/ada$/);
  await open('certificate', /certificate/i);
  await expect(page).toHaveURL(/#\/help\//);
  await expect(page.getByRole('article', { name: 'Document' })).toBeVisible();

  await open('refresh rotation', /rotat/i);
  await expect(page).toHaveURL(/#\/settings\/tokens$/);
  await open('x-ratelimit', /^X-RateLimit/);
  await expect(page).toHaveURL(/#\/throttling\/headers$/);
  await expect(page.getByRole('switch', { name: 'X-RateLimit-Limit' })).toBeChecked();
  await page.setViewportSize({ width: 900, height: 600 });
  await runCommand(page, 'Audiences');
  await expect(page).toHaveURL(/#\/settings\/audiences$/);
  await expect(page.getByRole('heading', { name: 'Audiences', exact: true })).toBeInViewport();
  const index = page.getByRole('navigation', { name: 'Settings' });
  await expect(index.getByRole('link', { name: 'APIs' })).toHaveAttribute('aria-current', 'page');

  await open('1.3', 'Refresh token 1.3');
  await expect(page.getByRole('region', { name: 'Token 1.3' })).toBeVisible();
  await open('post token', /^#1 POST/);
  await expect(page).toHaveURL(/#\/traffic\/1$/);
  await page.keyboard.press('Alt+1');
  await lookFor(page, '1');
  await expect(option(page, 'Go to exchange 1')).toBeVisible();
  await search(page).fill('#1');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/traffic\/1$/);

  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  await lookFor(page, `${part({ alg: 'none' })}.${part({ sub: 'somebody' })}.`);
  await expect(selected(page)).toHaveText('Inspect this token');
  await page.keyboard.press('Enter');
  await expect(page.getByText('somebody').first()).toBeVisible();
});

test('the arrow keys move through all groups and stop at the ends; Enter runs an entry, and Escape restores the focus', async ({
  bench,
}) => {
  const { page } = bench;
  await bench.open('Traffic');
  const link = page.getByRole('link', { name: 'Traffic' });
  await link.focus();
  await lookFor(page, 'clock');
  await page.keyboard.press('Escape');
  await expect(palette(page)).toBeHidden();
  await expect(link).toBeFocused();

  await lookFor(page, 'theme');
  await expect(selected(page)).toHaveText('Theme: system');
  await page.keyboard.press('ArrowUp');
  await expect(selected(page)).toHaveText('Theme: system');
  await page.keyboard.press('ArrowDown');
  await expect(selected(page)).toHaveText('Theme: light');
  await expect(search(page)).toHaveAttribute(
    'aria-activedescendant',
    (await selected(page).getAttribute('id')) ?? '',
  );
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeHidden();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
});

test('late results are added below, even when credentials arrive before documents; everything else is found when the documents cannot be loaded', async ({
  page,
  ready,
}) => {
  await exchange(ready, await issueCode(ready));
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/texts-.*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  const socket = page.waitForEvent('websocket');
  const bench = await openBench(page, ready);
  const credentials = (await socket).waitForEvent('framereceived', ({ payload }) =>
    payload.includes('"items":[{"id":"1.'),
  );
  await lookFor(page, '1.3');
  const shown = await palette(page).evaluateHandle((dialog) => {
    const lists: string[][] = [];
    new MutationObserver(() => {
      const groups = [...dialog.querySelectorAll('[role="group"]')];
      lists.push(groups.map((group) => group.getAttribute('aria-label') ?? ''));
    }).observe(dialog, { childList: true, subtree: true });
    return lists;
  });
  await credentials;
  release();
  await expect(option(page, /^Refresh token 1\.3/)).toBeVisible();
  const lists = await shown.jsonValue();
  const last = lists.at(-1) ?? [];
  expect(last.slice(-2)).toEqual(['Documentation', 'Issued tokens']);
  for (const list of lists) expect(list).toEqual(last.slice(0, list.length));

  await page.route(/\/texts-.*\.js$/, (route) => route.abort('connectionrefused'));
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/texts-'));
  await page.reload();
  await bench.ready();
  await lookFor(page, '1.3');
  await failed;
  await expect(option(page, /^Refresh token 1\.3/)).toBeVisible();
});
