// A file named by a command or a flag is read only if it is a regular file, since a device could be endless.

import { beforeAll, describe, expect, it } from 'vitest';
import { callCli } from '../support/call-cli.ts';
import { cliFolder } from '../support/cli-folder.ts';
import { runCli } from '../support/run-cli.ts';

const DEVICE = '/dev/zero';

const COMMANDS: readonly (readonly string[])[] = [
  ['serve', '--workspace', DEVICE],
  ['serve', '--workspace', DEVICE, '--save'],
  ['serve', '--keep', DEVICE],
  ['serve', '--https', '--cert', DEVICE, '--key', DEVICE],
  ['exec', '--workspace', DEVICE, '--', process.execPath, '-e', ''],
  ['run', DEVICE],
  ['workspace', 'validate', DEVICE],
  ['workspace', 'import', DEVICE],
  ['clients', 'add', '--file', DEVICE],
  ['faults', 'add', '--file', DEVICE],
  ['mirror', 'http://127.0.0.1:9', '--token', DEVICE],
];

describe.skipIf(process.platform === 'win32')('a file that is named', () => {
  const { serve } = cliFolder('files', 'all');
  beforeAll(async () => {
    await serve().ready();
  });

  it.each(COMMANDS.map((args) => [args.join(' ').replace(process.execPath, 'node'), args]))(
    'is not read when it is a device: grantbench %s',
    async (_words, args) => {
      const env = { GRANTBENCH_PORT: '0', GRANTBENCH_CONTROL_PORT: '0' };
      const { code, stderr } = await callCli(args, { env });
      expect(stderr).toContain('it is a device, a pipe or a socket, not a regular file');
      expect(stderr).toContain(DEVICE);
      expect(code).not.toBe(0);
    },
  );

  it('is read as standard input where that is a pipe', async () => {
    const { code } = await runCli(['workspace', 'validate', '-'], { input: '{"version": 1}' });
    expect(code).toBe(0);
  });
});
