// Break it: mistakes are chosen, run together and stopped. test/renderer/run-flow.test.ts shows that each gets the
// expected response.

import type { Page } from '@playwright/test';
import { severeFindings } from '../support/findings.ts';
import { ask } from '../support/token-calls.ts';
import { runCommand, type Step } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

const openMenu = (page: Page, step: Step) =>
  page.getByRole('button', { name: `Break it: ${step}`, exact: true }).click();

const resultsOf = (page: Page, step: Step) =>
  page.getByRole('dialog', { name: `Deliberate mistakes: ${step}` });

test('behaviour 2: a token from before a reset is rejected, and kept to show this', async ({
  bench,
}) => {
  const { page } = bench;
  await bench.runAll();
  await runCommand(page, 'reset the sandbox');
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await expect(page.getByText('Run your first OAuth flow')).toBeVisible();
  await openMenu(page, 'Call an API with it');
  await page.getByRole('menuitem', { name: /Token from before a reset/ }).click();
  const card = bench.step('Call an API with it');
  await expect(card).toContainText('matched');
  await expect(await bench.detail('Why')).toContainText('before the last restart or reset');
});

test('workbench: mistakes are filtered, run together, stopped, and each result opens its message', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await bench.runAll();
  await openMenu(page, 'Exchange the code');
  const menu = page.getByRole('dialog', { name: 'Break it: Exchange the code' });
  const filter = menu.getByRole('textbox', { name: 'Filter mistakes' });
  await expect(filter).toBeFocused();
  await page.keyboard.type('no such mistake');
  await expect(page.getByText('No matching mistakes')).toBeVisible();
  expect(await severeFindings(page, menu)).toEqual([]);
  await filter.fill('');
  // A frequent obstacle has one line; the filter lists each mistake.
  const group = page.getByRole('group', { name: 'Client assertion' });
  const folded = group.getByRole('menuitem', {
    name: /^\d+ more: Only the interop profile accepts client assertions\.$/,
  });
  await expect(folded).toHaveAttribute('aria-disabled', 'true');
  await expect(group.getByRole('menuitem')).toHaveCount(2);
  await filter.fill('assertion');
  await expect(folded).toHaveCount(0);
  await expect(group.getByRole('menuitem', { name: /^Expired assertion/ })).toBeVisible();
  await filter.fill('redirect');
  const items = page.getByRole('menuitem');
  await expect(items.first()).toHaveText(/^Run these \d+ mistakes$/);
  const offered = Number(/\d+/.exec((await items.first().textContent()) ?? '')?.[0]);
  await expect(items).toHaveCount(offered + 1);
  expect(await severeFindings(page, menu)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await expect(items.first()).toBeFocused();
  await page.keyboard.press('Enter');

  const results = resultsOf(page, 'Exchange the code');
  await expect(results.getByRole('status')).toHaveText(
    `${offered} of ${offered} answered as expected`,
  );
  await expect(results.locator('tbody tr')).toHaveCount(offered);
  await results.locator('tbody').getByRole('button').first().click();
  await expect(results).toBeHidden();
  await expect(await bench.detail('Why')).toContainText('redirect_uri');

  const card = bench.step('Exchange the code');
  await expect(card).toContainText(`Mistakes: ${offered} of ${offered} answered as expected`);
  await card.getByRole('button', { name: 'Show results' }).click();
  await expect(results.locator('tbody tr')).toHaveCount(offered);
  await results.getByRole('button', { name: 'Close' }).click();

  await ask(ready, 'POST', '/faults', { preset: 'slow' });
  await openMenu(page, 'Exchange the code');
  await items.first().click();
  await results.getByRole('button', { name: 'Stop' }).click();
  await expect(results.getByRole('status')).toHaveText(/stopped after \d+ of \d+$/);
});
