// The built `grantbench serve` as a process of a script, and its control API.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './run.mjs';

/** @param {string[]} args */
export async function serve(args) {
  const cli = join(ROOT, 'out/node/cli.cjs');
  const child = spawn(process.execPath, [cli, 'serve', '--json', '--quiet', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', () => reject(new Error('grantbench serve ended before it was ready')));
  });
  return { child, ready: JSON.parse(line) };
}

/** @param {any} ready @returns {(method: string, path: string, body?: unknown) => Promise<any>} */
export const controlOf = (ready) => async (method, path, body) => {
  const answer = await fetch(`${ready.control.url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${ready.control.token}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return answer.status === 204 ? null : answer.json();
};
