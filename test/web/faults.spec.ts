// Faults in the page: presets in one click; rules that are ordered, tried, edited and restored.

import type { Locator, Page } from '@playwright/test';
import { ask, exchange, issueCode } from '../support/token-calls.ts';
import { severeFindings } from '../support/findings.ts';
import { runCommand } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

const TWICE = '429 twice, then normal responses';

const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const rules = (page: Page) => page.getByRole('rowheader').getByRole('link');
async function activate(page: Page, name: string): Promise<void> {
  const preset = page.getByRole('button', { name: `Activate: ${name}`, exact: true });
  const more = page.getByRole('button', { name: /^\d+ more presets$/ });
  await expect(preset.or(more).first()).toBeVisible();
  if ((await preset.count()) === 0) await more.click();
  await preset.click();
}
const queue = (page: Page) => page.getByRole('region', { name: 'Upcoming responses' });
const mark = (page: Page) => page.getByRole('banner').getByRole('link', { name: /active$/ });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const tried = (page: Page, name: string): Locator =>
  page.getByRole('status', { name: `Test result: ${name}` });

test('six presets are shown, the others are folded; a preset is activated in one click, counts its hits and is shown as a queue; a rule is tried with a matching request, and the response is shown below it until the sandbox is reset', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await bench.open('Faults');
  await expect(page.getByText('No faults active')).toBeVisible();
  const presets = page.getByRole('button', { name: /^Activate: / });
  await expect(presets).toHaveCount(6);
  await expect(presets.filter({ hasText: TWICE })).toContainText('2 times');
  const more = page.getByRole('button', { name: /^\d+ more presets$/ });
  const folded = Number(/\d+/.exec(await more.innerText())?.[0]);
  await more.click();
  await expect(presets).toHaveCount(6 + folded);

  await activate(page, TWICE);
  const row = rowOf(page, TWICE);
  await expect(row).toContainText('POST /oauth/token');
  await expect(row).toContainText('429 too_many_requests');
  await expect(queue(page)).toContainText(/2 × 429.*then normal responses/);
  const code = await issueCode(ready);
  expect((await exchange(ready, code)).status).toBe(429);
  await expect(row).toContainText('1 of 2');
  await expect(queue(page)).toContainText('1 × 429');
  expect((await exchange(ready, code)).status).toBe(429);
  await expect(row).toContainText('used up');
  await expect(row.getByRole('switch', { name: `${TWICE}: active` })).not.toBeChecked();
  await expect(queue(page)).toContainText('No faults active');
  expect((await exchange(ready, code)).status).toBe(200);
  await page.getByRole('button', { name: `Activate again: ${TWICE}` }).click();
  await expect(row).toContainText('2 of 2');
  await expect(row.getByRole('switch', { name: `${TWICE}: active` })).toBeChecked();
  // What applies by chance and without a limit never ends.
  await activate(page, '503 for one in five');
  await expect(queue(page)).toContainText(/1 in 5: 503.*otherwise normal responses/);
  await expect(row.getByRole('cell', { name: '2', exact: true })).toBeVisible();

  await runCommand(page, 'turn off all');
  await expect(queue(page)).toContainText('No faults active');
  for (const name of ['500 server_error', 'Connection dropped', 'expires_in as a string']) {
    await activate(page, name);
  }
  await button(page, 'Test: 500 server_error').click();
  await expect(tried(page, '500 server_error')).toContainText('Sent 500 without evaluating');
  await page.getByRole('button', { name: 'Show response' }).click();
  await expect(page.getByRole('region', { name: /^response/ })).toContainText('"server_error"');
  await button(page, 'Test: Connection dropped').click();
  await expect(tried(page, 'Connection dropped')).toContainText('no response');
  await button(page, 'Test: expires_in as a string').click();
  const bent = tried(page, 'expires_in as a string');
  await expect(bent).toContainText('200');
  await bent.getByRole('button', { name: 'Show response' }).click();
  await expect(bent).toContainText('"expires_in":"86400"');
  await expect(bent).not.toContainText('eyJ');
  const silent = 'No response for 30 s, then dropped';
  await activate(page, silent);
  await button(page, `Test: ${silent}`).click();
  await expect(tried(page, silent)).toContainText('waiting for the response');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(tried(page, silent)).toBeHidden();
  await ask(ready, 'POST', '/reset', {});
  await expect(bent).toBeHidden();
  await ask(ready, 'POST', '/server/stop');
  await activate(page, 'Slow response (5 s)');
  const stopped = button(page, 'Test: Slow response (5 s)');
  await expect(stopped).toBeDisabled();
  await expect(stopped).toHaveAttribute('title', 'The server is stopped. Start it first.');
  expect(errors).toEqual([]);
});

test('behaviour 8: an active rule shows a notice in every view that links to the rules; a request without a response is no success; a form edits every member of a rule, with each problem at its field', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await expect(mark(page)).toBeHidden();
  await runCommand(page, 'preset: connection dropped');
  await expect(page.getByText('“Connection dropped” is active')).toBeVisible();
  await expect(mark(page)).toHaveAccessibleName('1 fault active');

  await mark(page).click();
  await expect(rules(page)).toHaveText(['Connection dropped']);
  await runCommand(page, 'turn off all');
  const alert = page.getByRole('alert').filter({ hasText: '1 fault turned off' });
  await expect(alert).toBeVisible();
  await expect(mark(page)).toBeHidden();
  await alert.getByRole('button', { name: 'Undo' }).click();
  await expect(mark(page)).toHaveAccessibleName('1 fault active');

  await bench.open('Flow');
  await bench.run('Exchange the code');
  const step = bench.step('Exchange the code');
  await expect(step).toContainText('no response');
  await expect(step).toContainText('Closed the connection without evaluating the request.');
  await expect(page.getByRole('option', { name: /no response/ })).toBeVisible();
  const why = await bench.detail('Why');
  await expect(why.getByRole('region', { name: 'Fault' })).toContainText('Connection dropped');
  await expect(await bench.detail('Response')).toContainText('No response was sent.');

  await bench.open('Faults');
  await button(page, 'New rule').click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Sold out');
  await page.getByLabel('Status').fill('199');
  await page.getByRole('combobox', { name: 'Path' }).fill('oauth');
  await page.getByLabel('Times').fill('0');
  await button(page, 'Save').click();
  await expect(page.getByText('Must be at least 200: a lower one is not a final')).toBeVisible();
  await expect(page.getByText('Must begin with /.')).toBeVisible();
  await expect(page.getByLabel('Status')).toBeFocused();
  await page.getByLabel('Status').fill('418');
  await page.getByRole('combobox', { name: 'Path' }).fill('/oauth/*');
  await page.getByRole('combobox', { name: 'Grant' }).fill('refresh_token');
  await page.getByRole('combobox', { name: 'Client' }).fill('checkout');
  await page.getByLabel('Times').fill('7');
  await page.getByLabel('Probability').fill('0.5');
  await page.getByLabel('Seed').fill('42');
  await page.getByLabel('Delay in milliseconds').fill('20');
  await page.getByLabel('Value of header 1').fill('text/plain');
  await page.getByLabel('Body').fill('teapot');
  await button(page, 'Save').click();
  await expect(page.getByText('“Sold out” is saved and active')).toBeVisible();
  const { items } = await ask<{ items: unknown[] }>(ready, 'GET', '/faults');
  expect(items).toMatchObject([
    { name: 'Connection dropped' },
    {
      name: 'Sold out',
      enabled: true,
      when: 'instead',
      match: {
        path: '/oauth/*',
        method: 'POST',
        grant_type: 'refresh_token',
        client_id: 'checkout',
      },
      times: 7,
      probability: 0.5,
      seed: 42,
      delay_ms: 20,
      effect: {
        kind: 'answer',
        status: 418,
        headers: [['Content-Type', 'text/plain']],
        body: 'teapot',
      },
    },
  ]);
});

test('an active client check is beside the rules, and none of them; a rule that can never apply after another says so; changing the kind of effect keeps the input, and leaving asks first', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await ask(ready, 'POST', '/client-checks', { case: 'token-500' });
  await bench.open('Faults');
  const notice = page.getByRole('alert').filter({ hasText: 'Client check active' });
  await expect(notice).toContainText('It has not been sent yet.');
  await expect(page.getByText('No fault rules', { exact: true })).toBeVisible();
  expect((await exchange(ready, await issueCode(ready))).status).toBe(500);
  await expect(notice).toContainText(/First sent in exchange #\d+\./);
  await button(page, 'Show the case').click();
  await expect(page.getByRole('region', { name: 'Case', exact: true })).toContainText(
    'Token endpoint fails',
  );

  const down = { name: 'Down', when: 'instead', effect: { kind: 'answer', status: 503 } };
  await ask(ready, 'POST', '/faults', down);
  await ask(ready, 'POST', '/faults', { preset: 'cut' });
  await bench.open('Faults');
  await expect(rowOf(page, 'Response cut off in the middle')).toContainText(
    'Never applied: “Down” matches all of these first',
  );
  await expect(queue(page)).toContainText('every time 503');
  await button(page, 'Turn all off').click();
  await expect(queue(page)).toHaveText('No fault rules active.');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(queue(page)).toContainText('every time 503');

  await rules(page).first().click();
  await page.getByLabel('Body').fill('mine');
  const effect = page.getByRole('combobox', { name: 'Effect' });
  const choose = async (name: string) => {
    await effect.click();
    await page.getByRole('option', { name }).click();
  };
  await choose('Send the body slowly');
  await expect(page.getByText('evaluated first: its code or token is consumed')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'After validation' })).toBeChecked();
  await page.getByLabel('Duration in milliseconds').fill('3000');
  await choose('Send a scripted response');
  await expect(page.getByLabel('Body')).toHaveValue('mine');
  await expect(page.getByRole('radio', { name: 'Before validation' })).toBeChecked();
  await button(page, 'Close the editor').click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Body')).toHaveValue('mine');
  await choose('Change expires_in');
  await page.getByText('Huge', { exact: true }).click();
  await button(page, 'Save').click();
  await expect(page.getByText(/is saved and active/)).toBeVisible();
  const { items } = await ask<{ items: unknown[] }>(ready, 'GET', '/faults');
  expect(items).toMatchObject([
    { name: 'Down', when: 'after', effect: { kind: 'expires_in', as: 'huge' } },
    { name: 'Response cut off in the middle' },
  ]);
});

test('behaviour 8: the first matching rule applies; rules are reordered by button and by key, even twice before a response, duplicated, deleted and restored in their place; a full list offers no preset', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await bench.open('Faults');
  for (const name of ['503 three times', TWICE, '500 server_error']) await activate(page, name);
  await expect(rules(page)).toHaveText(['503 three times', TWICE, '500 server_error']);
  const up = page.getByRole('button', { name: `Move up: ${TWICE}` });
  await up.click();
  await expect(rules(page)).toHaveText([TWICE, '503 three times', '500 server_error']);
  await expect(up).toBeFocused();
  await up.press('Alt+ArrowDown');
  await expect(rules(page)).toHaveText(['503 three times', TWICE, '500 server_error']);
  const down = page.getByRole('button', { name: `Move down: ${TWICE}` });
  await expect(down).toBeFocused();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(rules(page)).toHaveText(['503 three times', '500 server_error', TWICE]);
  await expect(page.getByText(`${TWICE} is now rule 3 of 3`)).toBeAttached();
  await expect(down).toBeFocused();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(rules(page)).toHaveText(['503 three times', '500 server_error', TWICE]);

  await rowOf(page, '503 three times').evaluate((row) => {
    const key = { key: 'ArrowDown', altKey: true, bubbles: true };
    for (const press of [key, key]) row.dispatchEvent(new KeyboardEvent('keydown', press));
  });
  await expect(rules(page)).toHaveText(['500 server_error', TWICE, '503 three times']);

  await button(page, `Delete: ${TWICE}`).click();
  await expect(rules(page)).toHaveText(['500 server_error', '503 three times']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rules(page)).toHaveText(['500 server_error', TWICE, '503 three times']);
  await rules(page).first().click();
  await button(page, 'Duplicate').click();
  await button(page, 'Save').click();
  const all = ['500 server_error', TWICE, '503 three times', '500 server_error (copy)'];
  await expect(rules(page)).toHaveText(all);
  await button(page, 'More for all rules').click();
  await page.getByRole('menuitem', { name: 'Delete all rules' }).click();
  await expect(page.getByText('No faults active')).toBeVisible();
  await page
    .getByRole('alert')
    .filter({ hasText: '4 rules deleted' })
    .getByRole('button', { name: 'Undo' })
    .click();
  await expect(rules(page)).toHaveText(all);

  // Where the list is not drawn for each of them.
  await bench.open('Devices');
  await Promise.all(
    Array.from({ length: 196 }, () =>
      ask(ready, 'POST', '/faults', { preset: 'cut', enabled: false }),
    ),
  );
  await bench.open('Faults');
  await expect(page.getByText('A workspace can have 200 rules at most.')).toBeVisible();
  await expect(button(page, `Activate: ${TWICE}`)).toBeDisabled();
  await expect(button(page, 'New rule')).toBeDisabled();
  await expect(rules(page)).toHaveCount(50);
  await page.getByRole('button', { name: 'Show all (150 rules left)' }).click();
  await expect(rules(page)).toHaveCount(200);
});

test('everything is reachable at 900 by 600, and rules, their editor and the result of a trial have no serious accessibility finding', async ({
  page,
  bench,
}) => {
  test.slow();
  await page.setViewportSize({ width: 900, height: 600 });
  await bench.open('Faults');
  await activate(page, TWICE);
  await rules(page).first().click();
  for (const name of ['Fault rules', `Rule ${TWICE}`]) {
    const pane = page.getByRole('region', { name, exact: true });
    const overflow = () => pane.evaluate((element) => element.scrollWidth - element.clientWidth);
    await expect.poll(overflow, name).toBe(0);
  }
  await expect(button(page, 'Save')).toBeInViewport();
  await button(page, 'Close the editor').click();
  for (const what of ['Test', 'Move down', 'Delete']) {
    await expect(button(page, `${what}: ${TWICE}`)).toBeInViewport();
  }

  await page.setViewportSize({ width: 1280, height: 720 });
  for (const name of ['Connection dropped', '503 for one in five']) {
    await activate(page, name);
  }
  const active = page.getByRole('switch', { name: 'Connection dropped: active' });
  await active.click();
  // The switch follows the service, which must respond first.
  await expect(active).not.toBeChecked();
  await button(page, `Test: ${TWICE}`).click();
  await page.getByRole('button', { name: 'Show response' }).click();
  await expect(page.getByRole('region', { name: /^response/ })).toBeVisible();
  expect.soft(await severeFindings(page, 'all'), 'the rules').toEqual([]);
  await rules(page).first().click();
  await page.getByLabel('Status').fill('1');
  await button(page, 'Save').click();
  await expect(page.getByLabel('Status')).toHaveAttribute('aria-invalid', 'true');
  const editor = page.getByRole('region', { name: `Rule ${TWICE}` });
  expect.soft(await severeFindings(page, editor), 'the editor with a problem').toEqual([]);
});
