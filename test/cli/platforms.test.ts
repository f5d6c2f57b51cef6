// Platform differences of the command line on Windows, macOS and Linux.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { electronFlags, executableOf, missingDisplay } from '../../src/cli/commands/open.ts';
import { isWorkspaceFile } from '../../src/cli/commands/command.ts';
import {
  blockedPortHint,
  createShutdown,
  trustText,
} from '../../src/cli/commands/serve/run-server.ts';
import { applicationData } from '../../src/cli/data-folder.ts';

describe('the data folder', () => {
  it.each([
    ['win32', { APPDATA: 'D:\\Roaming' }, 'C:\\Users\\ada', 'D:\\Roaming'],
    ['win32', {}, 'C:\\Users\\ada', 'C:\\Users\\ada\\AppData\\Roaming'],
    ['win32', { APPDATA: '' }, 'C:\\Users\\ada', 'C:\\Users\\ada\\AppData\\Roaming'],
    ['darwin', { XDG_CONFIG_HOME: '/x' }, '/Users/ada', '/Users/ada/Library/Application Support'],
    ['linux', {}, '/home/ada', '/home/ada/.config'],
    ['linux', { XDG_CONFIG_HOME: '/x' }, '/home/ada', '/x'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/ada', '/home/ada/.config'],
    ['freebsd', {}, '/home/ada', '/home/ada/.config'],
  ] as const)('on %s with %j', (platform, env, home, folder) => {
    expect(applicationData(platform, env, home)).toBe(folder);
  });
});

describe('the window', () => {
  it.each([
    ['win32', 'electron.exe'],
    ['darwin', 'Electron.app/Contents/MacOS/Electron'],
    ['linux', 'electron'],
  ] as const)('on %s is opened by %s', (platform, file) => {
    expect(executableOf(platform)).toBe(file);
  });

  it('needs a display on Linux, of X or of Wayland; Windows and macOS have one', () => {
    expect(missingDisplay('linux', {})).toContain('there is no display');
    expect(missingDisplay('linux', { DISPLAY: '', WAYLAND_DISPLAY: '' })).not.toBeNull();
    expect(missingDisplay('linux', { DISPLAY: ':0' })).toBeNull();
    expect(missingDisplay('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toBeNull();
    expect(missingDisplay('win32', {})).toBeNull();
    expect(missingDisplay('darwin', {})).toBeNull();
  });

  it('uses Wayland without X, and X when both exist', () => {
    const wayland = { WAYLAND_DISPLAY: 'wayland-0' };
    expect(electronFlags('linux', wayland, 1000)).toEqual(['--ozone-platform=wayland']);
    expect(electronFlags('linux', { ...wayland, DISPLAY: ':0' }, 1000)).toEqual([]);
  });

  it('runs without a sandbox as root, which needs a flag only on Linux', () => {
    expect(electronFlags('linux', { DISPLAY: ':0' }, 0)).toEqual(['--no-sandbox']);
    expect(electronFlags('darwin', {}, 0)).toEqual([]);
    expect(electronFlags('win32', {}, undefined)).toEqual([]);
  });

  it('opens a workspace file with an upper-case name', () => {
    expect(isWorkspaceFile('C:\\Shop.GRANTBENCH.JSON')).toBe(true);
    expect(isWorkspaceFile('shop.json')).toBe(false);
  });
});

describe('the instructions to trust the certificate', () => {
  const lineOf = (platform: NodeJS.Platform, file: string) =>
    /Node\.js +(.+)/.exec(trustText(file, 'https://localhost:4280', platform))?.[1];

  it('are for PowerShell on Windows', () => {
    expect(lineOf('win32', "C:\\Users\\O'Hara\\cert.pem")).toBe(
      "$env:NODE_EXTRA_CA_CERTS='C:\\Users\\O''Hara\\cert.pem'",
    );
  });

  it('are for a POSIX shell elsewhere, with quoting where needed', () => {
    expect(lineOf('linux', '/home/ada/cert.pem')).toBe('NODE_EXTRA_CA_CERTS=/home/ada/cert.pem');
    expect(lineOf('darwin', "/Users/ada/Application Support/it's.pem")).toBe(
      "NODE_EXTRA_CA_CERTS='/Users/ada/Application Support/it'\\''s.pem'",
    );
  });
});

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

describe('serve', () => {
  it('warns of each port that fetch refuses to connect to', async () => {
    const dispatcher = {
      dispatch: () => {
        throw new Error('allowed');
      },
    };
    const refused: number[] = [];
    for (let port = 1; port < 11_000; port += 1) {
      const init = { dispatcher } as unknown as RequestInit;
      const error: unknown = await fetch(`http://localhost:${port}`, init).catch((e: unknown) => e);
      if ((error as { cause: Error }).cause.message === 'bad port') refused.push(port);
    }
    const warned = refused.filter((port) => blockedPortHint([4280, port]) !== null);
    expect(warned).toEqual(refused);
    expect(refused).toContain(6000);
    expect(blockedPortHint([4280, 4281])).toBeNull();
  });

  /** Those of the test runner and of other test files; signals must not reach them. */
  const others = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));

  beforeEach(() => {
    for (const signal of SIGNALS) process.removeAllListeners(signal);
  });

  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    for (const [signal, listeners] of others) {
      process.removeAllListeners(signal);
      for (const listener of listeners) process.on(signal, listener);
    }
  });

  it.each(SIGNALS)(
    'shuts down gracefully on %s (SIGBREAK is Ctrl+Break on Windows)',
    async (signal) => {
      // The process ends at the end of its grace period.
      vi.useFakeTimers({ toFake: ['setTimeout'] });
      const exited = new Promise<unknown>((resolve) => {
        vi.spyOn(process, 'exit').mockImplementation(resolve as never);
      });
      const close = vi.fn(() => Promise.resolve());
      createShutdown().add(close);
      process.emit(signal, signal);
      expect(await exited).toBe(0);
      expect(close).toHaveBeenCalledOnce();
    },
  );
});
