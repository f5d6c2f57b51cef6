// A server for each test, and the page opened at its address. `test` starts the servers of a worker one after another
// at the same address, each with a new state, and opens them in the same page: a browser that has already compiled the
// page's code opens it three times as fast. `testWithOwnPage` and `testWithProcess` are for tests that need more
// isolation.

import { fileURLToPath } from 'node:url';
import {
  expect,
  test as plain,
  type Page,
  type PlaywrightTestArgs,
  type TestFixture,
} from '@playwright/test';
import { exportJWK, generateKeyPair } from 'jose';
import { startControlServer, type ControlServer } from '../../src/engine/control-server/server.ts';
import { createEngine, PortInUseError, type EngineOptions } from '../../src/engine/engine.ts';
import {
  startServe,
  stopCli,
  userData,
  type CliProcess,
  type Ready,
} from '../support/cli-process.ts';
import { collectErrors } from '../support/console-errors.ts';
import { workbench, type Workbench } from '../support/workbench.ts';

/** A key that the server would generate itself, which takes as long as the rest of its start. */
const { privateKey } = await generateKeyPair('RS256', { extractable: true });
const SIGNING_KEY = {
  ...(await exportJWK(privateKey)),
  kty: 'RSA',
  alg: 'RS256',
} as const;

const BUILT_PAGE = fileURLToPath(new URL('../../out/renderer', import.meta.url));

export const addressOf = ({ control }: Ready) => `${control.url}/#token=${control.token}`;

export async function openBench(page: Page, ready: Ready): Promise<Workbench> {
  await page.goto(addressOf(ready));
  const bench = workbench(page);
  await bench.ready();
  return bench;
}

interface OnPage {
  readonly ready: Ready;
  readonly bench: Workbench;
  readonly errors: readonly string[];
}

const bench: TestFixture<Workbench, OnPage & PlaywrightTestArgs> = async (
  { page, ready, errors: _errors },
  use,
) => use(await openBench(page, ready));

const errors: TestFixture<readonly string[], PlaywrightTestArgs> = async ({ page }, use) =>
  use(collectErrors(page));

/** By which factor the processor of each page is slowed down (CDP). */
const SLOWDOWN = Number(process.env['PAGE_SLOWDOWN'] ?? 1);

/** `PAGE_SLOWDOWN=4` reveals timing that only holds on a fast machine. */
async function slowDown(page: Page): Promise<void> {
  if (SLOWDOWN === 1) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
}

interface OfWorker {
  /** Where the control servers of a worker listen, one after the other. */
  readonly place: { controlPort: number };
  readonly shared: Page;
}

/** All tests have the same fixtures of a worker, made when first used: for others, Playwright starts another worker. */
const base = plain.extend<object, OfWorker>({
  place: [({}, use) => use({ controlPort: 0 }), { scope: 'worker' }],
  shared: [
    async ({ browser }, use, { project }) => {
      const context = await browser.newContext({ acceptDownloads: true });
      context.setDefaultTimeout(project.use.actionTimeout ?? 0);
      const page = await context.newPage();
      await slowDown(page);
      await use(page);
      await context.close();
    },
    { scope: 'worker' },
  ],
  page: async ({ page }, use) => {
    await slowDown(page);
    await use(page);
  },
});

/** The built command line in a process of its own, for tests that need its flags, its certificate or its exit. */
export const testWithProcess = base.extend<OnPage & { readonly cli: CliProcess }>({
  cli: async ({}, use) => {
    const cli = startServe('--quiet');
    await use(cli);
    await stopCli(cli);
  },
  ready: async ({ cli }, use) => use(await cli.ready()),
  errors,
  bench,
});

interface Server {
  readonly ready: Ready;
  /** Errors in the server itself. */
  readonly faults: readonly unknown[];
  readonly close: () => Promise<void>;
}

async function startServer(options: Partial<EngineOptions>, controlPort: number): Promise<Server> {
  const faults: unknown[] = [];
  const engine = await createEngine({
    port: 0,
    version: '0.0.0',
    reserved_ports: [controlPort],
    certificate_folder: userData,
    onFault: (fault) => faults.push(fault),
    ...options,
  });
  const listen = (port: number): Promise<ControlServer> =>
    startControlServer(engine, { host: '127.0.0.1', port, page: BUILT_PAGE });
  try {
    const { keys } = await engine.getControl();
    await keys.create({ jwk: SIGNING_KEY });
    const { issuer, token_endpoint } = await engine.start();
    const control = await listen(controlPort).catch((error: unknown) => {
      if (error instanceof PortInUseError) return listen(0);
      throw error;
    });
    return {
      ready: { event: 'ready', issuer, token_endpoint, control },
      faults,
      close: async () => {
        await control.close();
        await engine.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** The server of a test, which the test may stop and restart. */
interface Restartable {
  readonly ready: Ready;
  readonly isRunning: () => boolean;
  readonly stop: () => Promise<void>;
  /** At the same addresses, with a new state and a new token; stops it first. */
  readonly restart: () => Promise<Ready>;
}

interface InTurn {
  /** The options of the test's server. */
  readonly engine: Partial<EngineOptions>;
  readonly server: Restartable;
}

/** For changes to a page that cannot be undone: a time zone, an init script, a clock or a socket of the test. */
export const testWithOwnPage = base.extend<OnPage & InTurn>({
  engine: [{}, { option: true }],
  server: async ({ engine, place }, use) => {
    const first = await startServer(engine, place.controlPort);
    const { ready } = first;
    const port = Number(new URL(ready.issuer).port);
    place.controlPort = Number(new URL(ready.control.url).port);
    let running: Server | null = first;
    const stop = async () => {
      if (running === null) return;
      const { close, faults } = running;
      running = null;
      await close();
      expect(faults).toEqual([]);
    };
    const restart = async () => {
      await stop();
      running = await startServer({ ...engine, port }, place.controlPort);
      return running.ready;
    };
    await use({ ready, isRunning: () => running !== null, stop, restart });
    await stop();
  },
  ready: async ({ server }, use) => use(server.ready),
  errors,
  bench,
});

/** Returns the page to its initial state for the next test. */
async function leave(page: Page, { control }: Ready): Promise<void> {
  const context = page.context();
  page.removeAllListeners();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const other of context.pages()) if (other !== page) await other.close();
  // A blank page would end the browser's process that has the page's code.
  await page.goto(`${control.url}/favicon.ico`);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.mouse.move(-1, -1);
  await context.clearCookies();
  await context.clearPermissions();
}

/** The page of a worker, prepared before each test and cleaned up after it. */
export const test = testWithOwnPage.extend({
  page: async (
    { shared, server, colorScheme, viewport, timezoneId, locale, javaScriptEnabled },
    use,
  ) => {
    if (timezoneId !== undefined || locale !== 'en-US' || !javaScriptEnabled)
      throw new Error('A page has these options from its beginning: use testWithOwnPage.');
    await shared.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    if (viewport !== null) await shared.setViewportSize(viewport);
    await use(shared);
    await leave(shared, server.isRunning() ? server.ready : await server.restart());
  },
  context: async ({ shared }, use) => use(shared.context()),
});

export { expect };
