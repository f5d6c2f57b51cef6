// The members that a scenario may have at a path, as its schema says: what was misspelt is told with what
// was probably meant.

import type { z } from 'zod';

type Definition = {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
};

const definitionOf = ({ def }: z.ZodType): Definition => def;

function unwrapped(schema: z.ZodType): z.ZodType {
  const { innerType } = definitionOf(schema);
  return innerType === undefined ? schema : unwrapped(innerType);
}

function below(schema: z.ZodType, segment: PropertyKey): z.ZodType | undefined {
  const { element, shape, valueType } = definitionOf(unwrapped(schema));
  return element ?? valueType ?? shape?.[String(segment)];
}

/** Empty where any name will do, or none. */
export function membersAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let at: z.ZodType | undefined = schema;
  for (const segment of path) at = at === undefined ? undefined : below(at, segment);
  return at === undefined ? [] : Object.keys(definitionOf(unwrapped(at)).shape ?? {});
}
