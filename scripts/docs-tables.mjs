// `npm run docs:tables`: writes the tables between `<!-- generated: name -->` and `<!-- /generated -->` in docs/
// anew, from the schemas, the contract and the command line, and the settings of client libraries between `<!--
// settings: id -->` and `<!-- /settings -->`. A test checks that they are current.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { ROOT } from './run.mjs';

const DOCS = join(ROOT, 'docs');

const { module } = await runnerImport(join(ROOT, 'scripts', 'docs-tables.ts'));
const { filled } = /** @type {typeof import('./docs-tables.ts')} */ (module);
const files = readdirSync(DOCS, { recursive: true, encoding: 'utf8' });
for (const name of files.filter((file) => file.endsWith('.md'))) {
  const text = readFileSync(join(DOCS, name), 'utf8');
  const next = filled(text);
  if (next !== text) writeFileSync(join(DOCS, name), next);
}
