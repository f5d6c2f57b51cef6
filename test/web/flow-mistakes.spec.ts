// Break it: every mistake announces beforehand what the service answers, and that answer comes.

import type { Page } from '@playwright/test';
import { ask } from '../support/token-calls.ts';
import type { Step, Workbench } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

const BREAKABLE = [
  'Issue a code',
  'Exchange the code',
  'Refresh',
  'Call an API with it',
] as const satisfies readonly Step[];

const openMenu = (page: Page, step: Step) =>
  page.getByRole('button', { name: `Break it: ${step}`, exact: true }).click();

async function offeredMistakes(page: Page, step: Step): Promise<string[]> {
  await openMenu(page, step);
  const items = page.getByRole('menuitem');
  await expect(items.first()).toBeVisible();
  const titles = await items.evaluateAll((found) =>
    found
      .filter((item) => !item.hasAttribute('data-disabled'))
      .map((item) => item.firstElementChild?.firstElementChild?.textContent ?? ''),
  );
  await page.getByRole('menu').press('Escape');
  await expect(items.first()).toBeHidden();
  return titles;
}

/** Those whose response was not the expected one, in their own words. */
async function surprises({ page, step: card }: Workbench, step: Step): Promise<string[]> {
  const wrong: string[] = [];
  const titles = await offeredMistakes(page, step);
  expect(titles.length).toBeGreaterThan(12);
  for (const title of titles) {
    await openMenu(page, step);
    await page.getByRole('menuitem').filter({ hasText: title }).first().click();
    const verdict = card(step).getByText(`${title}:`, { exact: true }).locator('..');
    await expect(verdict).toBeVisible();
    const text = (await verdict.textContent()) ?? '';
    if (!text.includes('matched')) wrong.push(text);
  }
  return wrong;
}

for (const profile of ['documented', 'strict', 'interop'] as const) {
  test(`behaviour 1 and 3: under ${profile} each mistake gets the expected response`, async ({
    bench,
    ready,
    errors,
  }) => {
    test.setTimeout(400_000);
    await ask(ready, 'POST', '/clients', { client_id: 'other', client_name: 'Other' });
    await ask(ready, 'PATCH', '/settings', { profile, throttle: { mode: 'off' } });
    await bench.runAll();
    for (const step of BREAKABLE) expect.soft(await surprises(bench, step), step).toEqual([]);
    expect(errors).toEqual([]);
  });
}

test('behaviour 2: a token of before a reset is refused, and kept for showing it', async ({
  bench,
}) => {
  const { page } = bench;
  await bench.runAll();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByPlaceholder('Search or run…')).toBeFocused();
  await page.keyboard.type('reset the sandbox');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await expect(page.getByText('Run your first OAuth flow')).toBeVisible();
  await bench.runAll();
  await openMenu(page, 'Call an API with it');
  await page.getByRole('menuitem', { name: /Token from before a reset/ }).click();
  const card = bench.step('Call an API with it');
  await expect(card).toContainText('matched');
  await expect(await bench.detail('Why')).toContainText('before the last restart or reset');
});

test('behaviour 7: a person at the sign-in page can deny, and the app is told', async ({
  bench,
}) => {
  const { page } = bench;
  await openMenu(page, 'Issue a code');
  await page.getByRole('menuitem', { name: /User denies/ }).click();
  await expect(bench.step('Issue a code')).toContainText('matched');
  await expect(
    page.getByRole('option', { name: /POST \/authorize · decision deny, 303 access_denied/ }),
  ).toBeVisible();
});
