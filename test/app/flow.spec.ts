import { collectErrors } from '../support/console-errors.ts';
import { walkTheFlow } from '../support/walk.ts';
import { expect, issuerOf, test } from './launch.ts';

test('the window opens on the Flow view, and every step can be run', async ({ launch }) => {
  const { page, bench } = await launch();
  const errors = collectErrors(page);
  await bench.ready();
  await walkTheFlow(bench);
  expect(errors).toEqual([]);
});

test('registered clients and signing keys survive a restart of the window', async ({ launch }) => {
  const first = await launch();
  await first.bench.ready();
  await first.bench.open('Clients');
  await first.page.getByRole('button', { name: 'Register client' }).click();
  await first.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Checkout');
  await first.page
    .getByRole('button', { name: 'Register', exact: true })
    .or(first.page.getByRole('button', { name: 'Save' }))
    .click();
  await expect(first.page.getByText(/is registered/)).toBeVisible();
  const before = await keysOf(await issuerOf(first.page));
  await first.app.close();

  const second = await launch();
  await second.bench.ready();
  await second.bench.open('Clients');
  await expect(
    second.page
      .getByRole('cell', { name: /Checkout/ })
      .or(second.page.getByText('Checkout'))
      .first(),
  ).toBeVisible();
  expect(await keysOf(await issuerOf(second.page))).toEqual(before);
});

async function keysOf(issuer: string): Promise<unknown> {
  return (await fetch(`${issuer}/.well-known/jwks.json`)).json();
}
