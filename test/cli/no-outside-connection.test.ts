// No connections to the outside: all addresses that a headless run connects to, from start to end.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { cliFolder } from '../support/cli-folder.ts';

const HOOK = new URL('../support/log-connections.mjs', import.meta.url);
const SCENARIO = fileURLToPath(
  new URL('../../resources/scenarios/code-exchange.scenario.json', import.meta.url),
);
const LOCAL = /^(localhost|127\.0\.0\.1|::1)$/;

const { at, start: startCli } = cliFolder('connections');

const log = () => at('connections');

const start = (...args: string[]) =>
  startCli(args, {
    NODE_OPTIONS: `--import ${HOOK.href}`,
    CONNECTION_LOG: log(),
    GRANTBENCH_USER_DATA: at(),
  });

const hosts = () =>
  existsSync(log()) ? readFileSync(log(), 'utf8').trim().split('\n').filter(Boolean) : [];

async function succeed(...args: string[]): Promise<void> {
  const { code, stderr } = await start(...args).ended;
  expect({ code, stderr }).toMatchObject({ code: 0 });
}

test('a server connects only to its own ports, and commands only to the server', async () => {
  const server = start('serve', '--port', '0', '--control-port', '0', '--json', '--https');
  const { control } = await server.ready();
  const page = await fetch(control.url);
  expect(page.status).toBe(200);
  await succeed('token', '--explain');
  await succeed('clients', 'list');
  expect(hosts().length).toBeGreaterThan(0);
  expect(hosts().filter((host) => !LOCAL.test(host))).toEqual([]);
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
});

test('scenarios and the sandbox of exec connect only to their own ports', async () => {
  await succeed('run', SCENARIO);
  await succeed('exec', '--', process.execPath, '-e', 'fetch(process.env.GRANTBENCH_ISSUER)');
  expect(hosts().length).toBeGreaterThan(0);
  expect(hosts().filter((host) => !LOCAL.test(host))).toEqual([]);
});

test('the log would show an outside connection', async () => {
  const code = "require('node:net').connect(9, '192.0.2.1').on('error', () => {}).destroy()";
  await start('exec', '--', process.execPath, '-e', code).ended;
  expect(hosts()).toContain('192.0.2.1');
});
