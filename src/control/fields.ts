// Reads what a record's schema says about a member: label, help, descriptions of its values, bounds of a number.
// Forms and the tables of the documentation are generated from this; it knows neither.

import { valueWords, z } from '../core/records/zod.ts';

type Schema = z.core.$ZodType;

export interface Field {
  readonly label: string;
  readonly help: string;
  /** The meaning of each value; empty if every value of the type is allowed. */
  readonly values: Readonly<Record<string, string>>;
  /** The meaning of null or a missing value; undefined for a required member. */
  readonly defaultValue: unknown;
  /** Only for numbers. */
  readonly bounds: { readonly min?: number; readonly max?: number };
}

/** Returns the schema without its wrappers for optional, nullable and default values. */
function bare(schema: Schema): Schema {
  const { def } = schema._zod as { readonly def: z.core.$ZodTypeDef & { innerType?: Schema } };
  return def.innerType === undefined ? schema : bare(def.innerType);
}

/** Returns the members of an object, or those of all options of a union. */
export function membersOf(schema: Schema): Readonly<Record<string, Schema>> {
  const one = bare(schema);
  if (one instanceof z.ZodMiniObject) return one.shape;
  if (!(one instanceof z.ZodMiniUnion || one instanceof z.ZodMiniDiscriminatedUnion)) return {};
  return Object.assign({}, ...one._zod.def.options.map(membersOf)) as Record<string, Schema>;
}

/**
 * Returns the options of a discriminated union by the value of their discriminator, such as a fault's effects by
 * kind.
 */
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

/** Returns the schema of the value, or that of the entries of a list. */
function entryOf(schema: Schema): Schema {
  const one = bare(schema);
  return one instanceof z.ZodMiniArray ? bare(one._zod.def.element) : one;
}

/** Returns the descriptions of the values, which the schema or the options of a union have. */
const valuesOf = (schema: Schema): Field['values'] =>
  valueWords.get(entryOf(schema))?.values ??
  Object.fromEntries(
    Object.entries(optionsOf(schema)).map(([value, option]) => [
      value,
      z.globalRegistry.get(option)?.title ?? value,
    ]),
  );

/** Returns the bounds of a number, which are all inclusive. */
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
    label: title,
    help: description,
    values: valuesOf(schema),
    defaultValue,
    bounds: boundsOf(schema),
  };
}

/** Returns the paths of all members of a record, including nested ones: `lifetimes`, `lifetimes.code`. */
export type PathIn<T> = T extends readonly unknown[]
  ? never
  : T extends object
    ? { [K in keyof T & string]: K | `${K}.${PathIn<T[K]>}` }[keyof T & string]
    : never;

export function fieldAt<S extends Schema>(record: S, path: PathIn<z.output<S>>): Field {
  const schema = path.split('.').reduce<Schema>((inside, name: string) => {
    const member = membersOf(inside)[name];
    if (member === undefined) throw new Error(`The schema has no member ${path}.`);
    return member;
  }, record);
  return fieldOf(schema);
}
