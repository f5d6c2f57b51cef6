import { startCli, stopCli } from '../support/cli-process.ts';
import { workbench } from '../support/workbench.ts';
import { addressOf, expect, test } from './serve.ts';

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

test('a reload keeps the view', async ({ page, bench }) => {
  await bench.open('Throttling');
  await page.reload();
  await bench.ready();
  await expect(page.getByRole('link', { name: 'Throttling' })).toHaveAttribute(
    'aria-current',
    'page',
  );
});

test('a server that goes away is told, and the new one is reached on its own address', async ({
  page,
  bench,
  cli,
  ready,
}) => {
  const ports = [ready.issuer, ready.control.url].map((url) => new URL(url).port);
  await stopCli(cli);
  await expect(page.getByText('The live feed is lost')).toBeVisible();
  const [port = '', control = ''] = ports;
  const next = startCli(['serve', '--json', '--quiet', '--port', port, '--control-port', control]);
  try {
    const fresh = await next.ready();
    // A new start has a new token: the page says so, and its printed address brings it back.
    await expect(page.getByText('Open the address that Grantbench printed')).toBeVisible({
      timeout: 15_000,
    });
    await page.goto('about:blank');
    await page.goto(addressOf(fresh));
    await bench.ready();
    await bench.runAll();
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
  await expect(page.getByText('The live feed is lost')).toBeHidden();
  await bench.runAll();
});
