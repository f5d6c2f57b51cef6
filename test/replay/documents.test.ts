// Scenarios that an earlier build wrote, by hand and in the Flow view: the command line runs them as they
// are. They are copies: the ones that ship may change with the product, these may not.

import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { scenariosFolder } from './corpus-files.ts';

test('scenarios of an earlier build run as they did', async () => {
  const files = await readdir(scenariosFolder);
  const { code, stdout, stderr } = await runCli(['run', scenariosFolder]);
  expect(stdout.split('\n').filter((line) => /^\s*not ok/.test(line))).toEqual([]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`1..${files.length}`);
});
