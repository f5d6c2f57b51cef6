import { walkTheFlow } from '../support/walk.ts';
import { exchange, issueCode, refresh } from '../support/token-calls.ts';
import { exchangeDetail, runCommand } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

test('the whole flow can be clicked through without an error on the console', async ({
  bench,
  errors,
}) => {
  await walkTheFlow(bench);
  expect(errors).toEqual([]);
});

test('the walk has the steps of the grant only, and the client step has no Run button', async ({
  bench,
}) => {
  const { page } = bench;
  await bench.runAll();
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
});

test('a client registered in the page can be used in the flow', async ({ bench, errors }) => {
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
  await bench.open('Flow');
  await bench.runAll();
  await expect(bench.step('Exchange the code')).toContainText('200');
  expect(errors).toEqual([]);
});

test('the flow can be run with the keyboard alone', async ({ bench }) => {
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
  await runCommand(page, 'throttling');
  await expect(page.getByRole('region', { name: 'Throttle counters' })).toBeVisible();
});

test('steps and messages are selected together, and a complete run ends at the token', async ({
  bench,
}) => {
  const { page } = bench;
  await bench.runAll();
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
});

test('the actions of another program appear by themselves', async ({ bench, ready }) => {
  const { refresh_token } = (await (await exchange(ready, await issueCode(ready))).json()) as {
    refresh_token: string;
  };
  await bench.open('Throttling');
  await refresh(ready, refresh_token);
  const row = bench.page.getByRole('row').filter({ hasText: 'refresh token' });
  await expect(row).toContainText('1 of 30');
  await refresh(ready, refresh_token);
  await expect(row).toContainText('2 of 30');
});

test('a button looks enabled as soon as it can be pressed again', async ({ bench }) => {
  await bench.page.emulateMedia({ reducedMotion: 'no-preference' });
  const opacity = await bench.page
    .getByRole('button', { name: 'Run all', exact: true })
    .evaluate(async (button) => {
      button.setAttribute('aria-disabled', 'true');
      await Promise.all(button.getAnimations().map((fading) => fading.finished));
      const busy = getComputedStyle(button).opacity;
      button.removeAttribute('aria-disabled');
      return { busy, idle: getComputedStyle(button).opacity };
    });
  expect(opacity).toEqual({ busy: '0.5', idle: '1' });
});

test.describe('with an issuer that has a path', () => {
  test.use({ engine: { issuer: 'http://login.localhost/tenant' } });

  test('behaviour 7.12: every step sends its request below the issuer', async ({ bench }) => {
    const { page } = bench;
    await bench.runAll();
    const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
    await expect(steps.filter({ hasText: 'done' })).toHaveCount(6);
    const messages = page.getByRole('listbox', { name: 'Messages of this flow, oldest first' });
    await expect(messages.getByRole('option').filter({ hasText: 'userinfo' })).toContainText(
      '/tenant/userinfo',
    );
    await expect(messages.getByRole('option').filter({ hasText: '/tenant/.well-' })).toContainText(
      '200',
    );
  });
});
