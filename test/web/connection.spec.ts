import type { WebSocketRoute } from '@playwright/test';
import { createServer } from 'node:net';
import { startCli, stopCli, type CliProcess, type Ready } from '../support/cli-process.ts';
import { ask } from '../support/token-calls.ts';
import { lookFor, VIEWS, workbench, type ViewName } from '../support/workbench.ts';
import { addressOf, expect, openBench, testWithProcess as test } from './serve.ts';

test('the token is removed from the address at once, and the page keeps working', async ({
  page,
  bench,
  ready,
}) => {
  expect(page.url()).not.toContain(ready.control.token);
  await page.reload();
  await bench.ready();
  await bench.runAll();
  expect(page.url()).not.toContain(ready.control.token);
});

test('a page without a token says where to find one', async ({ page, ready }) => {
  await page.goto(ready.control.url);
  await expect(page.getByText('Open the address that Grantbench printed')).toBeVisible();
});

test('a wrong token is rejected with the same message', async ({ page, ready }) => {
  await page.goto(`${ready.control.url}/#token=wrong`);
  await expect(page.getByText('Open the address that Grantbench printed')).toBeVisible();
});

test('a page without a token accepts a pasted token or a pasted address with one', async ({
  page,
  ready,
}) => {
  const field = page.getByLabel('Control token', { exact: true });
  const connect = page.getByRole('button', { name: 'Connect', exact: true });
  await page.goto(ready.control.url);
  await expect(connect).toBeDisabled();
  await field.fill('wrong');
  await connect.click();
  await expect(page.getByText('This token was rejected.')).toBeVisible();
  await field.fill(addressOf(ready));
  await connect.click();
  await workbench(page).ready();
  expect(page.url()).not.toContain(ready.control.token);
});

test('a reload keeps the view', async ({ page, bench }) => {
  await bench.open('Throttling');
  await page.reload();
  await bench.ready();
  await expect(page.getByRole('link', { name: 'Throttling' })).toHaveAttribute(
    'aria-current',
    'page',
  );
});

async function restarted(
  cli: CliProcess,
  ready: Ready,
  env: NodeJS.ProcessEnv,
): Promise<CliProcess> {
  await stopCli(cli);
  const [port = '', control = ''] = [ready.issuer, ready.control.url].map(
    (url) => new URL(url).port,
  );
  const args = ['serve', '--json', '--quiet', '--port', port, '--control-port', control];
  return startCli(args, env);
}

test('the page reports a lost connection, and reconnects to a restarted server with the same token', async ({
  page,
  bench,
  cli,
  ready,
}) => {
  await stopCli(cli);
  await expect(page.getByText('Connection lost')).toBeVisible();
  const env = { GRANTBENCH_CONTROL_TOKEN: ready.control.token };
  const next = await restarted(cli, ready, env);
  try {
    await expect(page.getByText('Connection lost')).toBeHidden({ timeout: 30_000 });
    await bench.ready();
    await bench.runAll();
    await expect(bench.step('Refresh')).toContainText('200');
  } finally {
    await stopCli(next);
  }
});

test('for a server with a new token, the page keeps the input and asks for the token in a dialog', async ({
  page,
  bench,
  cli,
  ready,
}) => {
  await bench.open('Clients');
  await page.getByRole('button', { name: 'Register client' }).click();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Typed before the restart');
  const next = await restarted(cli, ready, {});
  try {
    const fresh = await next.ready();
    const asks = page.getByRole('dialog', { name: 'Enter the new control token' });
    const field = asks.getByLabel('Control token', { exact: true });
    await expect(field).toBeVisible();
    await expect(asks).toContainText('What you typed here is kept.');
    await expect(asks).toContainText('This token was rejected.');

    await page.keyboard.press('Escape');
    await expect(asks).toBeHidden();
    await expect(page.getByRole('main')).toContainText('Control token rejected');
    await expect(name).toHaveValue('Typed before the restart');
    await page.getByRole('button', { name: 'Enter the new token' }).click();

    await field.fill('wrong');
    await asks.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(asks).toContainText('This token was rejected.');
    await field.fill(addressOf(fresh));
    await field.press('Enter');
    await bench.ready();
    await expect(asks).toBeHidden();
    await expect(name).toHaveValue('Typed before the restart');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('link', { name: 'Typed before the restart' })).toBeVisible();
  } finally {
    await stopCli(next);
  }
});

test('opening the address of a restarted server in the same tab keeps the input', async ({
  page,
  bench,
  cli,
  ready,
}) => {
  await bench.open('Users');
  await page.getByRole('button', { name: 'Add user' }).click();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Typed before the restart');
  const next = await restarted(cli, ready, {});
  try {
    const fresh = await next.ready();
    await page.evaluate((hash) => (location.hash = hash), new URL(addressOf(fresh)).hash);
    await bench.ready();
    await expect(name).toHaveValue('Typed before the restart');
    expect(page.url()).not.toContain(fresh.control.token);
  } finally {
    await stopCli(next);
  }
});

test('a token that arrives while the former one is being rejected is used', async ({
  page,
  bench,
  cli,
  ready,
}) => {
  await bench.open('Users');
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/server', async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest('**/api/server');
  const next = await restarted(cli, ready, {});
  try {
    const fresh = await next.ready();
    await asked;
    await page.evaluate((hash) => (location.hash = hash), new URL(addressOf(fresh)).hash);
    release();
    await bench.ready();
  } finally {
    release();
    await page.unroute('**/api/server');
    await stopCli(next);
  }
});

/** The controls of each view that work without the connection, since only the page needs them. */
const OFFERED: Record<ViewName, RegExp> = {
  Flow: /^(Client|Issue a code|Exchange the code|Read the token|Refresh|Call an API with it|Your app|Saved|Export|Clear|Copy|Edit|Connect)/,
  Clients:
    /^(Register client|Name|client_id|Grants|Profile|Duplicate|Close|Reveal|Generate|Copy|Add|Remove)/,
  Users: /^(Add user|Subject|Name|Email|Custom claims|Reveal|Duplicate|Close)/,
  Requests: /^(?!Send|Get new|Repeat)/,
  Tokens: /^(Inspect|Build|Try again|Close|Back|Verify|Kind|State)/,
  Traffic: /^(Pause|Group|Show|Since|Clear|Export|Rejected|Filter|Close|Try again|Copy|More)/,
  Throttling:
    /^(behaviour|spec|How requests are counted|Pause|Used|Resets in|Allowed|Throttled|Last seen|Credential|Client|Show)/,
  Faults: /^(New rule|More for all|\d+ more presets)/,
  'Check your app':
    /^(Open the first case|Copy|More for the results|Report|Try again|Case|Part|Level|Result)/,
  Settings: /^(RFC|behaviour|Copy)/,
  Devices: /^(Try again|Show)/,
  Help: /^./,
};

/** Words that are true only while the page is connected to a running server. */
const LIVE =
  /Running|Waiting for|Loading|Connecting|\d req\/s|429 now|no requests yet|in the last 2 min/;

test('with a lost connection, no view shows anything as live or offers anything that needs it', async ({
  page,
  bench,
  cli,
  ready,
}) => {
  await ask(ready, 'POST', '/faults', {
    name: 'Odd',
    effect: { kind: 'drop' },
    when: 'instead',
    match: { path: '/nowhere' },
  });
  await bench.runAll();
  for (const view of VIEWS) await bench.open(view);
  await bench.open('Faults');
  await expect(page.getByRole('switch', { name: 'Odd: active' })).toBeVisible();
  await stopCli(cli);
  await expect(page.getByText('Connection lost')).toBeVisible();
  const pressable = page
    .getByRole('main')
    .getByRole('button')
    .and(page.locator(':not(:disabled, [aria-disabled="true"])'));
  for (const view of VIEWS) {
    await bench.open(view);
    if (view === 'Clients') await page.getByRole('link', { name: 'Demo application' }).click();
    if (view === 'Users') await page.getByRole('link', { name: 'ada' }).first().click();
    const offered = await pressable.evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent.trim()),
    );
    const needing = offered.filter((name) => name !== 'Try now' && !OFFERED[view].test(name));
    expect.soft(needing, `${view}: offered`).toEqual([]);
    for (const part of ['banner', 'main', 'contentinfo'] as const) {
      await expect.soft(page.getByRole(part), `${view}: said`).not.toContainText(LIVE);
    }
    const moving = await page.evaluate(
      () =>
        document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === Infinity)
          .length,
    );
    expect.soft(moving, `${view}: moves`).toBe(0);
  }
  await bench.open('Faults');
  await page.getByRole('switch', { name: 'Odd: active' }).press('Space');
  await expect(page.getByRole('switch', { name: 'Odd: active' })).toBeChecked();
  await lookFor(page, 'Theme: dark');
  await expect(page.getByRole('option', { name: 'Theme: dark' })).toBeVisible();
  await page.getByRole('combobox', { name: 'Search commands' }).fill('Run the whole flow');
  await expect(page.getByRole('option', { name: 'Theme: dark' })).toHaveCount(0);
  await expect(page.getByRole('option', { name: 'Run the whole flow' })).toHaveCount(0);
});

test('without the connection, menus and typed settings stay visible, are disabled and say why', async ({
  page,
  bench,
  cli,
}) => {
  await bench.runAll();
  const rows = (view: ViewName) =>
    page
      .getByRole('main')
      .getByRole('row')
      .nth(view === 'Traffic' ? 2 : 1);
  for (const view of VIEWS) await bench.open(view);
  await bench.open('Tokens');
  await expect(rows('Tokens')).toBeVisible();
  await stopCli(cli);
  await expect(page.getByText('Connection lost')).toBeVisible();
  const LOST = 'The connection to Grantbench is lost.';

  const offered: Partial<Record<ViewName, readonly string[]>> = {
    Clients: ['Edit', 'Duplicate', 'Copy client_id'],
    Users: ['Edit', 'Duplicate', 'Copy subject'],
    Tokens: ['Open'],
    Traffic: ['Open', 'Copy link', 'Pin to top'],
  };
  for (const [view, titles] of Object.entries(offered) as [ViewName, readonly string[]][]) {
    await bench.open(view);
    await rows(view).click({ button: 'right' });
    const items = page.getByRole('menuitem');
    const usable = items.and(page.locator(':not(:disabled, [aria-disabled="true"])'));
    await expect(usable, view).toHaveText([...titles]);
    const needing = items.and(page.locator('[aria-disabled="true"]'));
    await expect(needing.last()).toHaveAttribute('title', LOST);
    await needing.last().click({ force: true });
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('Escape');
  }
  await bench.open('Flow');
  await page.getByRole('button', { name: 'Export' }).click();
  const ways = page.getByRole('menuitem');
  await expect(ways).toHaveCount(2);
  for (const way of await ways.all()) await expect(way).toHaveAttribute('title', LOST);
  await page.keyboard.press('Escape');
  for (const [view, field] of [
    ['Settings', 'Issuer'],
    ['Throttling', 'Limit'],
  ] as const) {
    await bench.open(view);
    const typed = page.getByRole('main').getByRole('textbox', { name: field }).first();
    const value = await typed.inputValue();
    await expect(typed).toHaveAttribute('title', LOST);
    await typed.click();
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await expect(typed).toHaveValue(value);
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
});

test('the page shows each state of connection and server, and Run all says why it is disabled', async ({
  page,
  bench,
  cli,
  ready,
}) => {
  const pill = page.getByRole('banner').getByRole('status').first();
  const runAll = page.getByRole('button', { name: 'Run all', exact: true });
  const app = page.getByRole('region', { name: 'Your app' });
  const toggle = (name: string) => page.getByRole('banner').getByRole('button', { name });
  const expectState = async (word: string, why: string | null, waits: string) => {
    await expect(pill).toHaveText(word);
    await expect(runAll).toBeEnabled({ enabled: why === null });
    if (why !== null) {
      await expect(runAll).toHaveAttribute('title', why);
      await runAll.click({ force: true });
    }
    await expect(bench.step('Client').getByText('failed', { exact: true })).toHaveCount(0);
    await expect(app).toContainText(waits);
    await expect(page.getByText('Run your first OAuth flow')).toBeVisible();
  };
  await expectState('Running', null, 'Waiting for your app’s first request');

  await toggle('Stop server').click();
  await page
    .getByRole('dialog', { name: 'Stop the server?' })
    .getByRole('button', { name: 'Cancel' })
    .click();
  await expect(pill).toHaveText('Running');
  await toggle('Stop server').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop server' }).click();
  await expectState(
    'Stopped',
    'The server is stopped. Start it first.',
    'The server is not running',
  );

  const taken = createServer();
  const port = Number(new URL(ready.issuer).port);
  await new Promise<void>((done) => taken.listen(port, done));
  await toggle('Start server').click();
  await expectState(
    'Failed',
    'The server is not running. Start it first.',
    'The server is not running',
  );
  await new Promise((done) => taken.close(done));

  await toggle('Start server').click();
  await expectState('Running', null, 'Waiting for your app’s first request');

  await stopCli(cli);
  const after = 'Your app’s requests appear here after reconnecting.';
  await expectState('Unknown', 'The connection to Grantbench is lost.', after);

  const next = await restarted(cli, ready, {});
  try {
    await expect(page.getByRole('dialog', { name: 'Enter the new control token' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expectState('Unknown', 'Grantbench rejected this page’s control token.', after);
  } finally {
    await stopCli(next);
  }
});

test('a step that a lost connection interrupts is not shown as rejected', async ({
  bench,
  cli,
  ready,
}) => {
  const { page } = bench;
  await ask(ready, 'POST', '/faults', {
    name: 'Slow',
    effect: { kind: 'truth' },
    when: 'after',
    delay_ms: 60_000,
    match: { path: '/oauth/token' },
  });
  await page.getByRole('button', { name: 'Run all', exact: true }).click();
  await expect(page.getByRole('button', { name: /^(Running…|Stop)$/ })).toBeVisible();
  await expect(bench.step('Issue a code')).toContainText('303');
  await stopCli(cli);
  const step = bench.step('Exchange the code');
  await expect(step).toContainText('The connection was lost before this step finished.');
  await expect(step.getByText('failed', { exact: true })).toHaveCount(0);
});

test('a lost connection to a running server is restored automatically', async ({ page, ready }) => {
  const sockets: { close(): Promise<void> }[] = [];
  await page.routeWebSocket(/\/rpc$/, (socket) => {
    socket.connectToServer();
    sockets.push(socket);
  });
  await page.goto(addressOf(ready));
  const bench = workbench(page);
  await bench.ready();
  await sockets[0]?.close();
  await expect.poll(() => sockets.length).toBeGreaterThan(1);
  await expect(page.getByText('Connection lost')).toBeHidden();
  await bench.runAll();
});

test('a feed interrupted for a minute keeps the input and delivers what was missed', async ({
  page,
  ready,
}) => {
  let cut = false;
  const sockets: WebSocketRoute[] = [];
  await page.clock.install();
  await page.routeWebSocket(/\/rpc$/, (socket) => {
    if (cut) return void socket.close();
    socket.connectToServer();
    sockets.push(socket);
  });
  const bench = await openBench(page, ready);
  await bench.open('Clients');
  await page.getByRole('button', { name: 'Register client' }).click();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Typed before the cut');

  cut = true;
  for (const socket of sockets) await socket.close();
  await expect(page.getByText('Connection lost')).toBeVisible();
  await ask(ready, 'POST', '/clients', { client_id: 'made-meanwhile' });
  for (let second = 0; second < 60; second += 5) await page.clock.runFor(5000);
  await expect(page.getByText('Connection lost')).toBeVisible();
  await expect(page.getByRole('link', { name: 'made-meanwhile' })).toBeHidden();

  cut = false;
  await page.clock.runFor(5000);
  await expect(page.getByText('Connection lost')).toBeHidden();
  await expect(page.getByRole('link', { name: 'made-meanwhile' })).toBeVisible();
  await expect(name).toHaveValue('Typed before the cut');
});
