import type { WebSocketRoute } from '@playwright/test';
import { startCli, stopCli, type CliProcess, type Ready } from '../support/cli-process.ts';
import { ask } from '../support/token-calls.ts';
import { workbench } from '../support/workbench.ts';
import { addressOf, expect, openBench, test } from './serve.ts';

test('the token leaves the address at once and the page goes on without it', async ({
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

test('a page without a token says where to find it', async ({ page, ready }) => {
  await page.goto(ready.control.url);
  await expect(page.getByText('Open the address that Grantbench printed')).toBeVisible();
});

test('a wrong token is refused in the same words', async ({ page, ready }) => {
  await page.goto(`${ready.control.url}/#token=wrong`);
  await expect(page.getByText('Open the address that Grantbench printed')).toBeVisible();
});

test('a page without a token takes one that is pasted, alone or in the address', async ({
  page,
  ready,
}) => {
  const field = page.getByLabel('Access token', { exact: true });
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

test('a restarted server is told as lost and reached again by itself when it has the same token', async ({
  page,
  bench,
  cli,
  ready,
}) => {
  // The view's own code has come by then.
  await expect(bench.step('Refresh')).toBeVisible();
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

test('a restarted server with a new token is not mistaken for the old one', async ({
  page,
  bench,
  cli,
  ready,
}) => {
  await bench.ready();
  const next = await restarted(cli, ready, {});
  try {
    const fresh = await next.ready();
    const asks = page.getByText('Open the address that Grantbench printed');
    await expect(asks).toBeVisible({ timeout: 30_000 });
    await page.goto('about:blank');
    await page.goto(addressOf(fresh));
    await bench.ready();
  } finally {
    await stopCli(next);
  }
});

test('a lost connection to a server that is still there comes back by itself', async ({
  page,
  ready,
}) => {
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

test('a feed cut for a minute keeps what was typed, and brings what was missed', async ({
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
