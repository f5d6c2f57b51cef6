// The schema of CycloneDX 1.6 as the CycloneDX library publishes it, with those that it refers to.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';

const manifest = createRequire(import.meta.url).resolve(
  '@cyclonedx/cyclonedx-library/package.json',
);

/** They refer to each other by the names of these files, beside the schema's own address. */
const BASE = 'http://cyclonedx.org/schema/';
const nameOf = (schema: string) => `${schema}.SNAPSHOT.schema.json`;
const read = (schema: string) =>
  JSON.parse(
    readFileSync(join(dirname(manifest), 'res', 'schema', nameOf(schema)), 'utf8'),
  ) as object;

/** What is wrong with a bill of materials; formats of texts, such as that of an address, are not checked. */
export function problemsOfBill(bill: unknown): readonly ErrorObject[] {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const schema of ['spdx', 'jsf-0.82', 'cryptography-defs'])
    ajv.addSchema(read(schema), BASE + nameOf(schema));
  const validate = ajv.compile(read('bom-1.6'));
  validate(bill);
  return validate.errors ?? [];
}
