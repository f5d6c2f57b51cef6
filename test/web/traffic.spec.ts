import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { signedIn, tokens } from '../support/app-login.ts';
import type { Ready } from '../support/cli-process.ts';
import { ask, DEMO, exchange, issueCode, refresh } from '../support/token-calls.ts';
import { severeFindings } from '../support/findings.ts';
import { exchangeDetail as detail, exchangeRow as row, runCommand } from '../support/workbench.ts';
import { expect, openBench, test } from './serve.ts';

const grid = (page: Page) => page.getByRole('grid', { name: 'Exchanges' });
/** The text of the visible rows, from the top. */
const numbers = (page: Page) =>
  grid(page)
    .getByRole('row')
    .getByRole('gridcell')
    .filter({ hasText: /^#\d+$/ })
    .allTextContents();

/** The rows that the user sees, without those drawn beyond the edges. */
const inView = (page: Page) =>
  grid(page).evaluate((list) => {
    const { top, bottom } = list.getBoundingClientRect();
    return [...list.querySelectorAll('[id^="exchange-"]')]
      .filter((one) => {
        const at = one.getBoundingClientRect();
        return at.top >= top && at.bottom <= bottom;
      })
      .map(({ id }) => id);
  });

const numberOf = (answer: Response) => Number(answer.headers.get('grantbench-exchange'));

/** Exchange 1: 200 for a code. 2: 400, the code was used. 3: 401, a wrong secret. 4: 404. */
async function fourExchanges(ready: Ready): Promise<void> {
  const code = await issueCode(ready);
  await exchange(ready, code);
  await exchange(ready, code);
  await fetch(ready.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: DEMO.client_id,
      client_secret: 'not-the-secret',
      refresh_token: 'x',
    }),
  });
  await fetch(`${ready.issuer}/nowhere?from=here`);
}

const ALL = ['#4', '#3', '#2', '#1'];

async function choose(menu: Locator, column: string, value: string): Promise<void> {
  const page = menu.page();
  await menu.click();
  await page.getByRole('menuitem', { name: column }).hover();
  await page.getByRole('menuitemcheckbox', { name: value }).click();
  await closeMenus(page);
}

async function closeMenus(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitemcheckbox')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem')).toHaveCount(0);
}

test('the number in Grantbench-Exchange leads to the exchange, and a number without one is reported with the reason', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await bench.open('Traffic');
  const field = page.getByRole('textbox', { name: 'Go to exchange number' });
  await field.fill('forty');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Enter a whole number');
  await field.fill('1234');
  await field.press('Enter');
  await expect(detail(page)).toContainText('There are no exchanges yet.');
  const code = await issueCode(ready);
  expect(numberOf(await exchange(ready, code))).toBe(1);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(detail(page)).toContainText('does not exist yet: the newest one is 1');

  const refused = numberOf(await exchange(ready, code));
  await field.fill(`Grantbench-Exchange: ${refused}`);
  await field.press('Enter');
  await expect(detail(page)).toContainText(`by exchange ${refused - 1}`);
  await expect(detail(page)).toContainText('400');
  await expect(page).toHaveURL(new RegExp(`#/traffic/${refused}$`));
  await expect(row(page, refused)).toHaveAttribute('aria-selected', 'true');
  const before = { name: `exchange ${refused - 1}` };
  await detail(page).getByRole('link', before).first().click();
  await expect(detail(page)).toContainText(/All \d+ checks passed/);
  await runCommand(page, String(refused));
  await expect(detail(page)).toContainText(`by exchange ${refused - 1}`);
  await page.goto(`${ready.control.url}/#traffic/${refused - 1}`);
  await expect(detail(page)).toContainText(/All \d+ checks passed/);
  await page.goto(`${ready.control.url}/#traffic/${refused}`);
  await expect(detail(page)).toContainText(`by exchange ${refused - 1}`);

  await ask(ready, 'POST', '/reset', {});
  await field.fill('1');
  await field.press('Enter');
  await expect(detail(page)).toContainText(`a reset deleted exchanges up to ${refused}`);
  expect(errors).toEqual([]);
});

test('an empty list explains its purpose, the flow fills it, and a reset empties it; buttons and exchange fit small windows', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await bench.listExchanges();
  const names = ['Pause the list', 'Show as sequence', 'Clear from view', 'Export'];
  const buttons = names.map((name) => page.getByRole('button', { name, exact: true }));
  for (const [width, words] of [
    [1600, ['Pause', 'Sequence', 'Clear', 'Export']],
    [900, ['Pause', 'Sequence', 'Clear', 'Export']],
    [800, ['', '', '', '']],
  ] as const) {
    await page.setViewportSize({ width, height: 700 });
    for (const [index, button] of buttons.entries())
      await expect(button).toHaveText(words[index] ?? '', { useInnerText: true });
  }

  await expect(page.getByText('No requests yet')).toBeVisible();
  await expect(page.getByText(`Point your app at ${ready.issuer}`)).toBeVisible();
  await page.getByRole('button', { name: 'Run the flow' }).click();
  await expect(bench.step('Refresh')).toContainText('200');
  await expect(bench.step('Call an API with it')).toContainText('200');
  await bench.open('Traffic');
  await expect(grid(page)).toContainText('/oauth/token');

  await page.setViewportSize({ width: 640, height: 400 });
  await row(page, 2).click();
  await expect(detail(page)).toContainText('#2');
  await expect(grid(page)).toBeHidden();
  await page.getByRole('button', { name: 'Close the exchange' }).click();
  await expect(row(page, 2)).toBeVisible();
  await ask(ready, 'POST', '/reset', {});
  await expect(page.getByText('No requests yet')).toBeVisible();
  expect(errors).toEqual([]);
});

test('behaviour 3.13, 13.1: requests of another program appear by themselves with cause and marks; a retry leads to its first try; the sender is shown in row and detail, and can filter the list', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await page.setViewportSize({ width: 1280, height: 800 });
  await bench.listExchanges();
  await fourExchanges(ready);
  await expect.poll(() => numbers(page)).toEqual(ALL);
  await expect(row(page, 2)).toContainText('used at');
  await expect(row(page, 2)).toContainText('invalid_grant');
  await expect(row(page, 3)).toContainText('401');
  const code = await issueCode(ready);
  const answer = (await (await exchange(ready, code)).json()) as { refresh_token: string };
  await refresh(ready, answer.refresh_token);
  await expect(row(page, 6)).toContainText('Advisory');

  const first = numberOf(await exchange(ready, 'not-a-code'));
  const retry = numberOf(await exchange(ready, 'not-a-code'));
  await expect(row(page, retry)).toContainText(`Retry: repeats exchange #${first}`);
  await expect(row(page, first)).not.toContainText('Retry');
  await row(page, retry).click();
  await detail(page)
    .getByRole('link', { name: `#${first}`, exact: true })
    .click();
  await expect(page).toHaveURL(new RegExp(`#/traffic/${first}$`));
  await expect(detail(page)).not.toContainText('Retry of');

  await ask(ready, 'POST', '/requests', { method: 'GET', path: '/livez' });
  await ask(ready, 'POST', '/requests', { method: 'GET', path: '/livez', sent_by: 'command_line' });
  await expect(row(page, retry + 2).getByTitle('Sent by a grantbench command')).toHaveText(
    'command',
  );
  await expect(row(page, retry + 1).getByTitle('Sent by the workbench')).toHaveText('workbench');
  await expect(row(page, retry).getByTitle('Sent by the app under test')).toHaveText('app');
  await row(page, retry + 1).click();
  await expect(detail(page).getByText('Workbench', { exact: true })).toBeVisible();
  await expect(row(page, retry + 1).getByTitle('Sent by the workbench')).toBeVisible();
  const wide = () => grid(page).evaluate((one) => one.scrollWidth - one.clientWidth);
  await expect.poll(wide).toBe(0);
  await choose(page.getByRole('button', { name: 'Filter', exact: true }), 'Sent by', 'App');
  await expect.poll(() => numbers(page)).toEqual(['#8', '#7', '#6', '#5', ...ALL]);
});

test('the list is filtered by text and by column, and says when nothing matches; clearing hides what is listed and deletes nothing; a paused list counts new exchanges; pinned rows stay on top', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await fourExchanges(ready);
  await bench.listExchanges();
  await expect.poll(() => numbers(page)).toEqual(ALL);

  await page.keyboard.press('/');
  const text = page.getByRole('textbox', { name: 'Filter by text' });
  await expect(text).toBeFocused();
  await page.keyboard.type('invalid -grant');
  await expect.poll(() => numbers(page)).toEqual(['#3']);
  await page.keyboard.press('Escape');
  await expect(text).toHaveValue('');
  await expect.poll(() => numbers(page)).toEqual(ALL);

  await page.getByRole('button', { name: 'Rejected' }).click();
  await expect.poll(() => numbers(page)).toEqual(['#4', '#3', '#2']);
  await choose(page.getByRole('button', { name: 'Filter', exact: true }), 'Error', 'invalid_grant');
  await expect.poll(() => numbers(page)).toEqual(['#2']);
  await page.getByRole('button', { name: 'Remove filter: Error invalid_grant' }).click();
  await expect.poll(() => numbers(page)).toEqual(['#4', '#3', '#2']);

  await text.fill('no such thing');
  await expect(page.getByText('No matching exchanges')).toBeVisible();
  await page.getByRole('button', { name: 'Remove the filter' }).click();
  await expect.poll(() => numbers(page)).toEqual(ALL);

  await page.getByRole('button', { name: 'Clear from view' }).click();
  await expect(page.getByText('No requests since you cleared the view')).toBeVisible();
  await fetch(`${ready.issuer}/livez`);
  await expect.poll(() => numbers(page)).toEqual(['#5']);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Error' }).hover();
  await expect(page.getByText('None listed')).toBeVisible();
  await closeMenus(page);
  await page.getByRole('button', { name: 'Show them' }).click();
  await expect.poll(() => numbers(page)).toEqual(['#5', ...ALL]);

  await page.keyboard.press('p');
  await expect(page.getByRole('button', { name: 'Pause the list' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await fetch(`${ready.issuer}/livez`);
  await fetch(`${ready.issuer}/livez`);
  const fresh = page.getByRole('button', { name: '2 new' });
  await expect(fresh).toBeVisible();
  expect(await numbers(page)).toEqual(['#5', ...ALL]);
  await fresh.click();
  await expect.poll(() => numbers(page)).toEqual(['#7', '#6', '#5', ...ALL]);

  await row(page, 2).click();
  await page.keyboard.press('t');
  await expect.poll(() => numbers(page)).toEqual(['#2', '#7', '#6', '#5', '#4', '#3', '#1']);
  await page.getByRole('textbox', { name: 'Filter by text' }).fill('livez');
  await expect.poll(() => numbers(page)).toEqual(['#2', '#7', '#6', '#5']);

  await ask(ready, 'POST', '/reset', {});
  await expect.poll(() => numbers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Pause the list' }).click();
  await fetch(`${ready.issuer}/livez`);
  await expect(page.getByText('The list is paused')).toBeVisible();
  await page.getByRole('button', { name: 'Follow the newest' }).click();
  await expect.poll(() => numbers(page)).toEqual(['#8']);
  expect(errors).toEqual([]);
});

async function exported(page: Page, press: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  expect(download.suggestedFilename()).toMatch(/^grantbench-\d{8}-\d{6}\.(har|json)$/);
  return readFile(await download.path(), 'utf8');
}

test('the list is usable by keyboard alone: opening, browsing, selecting and closing; selected or listed exchanges are exported as HAR or JSON, without secrets by default', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await fourExchanges(ready);
  await bench.listExchanges();
  await expect.poll(() => numbers(page)).toEqual(ALL);
  await grid(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(grid(page)).toHaveAttribute('aria-activedescendant', 'exchange-3');
  await page.keyboard.press('Enter');
  await expect(detail(page)).toContainText('#3');
  await page.keyboard.press('j');
  await expect(detail(page)).toContainText('#2');
  await page.keyboard.press('k');
  await expect(detail(page)).toContainText('#3');
  await page.keyboard.press('Enter');
  await expect(detail(page).getByRole('tab', { name: 'Why' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(detail(page)).toContainText('POST /oauth/token HTTP/1.1');
  await page.keyboard.press('Escape');
  await expect(detail(page)).toBeHidden();
  await expect(grid(page)).toBeFocused();

  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('3 exchanges selected')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('3 exchanges selected')).toBeHidden();

  await row(page, 4).click();
  await row(page, 2).click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('button', { name: 'Export selection' }).click();
  const selected = await exported(page, () => page.getByRole('menuitem', { name: 'HAR' }).click());
  const { log } = JSON.parse(selected) as {
    log: { version: string; entries: { request: { url: string } }[] };
  };
  expect(log.version).toBe('1.2');
  expect(log.entries.map(({ request }) => new URL(request.url).pathname)).toEqual([
    '/oauth/token',
    '/nowhere',
  ]);
  expect(selected).not.toContain(DEMO.client_secret);

  await page.getByRole('button', { name: 'Clear selection' }).click();
  const menu = page.getByRole('button', { name: 'Export', exact: true });
  await menu.click();
  await page.getByRole('menuitemcheckbox', { name: /^Include secrets/ }).click();
  const all = await exported(page, () =>
    page.getByRole('menuitem', { name: 'JSON With all checks.' }).click(),
  );
  const { exchanges } = JSON.parse(all) as { exchanges: { number: number }[] };
  expect(exchanges.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  expect(all).toContain(DEMO.client_secret);
  expect(errors).toEqual([]);
});

test('secrets are redacted until revealed; a request is resent, and copied as curl with or without secrets; neither an open exchange nor a menu nor a selection has a serious accessibility finding', async ({
  bench,
  ready,
  context,
  errors,
}) => {
  const { page } = bench;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const code = await issueCode(ready);
  const { access_token } = (await (await exchange(ready, code)).json()) as { access_token: string };
  await page.goto(`${ready.control.url}/#traffic/1`);
  await bench.ready();
  const response = await bench.detail('Response');
  await expect(response).toContainText('"access_token": "[redacted]"');
  const token = await bench.detail('Token');
  await token.getByRole('button', { name: 'Reveal secrets' }).click();
  await expect(token).toContainText('Signature verified');
  await expect(await bench.detail('Response')).toContainText(access_token);
  await (await bench.detail('Request')).getByRole('switch', { name: 'Reveal secrets' }).uncheck();
  await expect(page.getByText('"client_secret": "[redacted]"')).toBeVisible();

  await exchange(ready, code);
  await page.goto(`${ready.control.url}/#traffic/2`);
  await detail(page).getByRole('button', { name: 'Resend' }).click();
  await expect(detail(page)).toContainText('#3');
  await expect(await bench.detail('Why')).toContainText('by exchange 1');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await detail(page).getByRole('button', { name: 'Copy as curl' }).click();
  await expect.poll(copied).toContain('"client_secret":"[redacted]"');
  await detail(page).getByRole('button', { name: 'More for this exchange' }).click();
  await page.getByRole('menuitem', { name: 'Copy as curl, with secrets' }).click();
  await expect.poll(copied).toContain(DEMO.client_secret);

  await fourExchanges(ready);
  await bench.listExchanges();
  await row(page, 5).click();
  await expect(detail(page)).toContainText('by exchange 4');
  await page.keyboard.press('t');
  await page.keyboard.press('p');
  await fetch(`${ready.issuer}/livez`);
  await expect(page.getByRole('button', { name: '1 new' })).toBeVisible();
  expect.soft(await severeFindings(page), 'an exchange, a pin, a pause').toEqual([]);
  await page.getByRole('button', { name: 'Rejected' }).click();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Mark' }).hover();
  await expect(page.getByRole('menu', { name: 'Mark' })).toBeVisible();
  const filter = page.getByRole('menu').or(page.getByRole('search', { name: 'Filter exchanges' }));
  expect.soft(await severeFindings(page, filter), 'the filter').toEqual([]);
  await closeMenus(page);
  await row(page, 6).click();
  await row(page, 7).click({ modifiers: ['Shift'] });
  await expect(page.getByText('2 exchanges selected')).toBeVisible();
  expect
    .soft(await severeFindings(page, page.getByRole('region', { name: 'Traffic' })), 'a selection')
    .toEqual([]);
  await page.setViewportSize({ width: 640, height: 400 });
  await page.goto(`${ready.control.url}/#traffic/1234`);
  await expect(detail(page)).toContainText('does not exist yet');
  expect.soft(await severeFindings(page, detail(page)), 'one that is not there').toEqual([]);
  expect(errors).toEqual([]);
});

test('thousands of exchanges are loaded page by page, visible rows do not move, and a lineage includes those not loaded; the row that the grid names as active exists in the document', async ({
  page,
  ready,
  errors,
}) => {
  test.slow();
  const more = async (count: number) => {
    for (let sent = 0; sent < count; sent += 50) {
      const batch = { length: Math.min(50, count - sent) };
      await Promise.all(Array.from(batch, () => fetch(`${ready.issuer}/livez`)));
    }
  };
  await ask(ready, 'PATCH', '/settings', { profile: 'interop' });
  const { refresh_token = '' } = await tokens(ready, await signedIn(ready));
  await more(2046);
  await tokens(ready, { grant_type: 'refresh_token', refresh_token });
  const bench = await openBench(page, ready);
  await bench.listExchanges();
  await expect(page.getByText('1,000 of 2,050 exchanges')).toBeVisible();
  expect(await grid(page).getByRole('row').count()).toBeLessThan(80);

  await row(page, 2050).click();
  await detail(page).getByRole('button', { name: 'More for this exchange' }).click();
  await page.getByRole('menuitem', { name: 'Show its lineage as a sequence' }).click();
  const sequence = page.getByRole('region', { name: 'Sequence' });
  const newest = await ask<{ lineage_id: string }>(ready, 'GET', '/exchanges/2050');
  const lineage = `/exchanges?lineage_id=${newest.lineage_id}`;
  const { items } = await ask<{ items: object[] }>(ready, 'GET', lineage);
  expect(items.length).toBeGreaterThan(2);
  await expect(sequence.getByRole('option')).toHaveCount(items.length);
  await sequence.getByRole('button', { name: 'Back to the list' }).click();
  await detail(page).getByRole('button', { name: 'Close the exchange' }).click();
  await expect(page.getByText('1,000 of 2,050 exchanges')).toBeVisible();

  await grid(page).focus();
  for (const [oldest, listed] of [
    [1051, '2,000 of 2,050 exchanges'],
    [51, '2,050 exchanges'],
    [1, '2,050 exchanges'],
  ] as const) {
    await page.keyboard.press('End');
    await expect(row(page, oldest)).toBeVisible();
    await expect(page.getByText(listed, { exact: true })).toBeVisible();
  }
  await expect(page.getByText('End of list.')).toBeVisible();

  await expect(row(page, 1)).toBeInViewport();
  await page.keyboard.press('PageUp');
  await expect(grid(page)).toHaveAttribute('aria-activedescendant', 'exchange-16');
  await expect(row(page, 16)).toBeInViewport({ ratio: 1 });
  const before = await inView(page);
  expect(before).toContain('exchange-16');
  await more(50);
  await expect(page.getByRole('button', { name: '50 new' })).toBeVisible();
  expect(await inView(page)).toEqual(before);
  await page.getByRole('button', { name: '50 new' }).click();
  await expect(row(page, 2100)).toBeVisible();

  await row(page, 2100).click();
  await expect(grid(page)).toHaveAttribute('aria-activedescendant', 'exchange-2100');
  await grid(page).evaluate((scroller) => scroller.scrollTo({ top: scroller.scrollHeight }));
  await expect(row(page, 1)).toBeVisible();
  await expect(row(page, 2100)).toHaveCount(0);
  await expect(grid(page)).not.toHaveAttribute('aria-activedescendant');
  await page.goto(`${ready.control.url}/#traffic/12345`);
  await expect(detail(page)).toContainText('does not exist yet');
  await expect(grid(page)).not.toHaveAttribute('aria-activedescendant');
  await page.goto(`${ready.control.url}/#traffic/2100`);
  await expect(grid(page)).toHaveAttribute('aria-activedescendant', 'exchange-2100');
  expect(errors).toEqual([]);
});

test('selected exchanges, all listed exchanges or a lineage are shown as a sequence with their causes', async ({
  page,
  bench,
  ready,
  errors,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await fourExchanges(ready);
  await bench.listExchanges();
  const sequence = page.getByRole('region', { name: 'Sequence' });
  const messages = sequence.getByRole('option');
  await row(page, 4).click();
  await row(page, 2).click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('button', { name: 'Show as sequence' }).last().click();
  await expect(messages).toHaveCount(2);
  await expect(sequence.getByRole('button', { name: 'Back to the list' })).toBeFocused();
  await expect(messages.first()).toHaveAccessibleName(
    /App to Token service: POST \/oauth\/token · code, 400 invalid_grant\. used at .* by exchange 1/,
  );
  expect(await severeFindings(page, sequence)).toEqual([]);
  await messages.first().click();
  await expect(page).toHaveURL(/#\/traffic\/2$/);
  await expect(detail(page)).toContainText('The code was already used');
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/#\/traffic\/4$/);
  await sequence.getByRole('button', { name: 'Back to the list' }).click();
  await expect(grid(page)).toBeVisible();

  await page.getByRole('button', { name: 'Show as sequence' }).click();
  await expect(messages).toHaveCount(4);
  const saving = page.waitForEvent('download');
  await sequence.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: 'HAR' }).click();
  const archive = JSON.parse(await readFile(await (await saving).path(), 'utf8')) as {
    log: { entries: unknown[] };
  };
  expect(archive.log.entries).toHaveLength(4);
  await messages.nth(1).click();
  await detail(page).getByRole('button', { name: 'More for this exchange' }).click();
  await page.getByRole('menuitem', { name: 'Show its lineage as a sequence' }).click();
  await expect(messages).toHaveCount(2);

  await ask(ready, 'POST', '/requests', { method: 'GET', path: '/livez' });
  await sequence.getByRole('button', { name: 'Back to the list' }).click();
  await expect(row(page, 5)).toBeVisible();
  await page.getByRole('button', { name: 'Show as sequence' }).click();
  await expect(messages.last()).toHaveAccessibleName(/sent by the workbench/);
  expect(errors).toEqual([]);
});
