import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliFolder } from '../support/cli-folder.ts';
import type { CliProcess } from '../support/cli-process.ts';

const { at, start } = cliFolder('open');

/** A stand-in for Electron's binary: a script that is started in its place. */
function standIn(script: string): NodeJS.ProcessEnv {
  for (const name of ['electron', 'Electron.app/Contents/MacOS/Electron']) {
    const file = at(name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!${process.execPath}\n${script}\n`);
    chmodSync(file, 0o755);
  }
  return { ELECTRON_OVERRIDE_DIST_PATH: at(), DISPLAY: ':99' };
}

function open(env: NodeJS.ProcessEnv): CliProcess {
  const ports = { GRANTBENCH_PORT: '0', GRANTBENCH_CONTROL_PORT: '0' };
  return start([], { ...ports, BROWSER: 'none', ...env });
}

async function servedHeadless(cli: CliProcess, reason: RegExp): Promise<void> {
  expect(await cli.stderr.line(/^Cannot open the window: /)).toMatch(reason);
  const line = await cli.stdout.line(/Workbench/);
  const url = new URL(/http:\S+/.exec(line)?.[0] ?? '');
  expect(url.hash).toMatch(/^#token=/);
  expect((await fetch(url)).status).toBe(200);
  cli.child.kill('SIGTERM');
  expect((await cli.ended).code).toBe(0);
}

// A script cannot replace electron.exe.
describe.skipIf(process.platform === 'win32')('grantbench', () => {
  test('reports that Electron is missing, and serves the page headless', async () => {
    const cli = open({ ELECTRON_OVERRIDE_DIST_PATH: at(), DISPLAY: ':99' });
    await servedHeadless(cli, /ELECTRON_OVERRIDE_DIST_PATH is set, but there is no /);
  });

  test.runIf(process.platform === 'linux')(
    'reports that there is no display, and serves headless',
    async () => {
      const env = { ...standIn(''), DISPLAY: undefined, WAYLAND_DISPLAY: undefined };
      await servedHeadless(open(env), /no display/);
    },
  );

  test('reports why a window ended at once, and serves headless', async () => {
    const cli = open(standIn(`console.error('Missing X server or $DISPLAY'); process.exit(1)`));
    await servedHeadless(cli, /code 1 \(Missing X server or \$DISPLAY\)/);
  });

  test('reports a lost display, whatever else Chromium prints', async () => {
    const shown = [
      '[1:ERROR:connection.cc(63)] X connection error received.',
      'Failed to shutdown.',
    ];
    const cli = open(
      standIn(`console.error(${JSON.stringify(shown.join('\n'))}); process.exit(1)`),
    );
    await servedHeadless(cli, /window: its display is gone\. Serving/);
  });

  test('reports a process that exits before opening a window, whatever its exit code', async () => {
    await servedHeadless(open(standIn('')), /ended with code 0/);
  });

  test('does not report a window that was closed within the first seconds', async () => {
    const cli = open(standIn(`process.send('window', () => process.exit(0))`));
    expect(await cli.ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  test('prints the app’s own lines and hides those of Chromium', async () => {
    const cli = open(
      standIn(
        `console.error('[1:ERROR] noise'); console.error('grantbench: heed this'); process.send('window')`,
      ),
    );
    const { stderr } = await cli.ended;
    expect(stderr).toBe('grantbench: heed this');
  });

  test('closes the window on a signal, and ends with it', async () => {
    const cli = open(
      standIn(`process.on('message', (said) => said === 'quit' && process.exit(0));
        process.send('window'); console.error('grantbench: open')`),
    );
    await cli.stderr.line(/open/);
    cli.child.kill('SIGTERM');
    expect(await cli.ended).toMatchObject({ code: 0, stdout: '' });
  });

  test('does not pass ELECTRON_RUN_AS_NODE to Electron', async () => {
    const cli = open({
      ...standIn(
        `console.error('grantbench: ' + process.env.ELECTRON_RUN_AS_NODE); process.send('window')`,
      ),
      ELECTRON_RUN_AS_NODE: '1',
    });
    expect((await cli.ended).stderr).toBe('grantbench: undefined');
  });
});
