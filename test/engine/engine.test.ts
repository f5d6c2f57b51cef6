// The engine as its hosts use it: starting and stopping, a fixed issuer, and a start that loads nothing that only the
// control API needs.

import { writeFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { build, normalizePath, type Plugin } from 'vite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ExchangeSummary } from '../../src/control/schemas.ts';
import { workspaceSchema } from '../../src/core/records/schemas.ts';
import { DEMO_WORKSPACE } from '../../src/engine/workspace/demo.ts';
import { createEngine, type Engine, type EngineOptions } from '../../src/engine/engine.ts';
import { DEMO_ES256 } from '../support/demo-es256.ts';
import { call, startHarness, temporaryFolder } from '../support/harness.ts';
import { takenPort } from '../support/taken-port.ts';

async function open(options: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await createEngine({ port: 0, version: 'test', ...options });
  onTestFinished(() => engine.close());
  return engine;
}

describe('without a workspace file', () => {
  it('there is a demo client, a demo user and one audience', async () => {
    const { registry } = (await open()).service;
    expect(registry.clients.list()).toMatchObject([
      {
        client_id: 'demo-app',
        client_secret: 'demo-secret',
        redirect_uris: ['http://localhost:3000/callback'],
      },
    ]);
    expect(registry.users.list()).toHaveLength(1);
    expect(registry.audiences.list()).toHaveLength(1);
  });

  it('the demo workspace equals its parsed form, with every default of the schema', () => {
    expect(workspaceSchema.parse(DEMO_WORKSPACE)).toEqual(DEMO_WORKSPACE);
    expect(workspaceSchema.parse({ version: 1 }).settings).toEqual(DEMO_WORKSPACE.settings);
  });
});

describe('starting', () => {
  it('listens on a free port and publishes its key', async () => {
    const engine = await open();
    expect(engine.server()).toMatchObject({ state: 'stopped', problem: null });
    const { port, state } = await engine.start();
    expect([state, port > 0]).toEqual(['running', true]);
    const jwks = await call(`http://127.0.0.1:${port}`, 'GET', '/.well-known/jwks.json');
    expect(jwks.body).toMatchObject({ keys: [{ alg: 'RS256' }] });
  });

  it('does not suggest a port that has another use', async () => {
    const port = await takenPort();
    const reserved = Array.from({ length: 5 }, (_, index) => port + 1 + index);
    const engine = await open({ port, reserved_ports: reserved, base: DEMO_ES256 });
    await engine.start().catch(() => undefined);
    expect(reserved).not.toContain(engine.server().problem?.free_port);
  });

  it('and stopping run one after another, however they are called', async () => {
    const engine = await open({ base: DEMO_ES256 });
    const { start, stop } = engine;
    await Promise.all([start(), stop(), start(), start(), stop()]);
    expect(engine.server()).toMatchObject({ state: 'stopped' });
    expect((await engine.start()).state).toBe('running');
  });

  it('the landing page links to the workbench while it is available, without its token', async () => {
    const { url, control } = await startHarness({ control: { page: await temporaryFolder() } });
    const landing = () => call(url(), 'GET', '/');
    expect((await landing()).text).toContain(control.url);
    expect((await landing()).text).not.toContain(control.token);
    await control.close();
    expect((await landing()).text).not.toContain(control.url);
  });
});

describe('a provider that overrides the shape of the workspace', () => {
  const grant_types = ['http://auth0.com/oauth/grant-type/password-realm'];
  const clients = [{ client_id: 'web', client_secret: 'secret', grant_types }];
  const withProvider = async (provider: EngineOptions['provider']) => {
    const file = join(await temporaryFolder(), 'workspace.json');
    await writeFile(file, JSON.stringify({ version: 1, clients }));
    return open({ workspace: { file, save: false }, provider });
  };

  it('behaviour 12.20: its names of grants are valid in the file', async () => {
    const { registry } = (await withProvider('auth0')).service;
    expect(registry.clients.get('web')?.grant_types).toEqual(['password']);
  });

  it.each(['okta', undefined] as const)(
    'behaviour 12.20: names of another provider are invalid with %s',
    async (provider) => {
      await expect(withProvider(provider)).rejects.toThrow(/grant_types\[0\] must be one of/);
    },
  );
});

it('an invalid fixed issuer is rejected', async () => {
  await expect(open({ issuer: 'http://flag.test/?a' })).rejects.toThrow(/^issuer must be/);
});

it('onExchange reports every exchange, in order, until it is unsubscribed', async () => {
  const { engine, url, connect } = await startHarness();
  const seen: ExchangeSummary[] = [];
  const forget = engine.onExchange((exchange) => seen.push(exchange));
  for (const path of ['/a?code=x', '/b']) await call(url(), 'GET', path);
  await connect();
  expect(seen.map(({ number, path, status }) => [number, path, status])).toEqual([
    [1, '/a?code=[redacted]', 404],
    [2, '/b', 404],
  ]);
  forget();
  await call(url(), 'GET', '/c');
  await connect();
  expect(seen).toHaveLength(2);
});

it('closing is possible twice, and before anything was started', async () => {
  const engine = await createEngine({ port: 0, version: 'test' });
  await engine.close();
  await engine.close();
  expect(engine.server().state).toBe('stopped');
});

it('modules that only the control API needs are loaded at its first use, not at the start', async () => {
  const entry = normalizePath(resolve('src/engine/engine.ts'));
  const atStart = new Set([entry]);
  const graph: Plugin = {
    name: 'graph',
    buildEnd() {
      for (const id of atStart) {
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) atStart.add(imported);
      }
    },
  };
  await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: entry, write: false },
    plugins: [graph],
  });
  expect(atStart.size).toBeGreaterThan(100);
  const packages = [...atStart].filter((id) => !isAbsolute(id) && !id.startsWith('node:'));
  expect(packages).toEqual(['jose']);
});
