// `npm start` in this checkout. Needs a build, and creates one if there is none.

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packagedElectron } from '../../scripts/electron-binary.mjs';
import { userData } from '../support/cli-process.ts';

const START = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));

/** Starts it and ends it when it serves. @returns its stderr */
async function start(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, [START, ...args], {
    env: { ...process.env, GRANTBENCH_USER_DATA: userData, BROWSER: 'none', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout.once('data', () => child.kill('SIGTERM'));
  await new Promise((resolve) => child.once('close', resolve));
  return stderr;
}

/** A server in place of GitHub without downloads, and the requested paths. */
async function startMirror() {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const cache = mkdtempSync(join(tmpdir(), 'grantbench-electron-'));
  onTestFinished(() => {
    server.close();
    rmSync(cache, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    env: {
      ELECTRON_MIRROR: `http://localhost:${port}/`,
      electron_config_cache: cache,
      ELECTRON_OVERRIDE_DIST_PATH: undefined,
      ELECTRON_EXEC_PATH: undefined,
      GRANTBENCH_PORT: '0',
      GRANTBENCH_CONTROL_PORT: '0',
    },
  };
}

describe('npm start', () => {
  beforeAll(() => start(['--version'], {}));

  it('builds once, and again only after a source changes', async () => {
    expect(await start(['--version'], {})).toBe('');
  });

  it.runIf(process.platform === 'linux' && packagedElectron() === null)(
    'does not download Electron without a display',
    async () => {
      const { asked, env } = await startMirror();
      const stderr = await start([], { ...env, DISPLAY: '', WAYLAND_DISPLAY: '' });
      expect(stderr).toMatch(/^Cannot open the window: there is no display/);
      expect(asked).toEqual([]);
    },
  );

  it.runIf(packagedElectron() === null).each([[[]], [['shop.grantbench.json']]])(
    'does not suggest downloading Electron again after a failed download (%j)',
    async (args) => {
      const { asked, env } = await startMirror();
      const folder = mkdtempSync(join(tmpdir(), 'grantbench-start-'));
      onTestFinished(() => {
        rmSync(folder, { recursive: true });
      });
      const paths = args.map((name) => join(folder, name));
      const stderr = await start(paths, { ...env, DISPLAY: ':99' });
      expect(asked).toHaveLength(1);
      expect(stderr).toMatch(/^Cannot open the window: Electron could not be fetched \(.+\)/m);
      expect(stderr).toContain(
        'ELECTRON_OVERRIDE_DIST_PATH can name the folder of another Electron.',
      );
      expect(stderr).not.toContain('install-electron');
    },
  );
});
