// Scenarios written for an earlier build, by hand and in the Flow view, still run on the command line. These copies
// must not change, unlike the shipped scenarios.

import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { scenariosFolder } from './corpus-files.ts';

test('scenarios of an earlier build still pass', async () => {
  const files = await readdir(scenariosFolder);
  const { code, stdout, stderr } = await runCli(['run', scenariosFolder]);
  expect(stdout.split('\n').filter((line) => /^\s*not ok/.test(line))).toEqual([]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`1..${files.length}`);
});
