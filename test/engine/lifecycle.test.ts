// Starting: the port is opened while the first key is generated, and no request is handled before.

import { createHolds } from '../../src/server/faults/held-exchanges.ts';
import { once } from 'node:events';
import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../src/engine/engine.ts';
import { createLifecycle } from '../../src/engine/lifecycle.ts';
import { createCapture } from '../../src/server/capture.ts';
import { createHttpServer, type HttpServer } from '../../src/server/listen.ts';
import { createTestService } from '../support/core.ts';
import { freePort } from '../support/free-port.ts';

/** Asks until somebody listens. */
async function firstAnswer(port: number, path: string): Promise<unknown> {
  for (;;) {
    try {
      const [response] = (await once(
        request({ host: '127.0.0.1', port, path }).end(),
        'response',
      )) as [AsyncIterable<Buffer>];
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      return JSON.parse(Buffer.concat(chunks).toString());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
    }
  }
}

function createLog() {
  const log: string[] = [];
  const http: HttpServer = {
    start: async ({ port }) => {
      log.push(`bind ${port}`);
      return { port, ipv6: true };
    },
    answer: () => log.push('answer'),
    stop: async () => {
      log.push('close');
    },
  };
  return { log, http };
}

test('a request before the first key is generated gets that key, at the bound address', async () => {
  const port = await freePort();
  const engine = await createEngine({ port, version: '0.0.0-test' });
  const jwks = firstAnswer(port, '/.well-known/jwks.json');
  const metadata = firstAnswer(port, '/.well-known/oauth-authorization-server');
  await engine.start();
  expect(await jwks).toMatchObject({ keys: [{ alg: 'RS256' }] });
  expect(await metadata).toMatchObject({ issuer: `http://localhost:${port}` });
  await engine.close();
});

test('the port is opened before the key is generated, and responses are sent afterwards', async () => {
  const { log, http } = createLog();
  let made = (): void => undefined;
  const key = new Promise<void>((resolve) => (made = resolve));
  const lifecycle = createLifecycle(
    http,
    { port: 4280, host: null, https: false },
    () => key,
    () => log.push('change'),
  );
  const started = lifecycle.start();
  await new Promise(setImmediate);
  expect(log).toEqual(['bind 4280']);
  expect(lifecycle.now().state).toBe('stopped');
  made();
  await started;
  expect(log).toEqual(['bind 4280', 'change', 'answer']);
  expect(lifecycle.now()).toMatchObject({ state: 'running', port: 4280 });
});

test('without a key the port is closed, and the start fails with the reason', async () => {
  const { log, http } = createLog();
  const lifecycle = createLifecycle(
    http,
    { port: 4280, host: null, https: false },
    () => Promise.reject(new Error('no entropy')),
    () => undefined,
  );
  await expect(lifecycle.start()).rejects.toThrow('no entropy');
  expect(log).toEqual(['bind 4280', 'close']);
  expect(lifecycle.now()).toMatchObject({
    state: 'failed',
    problem: { code: 'cannot_listen', message: 'no entropy' },
  });
});

test('connections that wait for a failing start are closed', async () => {
  const { service } = createTestService();
  const http = createHttpServer({
    ownStates: new Set(),
    holds: createHolds(() => undefined),
    service,
    capture: createCapture(
      () => service.settings().capture,
      () => undefined,
    ),
    stopwatch: () => 0,
    version: '0.0.0-test',
    workbenchUrl: () => null,
    certificate: () => Promise.reject(new Error('no certificate')),
    reservedPorts: () => [],
    onFault: (fault) => {
      throw fault;
    },
  });
  onTestFinished(() => http.stop());
  const { port } = await http.start({ port: 0, host: '127.0.0.1', https: false });
  const asked = request({ host: '127.0.0.1', port, path: '/livez' }).end();
  const hungUp = expect(once(asked, 'response')).rejects.toMatchObject({ code: 'ECONNRESET' });
  await once(asked, 'finish');
  await http.stop();
  await hungUp;
});
