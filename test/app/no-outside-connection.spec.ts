// The window makes no connection beyond this machine during a whole run, according to Chromium's network log and a
// hook in the main process, where the engine runs. test/cli/no-outside-connection.test.ts covers a run without a
// window.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { _electron } from '@playwright/test';
import { connectionsOf } from '../installed/net-log.ts';
import { collectErrors } from '../support/console-errors.ts';
import { walkTheFlow } from '../support/walk.ts';
import { workbench } from '../support/workbench.ts';
import { appArguments, appEnvironment, expect, test } from './launch.ts';

/** An app that loads the hook, since Electron does not support --import. */
const MODULES = ['../support/log-connections.mjs', './attached/main.mjs'];
/** An address reserved for documentation, where no host answers. */
const ELSEWHERE = '192.0.2.1';
const LOCAL = /^(localhost|127\.0\.0\.1|::1)$/;

function loggedApp(folder: string): string {
  const app = join(folder, 'logged-app');
  mkdirSync(app);
  const imports = MODULES.map((path) => `import '${new URL(path, import.meta.url).href}';\n`);
  writeFileSync(join(app, 'entry.mjs'), imports.join(''));
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'logged', main: 'entry.mjs' }));
  return app;
}

test('the window opens on the Flow view, every step can be run, and neither Chromium nor the main process connects beyond this machine', async ({
  executablePath,
  userData,
}) => {
  const ofChromium = join(userData, 'net-log.json');
  const ofNode = join(userData, 'connections');
  const logged = loggedApp(userData);
  const logging = [`--log-net-log=${ofChromium}`, '--net-log-capture-mode=Everything'];
  const app = await _electron.launch({
    executablePath,
    args: [...logging, ...appArguments(logged)],
    env: { ...appEnvironment(userData, 0), CONNECTION_LOG: ofNode },
  });
  const page = await app.firstWindow();
  const errors = collectErrors(page);
  const bench = workbench(page);
  await bench.ready();
  await walkTheFlow(bench);
  expect(errors).toEqual([]);
  // Shows that the log records connections.
  await app.evaluate((_electronModule, host) => {
    const { connect } = process.getBuiltinModule('node:net');
    connect(9, host)
      .on('error', () => undefined)
      .destroy();
  }, ELSEWHERE);
  await app.close();
  const { hosts, entries } = connectionsOf(readFileSync(ofChromium, 'utf8'));
  expect(entries).toBeGreaterThan(0);
  expect(hosts).toEqual([]);
  const connected = readFileSync(ofNode, 'utf8').trim().split('\n');
  expect(connected.filter((host) => !LOCAL.test(host))).toEqual([ELSEWHERE]);
});
