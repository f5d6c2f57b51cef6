import { describe, expect, it } from 'vitest';
import { windowsSpawnable } from '../../src/cli/commands/exec/child.ts';

const ENV = {
  PATH: 'C:\\node;C:\\tools',
  PATHEXT: '.COM;.EXE;.BAT;.CMD',
  ComSpec: 'C:\\Windows\\System32\\cmd.exe',
};
const files =
  (...there: string[]) =>
  (file: string) =>
    there.some((each) => each.toLowerCase() === file.toLowerCase());

describe('a command on Windows', () => {
  it('that is a program is started directly, without a shell', () => {
    const found = windowsSpawnable(['node', 'a b'], ENV, files('C:\\node\\node.exe'));
    expect(found).toEqual({ file: 'C:\\node\\node.EXE', args: ['a b'], verbatim: false });
  });

  it('that is a batch file is run by cmd.exe, with each argument quoted for two parsers', () => {
    const found = windowsSpawnable(['npm', 'run', 'a&b'], ENV, files('C:\\tools\\npm.cmd'));
    expect(found).toEqual({
      file: ENV.ComSpec,
      args: ['/d', '/s', '/c', '"C:\\tools\\npm.CMD ^^^"run^^^" ^^^"a^^^&b^^^""'],
      verbatim: true,
    });
  });

  it('that does not exist is passed on, so that starting it fails', () => {
    const found = windowsSpawnable(['nothing', 'x'], ENV, () => false);
    expect(found).toEqual({ file: 'nothing', args: ['x'], verbatim: false });
  });
});
