// Run by ui.mjs with an Electron, on a display: how long our window and a bare one take from the start of the process
// until the window is usable (ours: the server runs and the first view is there), at the first start and at a later
// one. It prints the times in ms, as JSON.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron } from '@playwright/test';
import { ROOT } from '../../scripts/run.mjs';
import { inTurn } from './statistics.mjs';

const ROUNDS = 5;
const APPS = {
  ours: {
    path: ROOT,
    contents: (page) => [
      page.getByRole('banner').getByText('Running'),
      page.getByRole('button', { name: 'Run all' }),
    ],
  },
  bare: {
    path: join(import.meta.dirname, 'bare-window'),
    contents: (page) => [page.getByText('bare')],
  },
};

const [executablePath] = process.argv.slice(2);
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

async function timeToContent(name, folder) {
  const { path, contents } = APPS[name];
  const begun = performance.now();
  const app = await _electron.launch({
    executablePath,
    args: [...sandbox, `--user-data-dir=${folder}`, path],
    env: { ...process.env, GRANTBENCH_USER_DATA: folder, GRANTBENCH_PORT: '0' },
  });
  try {
    const page = await app.firstWindow();
    await Promise.all(contents(page).map((content) => content.waitFor()));
    return performance.now() - begun;
  } finally {
    await app.close();
  }
}

/** The first start of an app, which has no data folder yet, and a later one. */
async function twoStarts(name) {
  const folder = mkdtempSync(join(tmpdir(), 'grantbench-window-'));
  try {
    return { first: await timeToContent(name, folder), later: await timeToContent(name, folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

process.stdout.write(JSON.stringify(await inTurn(Object.keys(APPS), ROUNDS, twoStarts)));
