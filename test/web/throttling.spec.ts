// The Throttling view: the chart, the hammer that exceeds the limit, the counters that are reset, and clients with
// redundant token requests.

import type { Page } from '@playwright/test';
import { ask, DEMO, exchange, issueCode, refresh } from '../support/token-calls.ts';
import { severeFindings } from '../support/findings.ts';
import type { Workbench } from '../support/workbench.ts';
import { expect, openBench, test } from './serve.ts';

const hammer = (page: Page) => page.getByRole('region', { name: 'Hammer', exact: true });
const chart = (page: Page) =>
  page.getByRole('region', { name: 'Allowed and throttled' }).getByRole('img', {
    name: /last two minutes/,
  });
/** The text below the chart. */
const legend = (page: Page) => page.getByRole('region', { name: 'Allowed and throttled' });
const send = (page: Page) => hammer(page).getByRole('button', { name: /^Send/ });

async function openAdvisories({ page, open }: Workbench): Promise<void> {
  await open('Throttling');
  await page.getByRole('tab', { name: /^Advisories/ }).click();
}

test('a burst exceeds the limit, as chart, responses and counter show; hammering one code returns tokens once, then rejected replays, then throttled responses; a reset clears the result; without a server or a grant nothing is sent', async ({
  page,
  bench,
  ready,
  errors,
}) => {
  await bench.open('Throttling');
  await expect(chart(page)).toHaveAccessibleName(/^No token request was counted/);
  await expect(page.getByText('No counters', { exact: true })).toBeVisible();
  await expect(send(page)).toHaveText('Send 40');
  await send(page).click();
  await expect(hammer(page)).toContainText('40 of 40 requests answered');
  await expect(hammer(page).getByRole('list', { name: 'Responses' })).toContainText(/200\s*30×/);
  await expect(hammer(page)).toContainText('429 too_many_requests');
  await expect(hammer(page).getByRole('status')).toContainText(
    'Throttled by the limit of 30 requests in 1 min, first at exchange #31',
  );
  await expect(chart(page)).toHaveAccessibleName(
    /^30 requests of Grantbench’s own allowed and 10 throttled, .* first 429, #\d+, .* resets in \d+ s$/,
  );
  await expect(legend(page)).toContainText('Grantbench’s own: Allowed 30 Throttled 10');
  await expect(legend(page)).toContainText('App: Allowed 0 Throttled 0');
  await expect(chart(page).locator('svg')).toBeVisible();
  await expect(page.getByText('429 now')).toBeVisible();
  expect(await severeFindings(page)).toEqual([]);
  await hammer(page).getByRole('link').click();
  await expect(page).toHaveURL(/#\/traffic\/\d+$/);

  await bench.open('Throttling');
  await ask(ready, 'POST', '/server/stop');
  await expect(send(page)).toBeDisabled();
  await expect(hammer(page)).toContainText('The server is stopped');
  await expect(page.getByText('429 now')).toBeHidden();
  await ask(ready, 'POST', '/server/start');
  await hammer(page).getByRole('combobox', { name: 'Grant' }).click();
  await page.getByRole('option', { name: 'authorization_code' }).click();
  await hammer(page).getByRole('textbox', { name: 'At once' }).fill('1');
  await send(page).click();
  const answers = hammer(page).getByRole('list', { name: 'Responses' });
  await expect(answers).toContainText(/400 invalid_grant\s*29×/);
  await expect(answers).toContainText(/429 too_many_requests\s*10×/);
  await expect(answers).toContainText(/200\s*1×/);
  await expect(hammer(page)).toContainText('Throttled by the limit of 30 requests in 1 min');

  await ask(ready, 'POST', '/reset', {});
  await expect(answers).toBeHidden();
  await expect(hammer(page).getByRole('status')).toHaveCount(0);
  await expect(page.getByText('429 now')).toBeHidden();
  await ask(ready, 'DELETE', '/clients/demo-app');
  await expect(hammer(page)).toContainText('No client can send token requests');
  expect(errors).toEqual([]);
});

test('after the 429 of a fault rule, the hammer reports the first throttled request; its window ends with its counter', async ({
  page,
  bench,
  ready,
}) => {
  await ask(ready, 'POST', '/faults', { preset: 'throttled_twice' });
  await bench.open('Throttling');
  await send(page).click();
  const result = hammer(page).getByRole('status');
  await expect(result).toContainText(/first at exchange #3\d\. Resets in \d+ s\.$/);
  await expect(chart(page)).toHaveAccessibleName(/resets in \d+ s$/);
  await ask(ready, 'DELETE', '/throttle');
  await expect(result).toContainText(/first at exchange #3\d\.$/);
  await expect(chart(page)).not.toHaveAccessibleName(/resets in/);
});

test('the maximum number of parallel requests is sent at once; requests at a rate continue in other views, and stop by their button', async ({
  page,
  bench,
}) => {
  await bench.open('Throttling');
  await hammer(page).getByRole('textbox', { name: 'Times' }).fill('101');
  await hammer(page).getByRole('textbox', { name: 'At once' }).fill('100');
  await send(page).click();
  await expect(hammer(page)).toContainText('101 of 101 requests answered');
  await expect(legend(page)).toContainText('Grantbench’s own: Allowed 30 Throttled 71');

  await hammer(page).getByText('At a rate', { exact: true }).click();
  await hammer(page).getByRole('textbox', { name: 'Times' }).fill('5000');
  await hammer(page).getByRole('textbox', { name: 'Per second' }).fill('20');
  await send(page).click();
  await expect(hammer(page)).toContainText(/[1-9]\d* of 5,000 requests answered/);
  await bench.open('Traffic');
  await bench.open('Throttling');
  await hammer(page).getByRole('button', { name: 'Stop' }).click();
  await expect(hammer(page).getByRole('button', { name: 'Stop' })).toBeHidden();
  await expect(hammer(page)).not.toContainText('5,000 of 5,000');
});

test('the chart includes requests from before the page was opened; Reset all asks once: Cancel keeps the counters, confirming removes them; the view fits 900 by 600 and is usable by keyboard alone', async ({
  page,
  ready,
}) => {
  await page.setViewportSize({ width: 900, height: 600 });
  await exchange(ready, await issueCode(ready));
  const bench = await openBench(page, ready);
  await bench.open('Throttling');
  await expect(chart(page)).toHaveAccessibleName(/^1 request of the app allowed/);
  const counters = page.getByRole('region', { name: 'Throttle counters' });
  await expect(counters.getByRole('row').nth(1)).toBeInViewport({ ratio: 1 });
  const reset = page.getByRole('button', { name: 'Reset all…' });
  await reset.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(counters).toBeVisible();
  await reset.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset all' }).click();
  await expect(page.getByText('No counters', { exact: true })).toBeVisible();

  await page.keyboard.press('Alt+H');
  await expect(hammer(page)).toContainText('40 of 40 requests answered');
  const rules = page.getByText('Requests are counted for each code or refresh token');
  await expect(rules).toBeHidden();
  await page.getByRole('button', { name: 'How requests are counted' }).click();
  await expect(rules).toBeVisible();
  const limit = page.getByRole('region', { name: 'Limit', exact: true });
  const saved = limit.getByRole('status').filter({ hasText: 'Saved' });
  await expect(saved).toHaveCount(0);
  await page.getByRole('switch', { name: 'X-RateLimit-Limit' }).click();
  await expect(saved).toHaveText('Saved');
  await expect
    .poll(async () => (await exchange(ready, 'unknown')).headers.has('X-RateLimit-Limit'))
    .toBe(false);
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(wide).toBeLessThanOrEqual(900);
  await page.getByRole('tab', { name: /^Counters/ }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/#\/throttling\/advisories$/);
  await expect(page.getByText('No redundant token requests from the app')).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(page.getByRole('region', { name: 'Advisories' })).toBeVisible();
});

test('behaviour 13.3: a paused chart stands still until it is resumed; rates and advisories, listed per client with the newest, are the app’s unless Grantbench’s own are included', async ({
  page,
  bench,
  ready,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await bench.open('Throttling');
  await page.getByRole('button', { name: 'Pause the chart' }).click();
  const granted = await exchange(ready, await issueCode(ready));
  const { refresh_token } = (await granted.json()) as { refresh_token: string };
  await expect(page.getByRole('region', { name: 'Throttle counters' })).toBeVisible();
  await expect(legend(page)).toContainText('in the 2 min before the pause');
  await page.getByRole('button', { name: 'Resume the chart' }).click();
  await expect(chart(page)).toHaveAccessibleName(/^1 request of the app allowed/);

  await openAdvisories(bench);
  await expect(page.getByText('No redundant token requests from the app')).toBeVisible();
  const advisories = page.getByRole('tabpanel', { name: /^Advisories/ });
  expect(await severeFindings(page, advisories)).toEqual([]);
  const refreshed = await refresh(ready, refresh_token);
  const number = refreshed.headers.get('grantbench-exchange') ?? '';
  const row = page.getByRole('row', { name: /demo-app/ });
  await expect(row).toContainText('1 d of the previous token left');
  const redundant = row.getByRole('cell').first();
  await expect(redundant).toHaveText('1');
  await row.getByRole('button').click();
  await expect(page.getByRole('list', { name: /^Newest advisories/ })).toContainText('#');
  expect(await severeFindings(page, advisories)).toEqual([]);
  await row
    .getByRole('link', { name: `exchange #${number}` })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`#/traffic/${number}$`));

  const { client_id, client_secret } = DEMO;
  const fields = { grant_type: 'refresh_token', client_id, client_secret, refresh_token };
  const sent = {
    path: '/oauth/token',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
  for (let count = 0; count < 3; count += 1) await ask(ready, 'POST', '/requests', sent);
  await openAdvisories(bench);
  await expect(redundant).toHaveText('1');
  const own = page.getByRole('main').getByRole('switch', { name: 'Include Grantbench’s own' });
  await own.check();
  await expect(redundant).toHaveText('3');
  await page.reload();
  await bench.ready();
  await expect(own).toBeChecked();
  await expect(redundant).toHaveText('3');
  await expect(page.getByTitle('Requests per second, including Grantbench’s own')).toBeVisible();
});
