// The members that a scenario may have at a path, by its schema: the problem of a misspelt one names the
// one that was probably meant.

import type { z } from 'zod/mini';

type Definition = {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
};

const definitionOf = ({ _zod }: z.core.$ZodType): Definition => _zod.def;

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const { innerType } = definitionOf(schema);
  return innerType === undefined ? schema : unwrapped(innerType);
}

function below(schema: z.core.$ZodType, segment: PropertyKey): z.core.$ZodType | undefined {
  const { element, shape, valueType } = definitionOf(unwrapped(schema));
  return element ?? valueType ?? shape?.[String(segment)];
}

/** Empty where any name will do, or none. */
export function membersAt(
  schema: z.core.$ZodType,
  path: readonly PropertyKey[],
): readonly string[] {
  let at: z.core.$ZodType | undefined = schema;
  for (const segment of path) at = at === undefined ? undefined : below(at, segment);
  return at === undefined ? [] : Object.keys(definitionOf(unwrapped(at)).shape ?? {});
}
