// `grantbench` in a terminal, with a real Electron.

import { startCli, stopCli } from '../support/cli-process.ts';
import { freePort } from '../support/free-port.ts';
import { appEnvironment, expect, isAlive, test } from './launch.ts';

test('grantbench opens the window, closes it on a signal, and ends with it', async ({
  executablePath,
  userData,
}) => {
  const port = await freePort();
  const cli = startCli([], {
    ...appEnvironment(userData, port),
    ELECTRON_EXEC_PATH: executablePath,
  });
  try {
    await expect.poll(() => isAlive(port)).toBe(true);
    cli.child.kill('SIGTERM');
    expect(await cli.ended).toMatchObject({ code: 0, stdout: '' });
    expect(cli.stderr.lines.join('\n')).not.toContain('headless');
    expect(await isAlive(port)).toBe(false);
  } finally {
    await stopCli(cli);
  }
});
