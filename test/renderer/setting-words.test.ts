// The text about a setting is in its schema, and nowhere else.

import { expect, test } from 'vitest';
import { fieldAt, type PathIn } from '../../src/control/fields.ts';
import { faultSchema } from '../../src/control/fault-schemas.ts';
import { clientSchema, settingsSchema, type Settings } from '../../src/control/schemas.ts';
import { mergePatch } from '../../src/control/names.ts';
import { z } from '../../src/control/zod.ts';
import { problemsByField } from '../../src/renderer/ui/problems.ts';
import {
  CORS_ITEM,
  VALUE_SECTIONS,
  type SettingItem,
} from '../../src/renderer/views/settings/sections.ts';
import { startHarness } from '../support/harness.ts';

interface Field {
  readonly enum?: readonly string[];
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

test('the Settings view shows the text of the schema', () => {
  const described = Object.fromEntries(fields);
  for (const { path, label, help } of [CORS_ITEM, ...VALUE_SECTIONS.flatMap((s) => s.items)]) {
    expect({ path, title: label, description: help }).toEqual({
      path,
      title: described[path]?.title,
      description: described[path]?.description,
    });
  }
});

test('each value of a setting has a text, and no other value has one', () => {
  for (const [path, { enum: values }] of fields) {
    const words = fieldAt(settingsSchema, path as PathIn<Settings>).values;
    expect([path, Object.keys(words)]).toEqual([path, values ?? []]);
  }
});

test('emptying a setting in the page restores its default, as null does in the control API', async () => {
  const { api } = await startHarness({ start: false });
  const defaults = settingsSchema.parse({});
  for (const [name] of fields) {
    const members = name.split('.').reverse();
    const patch = members.reduce<unknown>((inner, member) => ({ [member]: inner }), null);
    const { status, body } = await api('PATCH', '/settings', patch);
    expect([name, status]).toEqual([name, 200]);
    const value = name.split('.').reduce<unknown>((inside, member) => Object(inside)[member], body);
    expect([name, value]).toEqual([
      name,
      fieldAt(settingsSchema, name as PathIn<Settings>).defaultValue,
    ]);
    expect(problemsByField(settingsSchema, mergePatch(defaults, patch))).toEqual({});
  }
});

test('a form uses the bounds of the schema: in groups, in unions, and of nullable and defaulted members', () => {
  expect(fieldAt(settingsSchema, 'lifetimes.code').bounds).toEqual({ min: 1, max: 86_400 });
  expect(fieldAt(clientSchema, 'throttle.window_seconds').bounds).toEqual({ min: 1, max: 86_400 });
  expect(fieldAt(clientSchema, 'access_token_expires_in').bounds.min).toBe(1);
  expect(fieldAt(faultSchema, 'effect.status').bounds).toEqual({ min: 200, max: 599 });
  expect(fieldAt(faultSchema, 'probability').bounds).toEqual({ min: 0, max: 1 });
  expect(fieldAt(settingsSchema, 'issuer').bounds).toEqual({});
});

test('a setting that is renamed only in its schema causes a type error where it is shown', () => {
  // @ts-expect-error there is no such setting
  const path: SettingItem['path'] = 'lifetimes.cookie';
  expect(() => fieldAt(settingsSchema, path)).toThrow(path);
  // @ts-expect-error there is no such member
  expect(() => fieldAt(settingsSchema, 'lifetimes.cookie')).toThrow('lifetimes.cookie');
});
