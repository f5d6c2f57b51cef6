// Opening the page in the browser: the program on each system, and the message when it fails.

import { afterEach, describe, expect, test } from 'vitest';
import { openerOf } from '../../src/cli/browser.ts';
import { startCli, stopCli, type CliProcess } from '../support/cli-process.ts';
import { createStandInBrowser, type StandInBrowser } from '../support/stand-in-browser.ts';

const URL = 'http://localhost:4281/open/x?a=b&c';

describe('a URL', () => {
  test('is opened on Linux by xdg-open, when X or Wayland has a display', () => {
    const opener = { file: 'xdg-open', args: [URL] };
    expect(openerOf(URL, 'linux', { DISPLAY: ':0' })).toEqual(opener);
    expect(openerOf(URL, 'linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(opener);
    expect(openerOf(URL, 'linux', { DISPLAY: '', WAYLAND_DISPLAY: '' })).toBeNull();
  });

  test('is opened on macOS by open', () => {
    expect(openerOf(URL, 'darwin', {})).toEqual({ file: '/usr/bin/open', args: [URL] });
  });

  test('is opened on Windows without cmd.exe, by a program in the system folder rather than the current one', () => {
    expect(openerOf(URL, 'win32', { SystemRoot: 'D:\\Windows' })).toEqual({
      file: 'D:\\Windows\\System32\\rundll32.exe',
      args: ['url.dll,FileProtocolHandler', URL],
    });
  });

  test.each(['linux', 'darwin', 'win32'] as const)(
    'is opened on %s by the program in BROWSER',
    (platform) => {
      expect(openerOf(URL, platform, { BROWSER: 'lynx' })).toEqual({ file: 'lynx', args: [URL] });
      expect(openerOf(URL, platform, { BROWSER: 'none', DISPLAY: ':0' })).toBeNull();
    },
  );
});

describe.skipIf(process.platform === 'win32')('serve --open', () => {
  let browser: StandInBrowser | undefined;
  let running: CliProcess | undefined;

  afterEach(async () => {
    browser?.close();
    browser = undefined;
    if (running !== undefined) await stopCli(running);
  });

  function serve(env: NodeJS.ProcessEnv, ...args: string[]): CliProcess {
    running = startCli(['serve', '--port', '0', '--control-port', '0', ...args], env);
    return running;
  }

  test('opens a link to the page that works once', async () => {
    browser = await createStandInBrowser();
    const { control } = await serve(browser.env, '--open', '--json').ready();
    const link = await browser.opened;
    const first = await fetch(link, { redirect: 'manual' });
    expect(first.status).toBe(303);
    expect(first.headers.get('location')).toBe(`/#token=${control.token}`);
    expect((await fetch(link)).status).toBe(404);
  });

  test('reports in one sentence when the browser fails, and continues', async () => {
    browser = await createStandInBrowser(3);
    const cli = serve(browser.env, '--open');
    expect(await cli.stderr.line(/browser/)).toMatch(
      /^Cannot open the browser \(.* ended with code 3\)\. Open the URL after "Workbench"\.$/,
    );
    cli.child.kill('SIGTERM');
    expect((await cli.ended).code).toBe(0);
  });

  test('reports a missing browser in the same way', async () => {
    const cli = serve({ GRANTBENCH_OPEN: '1', BROWSER: '/missing/browser' });
    expect(await cli.stderr.line(/browser/)).toContain(
      'Cannot open the browser (spawn /missing/browser ENOENT)',
    );
  });
});
