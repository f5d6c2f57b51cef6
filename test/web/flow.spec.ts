import { walkTheFlow } from '../support/walk.ts';
import { ask, DEMO, exchange, issueCode, refresh } from '../support/token-calls.ts';
import { exchangeDetail, runCommand } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

test('the whole flow can be clicked through without an error on the console, and the actions of another program appear by themselves', async ({
  bench,
  ready,
  errors,
}) => {
  await walkTheFlow(bench);

  const { refresh_token } = (await (await exchange(ready, await issueCode(ready))).json()) as {
    refresh_token: string;
  };
  await bench.open('Throttling');
  await refresh(ready, refresh_token);
  const row = bench.page.getByRole('row').filter({ hasText: 'refresh token' });
  await expect(row).toContainText('1 of 30');
  await refresh(ready, refresh_token);
  await expect(row).toContainText('2 of 30');
  expect(errors).toEqual([]);
});

test('the flow can be run with the keyboard alone, and a button looks enabled as soon as it can be pressed again', async ({
  bench,
}) => {
  const { page } = bench;
  const focused = (name: string) => page.getByRole('button', { name, exact: true });
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 60; presses += 1) {
      if (
        await focused(name).evaluateAll((found) =>
          found.some((one) => one === document.activeElement),
        )
      )
        return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`${name} cannot be reached with Tab`);
  };
  for (const step of ['Issue a code', 'Exchange the code', 'Refresh'] as const) {
    await tabTo(`Run: ${step}`);
    await page.keyboard.press('Enter');
    await expect(bench.step(step)).toContainText(step === 'Issue a code' ? '303' : '200');
    await expect(focused('Run all')).toBeEnabled();
  }

  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const opacity = await focused('Run all').evaluate(async (button) => {
    button.setAttribute('aria-disabled', 'true');
    await Promise.all(button.getAnimations().map((fading) => fading.finished));
    const busy = getComputedStyle(button).opacity;
    button.removeAttribute('aria-disabled');
    return { busy, idle: getComputedStyle(button).opacity };
  });
  expect(opacity).toEqual({ busy: '0.5', idle: '1' });
  await page.emulateMedia({ reducedMotion: 'reduce' });

  await runCommand(page, 'throttling');
  await expect(page.getByRole('region', { name: 'Throttle counters' })).toBeVisible();
});

test('a client registered in the page runs the steps of the grant, which are selected together with their messages', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await bench.open('Clients');
  await page.getByRole('button', { name: 'Register client' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Checkout');
  await page
    .getByRole('textbox', { name: 'Redirect URI' })
    .first()
    .fill('http://localhost:5000/cb');
  await page
    .getByRole('button', { name: 'Register', exact: true })
    .or(page.getByRole('button', { name: 'Save' }))
    .click();
  await expect(page.getByText(/is registered/)).toBeVisible();
  await ask(ready, 'DELETE', `/clients/${DEMO.client_id}`);
  await bench.open('Flow');
  await expect(bench.step('Client')).toContainText('Checkout');
  await bench.runAll();
  await expect(bench.step('Exchange the code')).toContainText('200');

  // The client step sends nothing.
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  const buttons = steps.getByRole('button', { name: /^(?:Run|Break it): / });
  const names = await buttons.evaluateAll((all) =>
    all.map((button) => button.getAttribute('aria-label')),
  );
  expect(names).toEqual([
    'Run: Issue a code',
    'Break it: Issue a code',
    'Run: Exchange the code',
    'Break it: Exchange the code',
    'Run: Read the token',
    'Run: Refresh',
    'Break it: Refresh',
    'Run: Call an API with it',
    'Break it: Call an API with it',
  ]);
  await expect(steps).toHaveCount(6);

  // A complete run ends at the token.
  const tab = (name: string) => exchangeDetail(page).getByRole('tab', { name, exact: true });
  await expect(tab('Token')).toHaveAttribute('aria-selected', 'true');
  await expect(exchangeDetail(page).getByText('Signature verified')).toBeVisible();
  await expect(bench.step('Read the token')).toHaveAttribute('aria-current', 'step');

  await bench
    .step('Exchange the code')
    .getByRole('button', { name: 'Exchange the code', exact: true })
    .click();
  const selected = page.getByRole('option', { selected: true });
  await expect(selected).toHaveAccessibleName(/POST \/oauth\/token · code/);
  await page.getByRole('option', { name: /GET \/userinfo/ }).click();
  await expect(bench.step('Call an API with it')).toHaveAttribute('aria-current', 'step');
  await expect(tab('Why')).toHaveAttribute('aria-selected', 'true');
  expect(errors).toEqual([]);
});

test('a cleared sequence is restored, but neither over a newer one nor after a reset of the sandbox', async ({
  bench,
}) => {
  const { page } = bench;
  const clear = () => page.getByRole('button', { name: 'Clear', exact: true }).click();
  const undo = () => page.getByRole('button', { name: 'Undo', exact: true }).click();
  const card = bench.step('Issue a code');
  await bench.run('Issue a code');
  await clear();
  await undo();
  await expect(card).toContainText('for ada');

  await clear();
  await bench.run('Exchange the code');
  await undo();
  await expect(page.getByText('Another sequence has begun.')).toBeVisible();
  await expect(bench.step('Exchange the code')).toContainText('200');

  await clear();
  await runCommand(page, 'reset the sandbox');
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await expect(page.getByText('The sandbox was reset.')).toHaveCount(0);
  await undo();
  await expect(page.getByText('The sandbox was reset.')).toBeVisible();
  await expect(card).toContainText('not run');
});

test('the card of the client shows it as it is now, whatever a run has read, and says when the picked client is gone', async ({
  page,
  bench,
  ready,
}) => {
  const card = bench.step('Client');
  await bench.runAll();
  await ask(ready, 'PATCH', '/clients/demo-app', { client_name: 'Renamed' });
  await expect(card).toContainText('Renamed · 1 redirect URI');
  await ask(ready, 'DELETE', '/clients/demo-app');
  await expect(card).toContainText('No client is registered');
  await bench.runAll();
  await ask(ready, 'POST', '/clients', { client_id: 'later', client_name: 'Later' });
  await expect(card).toContainText('Later · 0 redirect URIs');

  const redirect_uris = ['http://localhost:3000/callback'];
  for (const client_id of ['usual', 'picked'])
    await ask(ready, 'POST', '/clients', { client_id, redirect_uris });
  await card.getByRole('button', { name: 'Edit' }).click();
  await card.getByRole('combobox', { name: 'Client' }).click();
  await page.getByRole('option', { name: 'picked' }).click();
  await bench.runAll();
  await expect(card).toContainText('No name · 1 redirect URI');
  await ask(ready, 'DELETE', '/clients/picked');
  await expect(card).toContainText('picked is not registered; this client is used instead');
});
