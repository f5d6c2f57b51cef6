// `grantbench` in a terminal, with a real Electron.

import { startCli, stopCli } from '../support/cli-process.ts';
import { freePort } from '../support/free-port.ts';
import { appEnvironment, expect, test } from './launch.ts';

test('grantbench opens the window, closes it on a signal, and ends with it', async ({
  executablePath,
  userData,
}) => {
  const port = await freePort();
  const cli = startCli([], {
    ...appEnvironment(userData, port),
    ELECTRON_EXEC_PATH: executablePath,
  });
  const alive = () =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      (answer) => answer.ok,
      () => false,
    );
  try {
    await expect.poll(alive).toBe(true);
    cli.child.kill('SIGTERM');
    expect(await cli.ended).toMatchObject({ code: 0, stdout: '' });
    expect(cli.stderr.lines.join('\n')).not.toContain('headless');
    expect(await alive()).toBe(false);
  } finally {
    await stopCli(cli);
  }
});
