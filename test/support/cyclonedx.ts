// The schema of CycloneDX 1.6 from the CycloneDX library, with the schemas it refers to.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';

const manifest = createRequire(import.meta.url).resolve(
  '@cyclonedx/cyclonedx-library/package.json',
);

/** The schemas refer to each other by these file names, relative to the address of the main schema. */
const BASE = 'http://cyclonedx.org/schema/';
const nameOf = (schema: string) => `${schema}.SNAPSHOT.schema.json`;
const read = (schema: string) =>
  JSON.parse(
    readFileSync(join(dirname(manifest), 'res', 'schema', nameOf(schema)), 'utf8'),
  ) as object;

/** The problems of a bill of materials; string formats, such as addresses, are not checked. */
export function problemsOfBill(bill: unknown): readonly ErrorObject[] {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const schema of ['spdx', 'jsf-0.82', 'cryptography-defs'])
    ajv.addSchema(read(schema), BASE + nameOf(schema));
  const validate = ajv.compile(read('bom-1.6'));
  validate(bill);
  return validate.errors ?? [];
}
