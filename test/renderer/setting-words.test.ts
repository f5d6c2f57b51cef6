// The words of a setting stand in its schema, and nowhere else.

import { expect, test } from 'vitest';
import { settingsSchema } from '../../src/control/schemas.ts';
import { z } from '../../src/control/zod.ts';
import { CORS_ITEM, VALUE_SECTIONS } from '../../src/renderer/views/settings/sections.ts';

interface Field {
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Field>>;
}

const fieldsOf = (field: Field, path: string): [string, Field][] =>
  field.properties === undefined
    ? [[path, field]]
    : Object.entries(field.properties).flatMap(([name, inner]) =>
        fieldsOf(inner, path === '' ? name : `${path}.${name}`),
      );

const fields = fieldsOf(z.toJSONSchema(settingsSchema, { io: 'input' }) as Field, '');

test('every setting has a label and a description', () => {
  const wordless = fields.filter(([, { title, description }]) => !title || !description);
  expect(wordless.map(([path]) => path)).toEqual([]);
});

test('the Settings view shows the words of the schema', () => {
  const described = Object.fromEntries(fields);
  for (const { path, label, help } of [CORS_ITEM, ...VALUE_SECTIONS.flatMap((s) => s.items)]) {
    expect({ path, title: label, description: help }).toEqual({
      path,
      title: described[path]?.title,
      description: described[path]?.description,
    });
  }
});
