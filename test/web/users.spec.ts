import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { ask } from '../support/token-calls.ts';
import { severeFindings } from '../support/findings.ts';
import { expect, test } from './serve.ts';

const list = (page: Page) => page.getByRole('region', { name: 'Users' });
const editor = (page: Page, sub: string) => page.getByRole('region', { name: `User ${sub}` });
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save' });

test('the service uses a user that is added and edited in the page, without an error on the console', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await bench.open('Users');
  await expect(list(page).getByRole('row').filter({ hasText: 'ada' })).toContainText('default');
  await page.getByRole('button', { name: 'Add user' }).click();
  await expect(field(page, 'Subject')).toBeFocused();
  await field(page, 'Subject').fill('bob');
  await field(page, 'Name').fill('Bob');
  await field(page, 'Custom claims').fill('{"role": "admin"}');
  await save(page).click();
  await expect(page.getByText('bob is added')).toBeVisible();
  await expect(editor(page, 'bob')).toBeVisible();
  await expect(field(page, 'Subject')).toHaveAttribute('readonly', '');
  await field(page, 'Email').fill('bob@example.test');
  await save(page).click();
  await expect(page.getByText('bob is saved')).toBeVisible();
  expect(await ask(ready, 'GET', '/users/bob')).toEqual({
    sub: 'bob',
    name: 'Bob',
    email: 'bob@example.test',
    has_password: false,
    claims: { role: 'admin' },
  });
  const row = list(page).getByRole('row').filter({ hasText: 'bob' });
  await expect(row).toContainText('Bob');
  for (const locked of [true, false]) {
    await page.getByRole('checkbox', { name: 'Locked' }).setChecked(locked);
    await save(page).click();
    await expect(row.getByText('locked')).toHaveCount(locked ? 1 : 0);
    const { locked: kept = false } = await ask<{ locked?: boolean }>(ready, 'GET', '/users/bob');
    expect(kept).toBe(locked);
  }
  expect(errors).toEqual([]);
});

test('behaviour 7.21: a password is set, never shown again, replaced, restored with its user at its former position, and removed; a duplicated user has a free subject', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  const ada = page.getByRole('link', { name: 'ada', exact: true });
  const password = page.getByLabel('Password', { exact: true });
  const inWorkspace = async () => {
    const { users } = await ask<{ users: { password: string | null }[] }>(
      ready,
      'GET',
      '/workspace',
    );
    return users[0]?.password;
  };
  await ask(ready, 'PATCH', '/users/ada', { claims: { role: 'admin' } });
  await ask(ready, 'POST', '/users', { sub: 'bob' });
  await bench.open('Users');
  await ada.click();
  await expect(editor(page, 'ada')).toBeVisible();
  await password.fill('correct horse');
  await save(page).click();
  await expect(page.getByText('ada is saved')).toBeVisible();
  await expect(page.getByText('A password is set and not shown.')).toBeVisible();
  await expect(password).toHaveValue('');
  await expect(page.getByText('Nothing to save')).toBeVisible();
  expect(await inWorkspace()).toBe('correct horse');
  await field(page, 'Name').fill('Ada');
  await save(page).click();
  await expect(page.getByText('Nothing to save')).toBeVisible();
  await expect(list(page).getByRole('row').filter({ has: ada })).not.toContainText('Example');
  expect(await inWorkspace()).toBe('correct horse');

  const before = await ask(ready, 'GET', '/users');
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('ada is deleted')).toBeVisible();
  await expect(ada).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('ada is restored')).toBeVisible();
  expect(await ask(ready, 'GET', '/users')).toEqual(before);
  expect(await inWorkspace()).toBe('correct horse');
  await ada.click();
  await expect(field(page, 'Custom claims')).toHaveValue(/"role": "admin"/);
  await page.getByRole('checkbox', { name: 'Remove the password' }).check();
  await expect(password).toBeDisabled();
  await save(page).click();
  await expect(page.getByRole('checkbox', { name: 'Remove the password' })).toBeHidden();
  expect(await inWorkspace()).toBe(null);

  await page.getByRole('button', { name: 'Duplicate' }).click();
  await expect(field(page, 'Subject')).toHaveValue('ada-2');
  await expect(field(page, 'Name')).toHaveValue('Ada (copy)');
  await save(page).click();
  await expect(editor(page, 'ada-2')).toBeVisible();
  await expect(field(page, 'Custom claims')).toHaveValue(/"role": "admin"/);
});

test('the empty view adds a user by one button; others need only the keyboard, and the focus returns to the row; on leaving, invalid claims are reported with their line, a used subject at its field, and the input is kept, accessibly', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await ask(ready, 'DELETE', '/users/ada');
  await bench.open('Users');
  await expect(page.getByText('No users', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Add user' }).click();
  await field(page, 'Subject').fill('eve');
  await page.keyboard.press('Enter');
  await expect(list(page).getByRole('link', { name: 'eve' })).toBeVisible();

  await page.keyboard.press('Alt+u');
  await expect(field(page, 'Subject')).toBeFocused();
  await page.keyboard.type('fay');
  await page.keyboard.press('Enter');
  await expect(editor(page, 'fay')).toBeVisible();
  await page.getByRole('button', { name: 'Close the editor' }).press('Enter');
  await expect(list(page).getByRole('link', { name: 'fay' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(editor(page, 'fay')).toBeVisible();

  const typed = '{\n  "role": "admin",\n}';
  await field(page, 'Custom claims').fill(typed);
  await field(page, 'Name').focus();
  await expect(editor(page, 'fay').getByText(/Line 3 is not JSON: /)).toBeVisible();
  await expect(field(page, 'Custom claims')).toHaveAttribute('aria-invalid', 'true');
  await expect(field(page, 'Custom claims')).toHaveValue(typed);
  for (const size of [
    { width: 640, height: 400 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size);
    await expect(editor(page, 'fay')).toBeVisible();
    expect(await severeFindings(page, editor(page, 'fay'))).toEqual([]);
  }
  await save(page).click();
  await expect(field(page, 'Custom claims')).toBeFocused();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('Nothing to save')).toBeVisible();

  await page.getByRole('button', { name: 'Add user' }).click();
  await field(page, 'Subject').fill('fay');
  await field(page, 'Name').fill('Another Fay');
  await save(page).click();
  await expect(page.getByText('The user "fay" already exists.')).toBeVisible();
  await expect(field(page, 'Subject')).toBeFocused();
  await expect(field(page, 'Subject')).toHaveAttribute('aria-invalid', 'true');
  await expect(field(page, 'Name')).toHaveValue('Another Fay');
  await field(page, 'Subject').fill('fay-two');
  await save(page).click();
  await expect(page.getByText('fay-two is added')).toBeVisible();
});

test('an editor with unsaved edits stays open when its record is deleted elsewhere, says so, and creates it again or discards the edits; without edits it closes', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  const again = page.getByRole('button', { name: 'Create again' });
  const deletedElsewhere = async (path: string) => {
    await ask(ready, 'DELETE', path);
    await expect(page.getByText('Deleted elsewhere')).toBeVisible();
  };
  await ask(ready, 'POST', '/users', { sub: 'bob', email: 'bob@example.test' });
  await bench.open('Users');
  await list(page).getByRole('link', { name: 'bob' }).click();
  await field(page, 'Name').fill('Bob');
  await deletedElsewhere('/users/bob');
  await expect(page.getByRole('region', { name: 'Deleted user bob' })).toBeVisible();
  await expect(field(page, 'Name')).toHaveValue('Bob');
  await again.click();
  await expect(page.getByText('bob is added')).toBeVisible();
  await expect(editor(page, 'bob')).toBeVisible();
  const bob = { sub: 'bob', name: 'Bob', email: 'bob@example.test' };
  expect(await ask(ready, 'GET', '/users/bob')).toMatchObject(bob);

  await field(page, 'Name').fill('Robert');
  await deletedElsewhere('/users/bob');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(field(page, 'Name')).toBeHidden();

  // Deleted in this page, which has asked for it: nothing is left to save.
  await list(page).getByRole('link', { name: 'ada' }).click();
  await field(page, 'Name').fill('Ada');
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('ada is deleted')).toBeVisible();
  await expect(field(page, 'Name')).toBeHidden();

  await ask(ready, 'POST', '/users', { sub: 'eve' });
  await list(page).getByRole('link', { name: 'eve' }).click();
  await expect(editor(page, 'eve')).toBeVisible();
  await ask(ready, 'DELETE', '/users/eve');
  await expect(editor(page, 'eve')).toBeHidden();

  await bench.open('Clients');
  await page.getByRole('link', { name: 'Demo application' }).click();
  await field(page, 'Name').fill('My app');
  await deletedElsewhere('/clients/demo-app');
  await again.click();
  await expect(page.getByText('demo-app is registered')).toBeVisible();
  expect(await ask(ready, 'GET', '/clients/demo-app')).toMatchObject({ client_name: 'My app' });

  await bench.open('Settings');
  await page.getByRole('link', { name: 'APIs', exact: true }).click();
  await page.getByRole('button', { name: 'Edit orders' }).click();
  await field(page, 'Audience').fill('https://orders.example');
  await deletedElsewhere('/apis/orders');
  await again.click();
  await expect(page.getByText('orders is saved')).toBeVisible();
  const orders = { audience: 'https://orders.example' };
  expect(await ask(ready, 'GET', '/apis/orders')).toMatchObject(orders);
});

test('signing a user out sends a logout token, which Traffic shows and sends again', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  const tokens: string[] = [];
  const app = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => tokens.push(text));
    request.on('end', () => response.writeHead(tokens.length === 1 ? 200 : 400).end());
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  const { port } = app.address() as AddressInfo;
  await bench.open('Clients');
  await page.getByRole('link', { name: 'Demo application' }).click();
  await page.getByLabel('Back-channel logout URI').fill(`http://127.0.0.1:${port}/logout`);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/is saved/)).toBeVisible();
  await bench.open('Users');
  await page.getByRole('link', { name: 'ada', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByText('ada is signed out; 1 app accepted the logout token')).toBeVisible();
  const [sent] = await ask<{ items: { number: number }[] }>(ready, 'GET', '/exchanges').then(
    ({ items }) => items,
  );
  await page.goto(`${new URL(page.url()).origin}/#/traffic/${sent?.number}`);
  await page.getByRole('button', { name: 'Resend' }).click();
  await expect(page.getByText(`Exchange ${sent?.number} was resent as`)).toBeVisible();
  expect(tokens).toHaveLength(2);
  expect(tokens[1]).toBe(tokens[0]);
  app.close();
});
