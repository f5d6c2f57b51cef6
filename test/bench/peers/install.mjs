// Installs the pinned peers into their own folder when they are not there yet.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('./', import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, folder), 'utf8'));

function isInstalled([name, version]) {
  const manifest = `node_modules/${name}/package.json`;
  return existsSync(new URL(manifest, folder)) && read(manifest).version === version;
}

export function ensurePeers() {
  const pins = Object.entries(read('package.json').dependencies);
  if (pins.every(isInstalled)) return;
  console.log(`installing ${pins.map((pin) => pin.join(' ')).join(', ')}`);
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  // Under `npm run` npm names its own script; bare `npm` is a .cmd on Windows, which needs a shell.
  const [command, ...before] = process.env.npm_execpath
    ? [process.execPath, process.env.npm_execpath]
    : ['npm'];
  execFileSync(command, [...before, ...args], {
    cwd: fileURLToPath(folder),
    stdio: 'inherit',
    shell: command === 'npm' && process.platform === 'win32',
  });
}
