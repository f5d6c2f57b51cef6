import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { startCli, stopCli } from '../support/cli-process.ts';
import { severeFindings } from '../support/findings.ts';
import { losableConnection } from '../support/held-answers.ts';
import { ask, exchange, issueCode } from '../support/token-calls.ts';
import { lookFor, VIEWS, type ViewName, type Workbench } from '../support/workbench.ts';
import { addressOf, expect, openBench, test, testWithOwnPage, testWithProcess } from './serve.ts';

test('the token is removed from the address at once, and a reload keeps the view; a page with a wrong token or none says where to find one, and accepts a pasted token or address', async ({
  page,
  bench,
  ready,
}) => {
  expect(page.url()).not.toContain(ready.control.token);
  await bench.open('Throttling');
  await page.reload();
  await bench.ready();
  await expect(page.getByRole('link', { name: 'Throttling' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  expect(page.url()).not.toContain(ready.control.token);

  const hint = page.getByText('Open the address that Grantbench printed');
  await page.evaluate(() => sessionStorage.clear());
  // From another document, so that the page is loaded with this token.
  await page.goto(`${ready.control.url}/favicon.ico`);
  await page.goto(`${ready.control.url}/#token=wrong`);
  await expect(hint).toBeVisible();

  await page.evaluate(() => sessionStorage.clear());
  await page.goto(ready.control.url);
  await expect(hint).toBeVisible();
  expect(await severeFindings(page, 'all')).toEqual([]);
  const field = page.getByLabel('Control token', { exact: true });
  const connect = page.getByRole('button', { name: 'Connect', exact: true });
  await expect(connect).toBeDisabled();
  await field.fill('wrong');
  await connect.click();
  await expect(page.getByText('This token was rejected.')).toBeVisible();
  await field.fill(addressOf(ready));
  await connect.click();
  await bench.ready();
  expect(page.url()).not.toContain(ready.control.token);
});

testWithProcess(
  'the page reports a lost connection, does not show the step that it interrupts as rejected, and reconnects to a restarted server with the same token',
  async ({ page, bench, cli, ready }) => {
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
    await expect(page.getByText('Connection lost')).toBeVisible();
    const step = bench.step('Exchange the code');
    await expect(step).toContainText('The connection was lost before this step finished.');
    await expect(step.getByText('failed', { exact: true })).toHaveCount(0);

    const [port = '', control = ''] = [ready.issuer, ready.control.url].map(
      (url) => new URL(url).port,
    );
    const next = startCli(
      ['serve', '--json', '--quiet', '--port', port, '--control-port', control],
      { GRANTBENCH_CONTROL_TOKEN: ready.control.token },
    );
    try {
      await expect(page.getByText('Connection lost')).toBeHidden({ timeout: 30_000 });
      await bench.ready();
      await expect(bench.step('Issue a code')).not.toContainText('303');
      await bench.runAll();
      await expect(bench.step('Refresh')).toContainText('200');
    } finally {
      await stopCli(next);
    }
  },
);

test('for a server with a new token, the page keeps the input and asks for the token in a dialog, or takes it from an address opened in its tab, even while the former one is being rejected', async ({
  page,
  bench,
  server,
}) => {
  await bench.open('Clients');
  await page.getByRole('button', { name: 'Register client' }).click();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Typed before the restart');
  const { control } = await server.restart();
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
  await field.fill(control.token);
  await field.press('Enter');
  await bench.ready();
  await expect(asks).toBeHidden();
  await expect(name).toHaveValue('Typed before the restart');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Typed before the restart' })).toBeVisible();

  await bench.open('Users');
  await page.getByRole('button', { name: 'Add user' }).click();
  await name.fill('Typed before another restart');
  let fresh = await server.restart();
  await page.evaluate((hash) => (location.hash = hash), new URL(addressOf(fresh)).hash);
  await bench.ready();
  await expect(name).toHaveValue('Typed before another restart');
  expect(page.url()).not.toContain(fresh.control.token);
  await page.getByRole('textbox', { name: 'Subject' }).fill('eve');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('link', { name: 'eve', exact: true })).toBeVisible();

  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/server', async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest('**/api/server');
  try {
    fresh = await server.restart();
    await asked;
    await page.evaluate((hash) => (location.hash = hash), new URL(addressOf(fresh)).hash);
    release();
    await bench.ready();
  } finally {
    release();
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

const LOST = 'The connection to Grantbench is lost.';

/** What works without the connection in the menu of a row. */
const IN_MENU: Partial<Record<ViewName, readonly string[]>> = {
  Clients: ['Edit', 'Duplicate', 'Copy client_id'],
  Users: ['Edit', 'Duplicate', 'Copy subject'],
  Tokens: ['Open'],
  Traffic: ['Open', 'Copy link', 'Pin to top'],
};

const firstRow = ({ page }: Workbench, view: ViewName) =>
  page
    .getByRole('main')
    .getByRole('row')
    .nth(view === 'Traffic' ? 2 : 1);

/** Checks that the open view offers nothing that needs the connection, and shows nothing as live. */
async function expectAtRest({ page }: Workbench, view: ViewName): Promise<void> {
  const pressable = page
    .getByRole('main')
    .getByRole('button')
    .and(page.locator(':not(:disabled, [aria-disabled="true"])'));
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

/** Checks that the menu of a row is usable except for what needs the connection, which says why. */
async function expectMenuSaysWhy(bench: Workbench, view: ViewName, titles: readonly string[]) {
  const { page } = bench;
  await firstRow(bench, view).click({ button: 'right' });
  const items = page.getByRole('menuitem');
  const usable = items.and(page.locator(':not(:disabled, [aria-disabled="true"])'));
  await expect(usable, view).toHaveText([...titles]);
  const needing = items.and(page.locator('[aria-disabled="true"]'));
  await expect(needing.last()).toHaveAttribute('title', LOST);
  await needing.last().click({ force: true });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Escape');
}

test('with a lost connection, what the Flow view offers for an app and a client says why it cannot be used', async ({
  page,
  bench,
  ready,
  server,
}) => {
  await exchange(ready, await issueCode(ready));
  await bench.chooseGrant('JWT bearer');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await expect(button('Report (HTML)')).toBeEnabled();
  await server.stop();
  const saysWhy = (name: string) => expect(button(name)).toHaveAttribute('title', LOST);
  await saysWhy('Report (HTML)');
  await saysWhy('Allow this grant for demo-app');
  await page.getByRole('button', { name: 'Register a client' }).click();
  await saysWhy('Register');
});

test('with a lost connection, no view shows anything as live, and what needs it stays visible, is disabled and says why', async ({
  page,
  bench,
  ready,
  server,
}) => {
  await ask(ready, 'POST', '/faults', {
    name: 'Odd',
    effect: { kind: 'drop' },
    when: 'instead',
    match: { path: '/nowhere' },
  });
  await fetch(`${ready.issuer}/authorize`);
  await bench.runAll();
  for (const view of VIEWS) await bench.open(view);
  await bench.open('Tokens');
  await expect(firstRow(bench, 'Tokens')).toBeVisible();
  await bench.open('Faults');
  const rule = page.getByRole('switch', { name: 'Odd: active' });
  await expect(rule).toBeVisible();
  await bench.open('Traffic');
  await page.getByRole('button', { name: 'Since the app connected' }).click();
  await expect(page.getByText(/^1 exchange since .*; new ones follow$/)).toBeVisible();
  await server.stop();
  await expect(page.getByText('Connection lost')).toBeVisible();
  await expect(page.getByText(/^1 exchange since [\d:]+$/)).toBeVisible();
  await page.getByRole('button', { name: 'Back to the list' }).click();

  for (const view of VIEWS) {
    await bench.open(view);
    const inMenu = IN_MENU[view];
    if (inMenu !== undefined) await expectMenuSaysWhy(bench, view, inMenu);
    if (view === 'Clients') await page.getByRole('link', { name: 'Demo application' }).click();
    if (view === 'Users') await page.getByRole('link', { name: 'ada' }).first().click();
    await expectAtRest(bench, view);
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
  await bench.open('Faults');
  await rule.press('Space');
  await expect(rule).toBeChecked();

  const search = await lookFor(page, 'Theme: dark');
  await expect(page.getByRole('option', { name: 'Theme: dark' })).toBeVisible();
  await search.fill('Run the whole flow');
  await expect(page.getByRole('option', { name: 'Theme: dark' })).toHaveCount(0);
  await expect(page.getByRole('option', { name: 'Run the whole flow' })).toHaveCount(0);
});

test('the page shows each state of connection and server, and Run all says why it is disabled', async ({
  page,
  bench,
  ready,
  server,
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

  await server.stop();
  const after = 'Your app’s requests appear here after reconnecting.';
  await expectState('Unknown', LOST, after);

  await server.restart();
  await expect(page.getByRole('dialog', { name: 'Enter the new control token' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expectState('Unknown', 'Grantbench rejected this page’s control token.', after);
});

testWithOwnPage(
  'a feed interrupted for a minute keeps the input and delivers what was missed',
  async ({ page, ready }) => {
    await page.clock.install();
    const connection = await losableConnection(page);
    const bench = await openBench(page, ready);
    await bench.open('Clients');
    await page.getByRole('button', { name: 'Register client' }).click();
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Typed before the cut');

    await connection.lose();
    await expect(page.getByText('Connection lost')).toBeVisible();
    await ask(ready, 'POST', '/clients', { client_id: 'made-meanwhile' });
    for (let second = 0; second < 60; second += 5) await page.clock.runFor(5000);
    await expect(page.getByText('Connection lost')).toBeVisible();
    await expect(page.getByRole('link', { name: 'made-meanwhile' })).toBeHidden();

    connection.restore();
    await page.clock.runFor(5000);
    await expect(page.getByText('Connection lost')).toBeHidden();
    await expect(page.getByRole('link', { name: 'made-meanwhile' })).toBeVisible();
    await expect(name).toHaveValue('Typed before the cut');
  },
);

testWithOwnPage(
  'a server that accepts the connection and never responds is reported, and the palette opens',
  async ({ page, ready }) => {
    const silent = createServer();
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    // The page's code comes from the real server.
    await page.route(/\/(assets\/.*)?$/, async (route) => {
      const { pathname } = new URL(route.request().url());
      const url = new URL(pathname, ready.control.url).href;
      await route.fulfill({ response: await route.fetch({ url, headers: {} }) });
    });
    await page.goto(`${origin}/#token=${ready.control.token}`);
    await expect(page.getByText('Connecting to Grantbench…')).toBeVisible();
    await expect(page.getByText('Grantbench does not respond.')).toBeVisible();
    await page.keyboard.press('ControlOrMeta+K');
    await expect(page.getByRole('combobox', { name: 'Search commands' })).toBeVisible();
    await page.unrouteAll({ behavior: 'wait' });
    silent.close();
  },
);
