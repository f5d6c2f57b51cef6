// `npm run scenario-schema`: writes resources/scenario.schema.json, with which editors complete and check scenarios,
// from the schema that Grantbench uses. A test checks that it is current.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as prettier from 'prettier';
import { runnerImport } from 'vite';
import { z } from 'zod/mini';
import { ROOT } from './run.mjs';

const SOURCE = join(ROOT, 'src', 'scenario', 'schema.ts');
const TARGET = join(ROOT, 'resources', 'scenario.schema.json');

/** @param {z.core.$ZodType} schema */
export const jsonSchemaOf = (schema) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Grantbench scenario',
  ...z.toJSONSchema(schema, { io: 'input' }),
});

async function write() {
  const { module } = await runnerImport(SOURCE);
  const { scenarioSchema } = /** @type {{ scenarioSchema: z.core.$ZodType }} */ (module);
  const options = (await prettier.resolveConfig(TARGET)) ?? {};
  const text = JSON.stringify(jsonSchemaOf(scenarioSchema));
  writeFileSync(TARGET, await prettier.format(text, { ...options, parser: 'json' }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await write();
