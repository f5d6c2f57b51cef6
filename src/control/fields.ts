// What a record's schema says of one of its members: its label and help, the words for its values, the bounds
// of a number. Forms and the tables of the documentation are made of it; it knows neither.

import { valueWords, z } from '../core/records/zod.ts';

type Schema = z.core.$ZodType;

export interface Field {
  readonly label: string;
  readonly help: string;
  /** What each value means; empty where any value of its type will do. */
  readonly values: Readonly<Record<string, string>>;
  /** What null or nothing stands for; undefined where the member is required. */
  readonly defaultValue: unknown;
  /** Of a number. */
  readonly bounds: { readonly min?: number; readonly max?: number };
}

/** Without what stands in for a value that is left out or null. */
function bare(schema: Schema): Schema {
  const { def } = schema._zod as { readonly def: z.core.$ZodTypeDef & { innerType?: Schema } };
  return def.innerType === undefined ? schema : bare(def.innerType);
}

/** The members of an object; of a union, those of all its options. */
export function membersOf(schema: Schema): Readonly<Record<string, Schema>> {
  const one = bare(schema);
  if (one instanceof z.ZodMiniObject) return one.shape;
  if (!(one instanceof z.ZodMiniUnion || one instanceof z.ZodMiniDiscriminatedUnion)) return {};
  return Object.assign({}, ...one._zod.def.options.map(membersOf)) as Record<string, Schema>;
}

/** The options of a union by what tells them apart, a fault's effects by their kind. */
export function optionsOf(schema: Schema): Readonly<Record<string, Schema>> {
  const union = bare(schema);
  if (!(union instanceof z.ZodMiniDiscriminatedUnion)) return {};
  const { discriminator, options } = union._zod.def;
  return Object.fromEntries(
    options.flatMap((option) => {
      const tag = membersOf(option)[discriminator];
      return tag instanceof z.ZodMiniLiteral ? [[String(tag._zod.def.values[0]), option]] : [];
    }),
  );
}

/** Said of the values themselves, or by the options that they choose between. */
const valuesOf = (schema: Schema): Field['values'] =>
  valueWords.get(schema)?.values ??
  Object.fromEntries(
    Object.entries(optionsOf(schema)).map(([value, option]) => [
      value,
      z.globalRegistry.get(option)?.title ?? value,
    ]),
  );

/** The rules by which the schema checks a number; none here excludes its own value. */
function boundsOf(schema: Schema): Field['bounds'] {
  const one = bare(schema);
  const rules = one instanceof z.ZodMiniNumber ? (one._zod.def.checks ?? []) : [];
  const bound = (kind: string) =>
    rules
      .map(({ _zod }) => _zod.def as { readonly check: string; readonly value?: unknown })
      .find(({ check }) => check === kind)?.value;
  const [min, max] = [bound('greater_than'), bound('less_than')];
  return {
    ...(typeof min === 'number' ? { min } : {}),
    ...(typeof max === 'number' ? { max } : {}),
  };
}

export function fieldOf(schema: Schema): Field {
  const { title = '', description = '' } = z.globalRegistry.get(schema) ?? {};
  const defaultValue =
    schema instanceof z.ZodMiniDefault ? schema._zod.def.defaultValue : undefined;
  return {
    ...{ label: title, help: description, values: valuesOf(schema) },
    ...{ defaultValue, bounds: boundsOf(schema) },
  };
}

/** Paths of the members of a record, and of those inside them: `lifetimes`, `lifetimes.code`. */
export type PathIn<T> = T extends readonly unknown[]
  ? never
  : T extends object
    ? { [K in keyof T & string]: K | `${K}.${PathIn<T[K]>}` }[keyof T & string]
    : never;

export function fieldAt<S extends Schema>(record: S, path: PathIn<z.output<S>>): Field {
  const schema = path.split('.').reduce<Schema>((inside, name: string) => {
    const member = membersOf(inside)[name];
    if (member === undefined) throw new Error(`the schema has no member ${path}`);
    return member;
  }, record);
  return fieldOf(schema);
}
