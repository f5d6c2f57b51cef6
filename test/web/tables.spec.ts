// Features of all tables: a filter, sorting, and a menu for each row by mouse and by keyboard.

import type { Locator, Page } from '@playwright/test';
import { ask, exchange, issueCode } from '../support/token-calls.ts';
import type { Ready } from '../support/cli-process.ts';
import { severeFindings } from '../support/findings.ts';
import { exchangeRow } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const filter = (page: Page, what: string) => page.getByRole('textbox', { name: `Filter ${what}` });
const menu = (page: Page, name: string) => page.getByRole('menu', { name });
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });

const firstCells = (list: Locator) => list.locator('tbody tr td:first-child');

async function register(ready: Ready, client_id: string, client_name: string): Promise<void> {
  await ask(ready, 'POST', '/clients', {
    client_id,
    client_name,
    redirect_uris: ['http://localhost:5000/callback'],
  });
}

test('clients and users are filtered by every word and sorted by a heading, which keeps the default user; their menu opens by mouse and by Shift+F10, opens the editor, and restores the focus', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await register(ready, 'zoo', 'Animals');
  await register(ready, 'shop', 'Checkout');
  await bench.open('Clients');
  const list = region(page, 'Clients');
  await expect(firstCells(list)).toHaveCount(3);
  const given = await firstCells(list).allInnerTexts();
  const heading = list.getByRole('columnheader', { name: 'Name' });
  const press = () => heading.getByRole('button').click();
  await press();
  await expect(heading).toHaveAttribute('aria-sort', 'ascending');
  await expect(firstCells(list)).toHaveText(['Animals', 'Checkout', 'Demo application']);
  await press();
  await expect(heading).toHaveAttribute('aria-sort', 'descending');
  await expect(firstCells(list)).toHaveText(['Demo application', 'Checkout', 'Animals']);
  await press();
  await expect(heading).toHaveAttribute('aria-sort', 'none');
  await expect(firstCells(list)).toHaveText(given);
  await page.keyboard.press('ControlOrMeta+F');
  await expect(filter(page, 'clients')).toBeFocused();
  await page.keyboard.type('5000 SHOP');
  await expect(firstCells(list)).toHaveText(['Checkout']);
  await filter(page, 'clients').fill('nobody');
  await expect(list.getByRole('status')).toHaveText('No clients match “nobody”.');
  await page.keyboard.press('Escape');
  await expect(firstCells(list)).toHaveCount(3);

  const link = list.getByRole('link', { name: 'Checkout' });
  await link.focus();
  await page.keyboard.press('Shift+F10');
  await expect(menu(page, 'Client shop')).toBeVisible();
  await expect(item(page, 'Edit')).toBeFocused();
  expect(await severeFindings(page, menu(page, 'Client shop'))).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(menu(page, 'Client shop')).toBeHidden();
  await expect(link).toBeFocused();
  await link.click({ button: 'right' });
  await item(page, 'Duplicate').click();
  await expect(region(page, 'New client')).toBeVisible();
  await bench.open('Clients');
  await link.click({ button: 'right' });
  await item(page, 'Delete').click();
  const question = page.getByRole('dialog', { name: 'Delete shop?' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('shop is deleted')).toBeVisible();
  await expect(link).toBeHidden();
  // The row that takes the place of the deleted one has the focus, also after the notification is gone.
  await expect(list.getByRole('link', { name: 'Animals' })).toBeFocused();
  await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
  await expect(list.getByRole('link', { name: 'Animals' })).toBeFocused();

  await ask(ready, 'POST', '/users', { sub: 'zed', name: 'Zed', claims: { tenant: 'north' } });
  await bench.open('Users');
  const users = region(page, 'Users');
  await expect(firstCells(users)).toHaveCount(2);
  await users.getByRole('columnheader', { name: 'Subject' }).getByRole('button').click();
  await expect(firstCells(users)).toHaveText([/^ada\s*default$/, /^zed\s*$/]);
  await filter(page, 'users').fill('north');
  await expect(firstCells(users)).toHaveText([/^zed\s*$/]);
  await filter(page, 'users').fill('');

  // A long list draws its first rows; the focus goes to the first row that is added, and stays in the list.
  const subs = Array.from({ length: 120 }, (_, at) => `u${100 + at}`);
  await Promise.all(subs.map((sub) => ask(ready, 'POST', '/users', { sub })));
  const more = users.getByRole('button', { name: 'Show more (22 left)' });
  await more.press('Enter');
  await expect(more).toBeHidden();
  await expect(users.locator('tbody tr').nth(100).getByRole('link')).toBeFocused();

  await users.getByRole('link', { name: 'ada' }).click({ button: 'right' });
  await item(page, 'Edit').click();
  await expect(region(page, 'User ada')).toBeVisible();
  expect(errors).toEqual([]);
});

test('the menu of a token offers only actions that fit its state; an exchange has a menu, and its detail describes its marks in words', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await exchange(ready, await issueCode(ready));
  await bench.open('Tokens');
  const row = (id: string) => page.locator(`[id="token-${id}"]`);
  await row('1.1').click({ button: 'right' });
  await expect(menu(page, 'Code 1.1')).toBeVisible();
  await expect(item(page, 'Revoke…')).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(menu(page, 'Code 1.1')).toBeHidden();
  const grid = page.getByRole('grid', { name: 'Tokens' });
  await grid.press('Home');
  await expect(grid).toHaveAttribute('aria-activedescendant', 'token-1.3');
  await grid.press('Shift+F10');
  await expect(menu(page, 'Refresh token 1.3')).toBeVisible();
  await item(page, 'Revoke…').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(row('1.3')).toContainText('revoked');

  await ask(ready, 'POST', '/faults', { preset: 'throttled_twice' });
  await exchange(ready, await issueCode(ready));
  await bench.listExchanges();
  await exchangeRow(page, 2).click({ button: 'right' });
  await expect(menu(page, 'Exchange 2')).toBeVisible();
  await item(page, 'Pin to top').click();
  await expect(page.getByRole('rowgroup', { name: 'Pinned' })).toContainText('#2');
  await exchangeRow(page, 2).first().click();
  await expect(page).toHaveURL(/#\/traffic\/2$/);
  await expect(
    exchangeRow(page, 2)
      .first()
      .getByTitle(/^Injected fault/),
  ).toBeVisible();
  await page.getByRole('grid', { name: 'Exchanges' }).press('Shift+F10');
  await expect(item(page, 'Unpin')).toBeVisible();
});
