// zod as this project uses it: zod/mini, because the schemas of a workspace are loaded before the first token is
// issued, and full zod creates each schema more slowly. It also compiles schemas with `new Function`, which the
// page's CSP blocks. Every schema is created through this module.

import * as z from 'zod/mini';

export { z };

/**
 * The description of a field, beside its schema. The OpenAPI document, the published JSON Schemas, the flags of the
 * command line, the tables of the documentation and the forms of the page are generated from it.
 */
interface FieldWords {
  /** The label of the field in a form. */
  readonly title: string;
  readonly description: string;
}

/** The meaning of each value of an enumeration, for which JSON Schema has no member. */
export const valueWords = z.registry<{ readonly values: Readonly<Record<string, string>> }>();

/** Returns a copy of the schema with a description; the schema itself may be shared by many fields. */
export function described<T extends z.core.$ZodType>(schema: T, words: string | FieldWords): T {
  const copy = z.clone(schema);
  z.globalRegistry.add(copy, typeof words === 'string' ? { description: words } : { ...words });
  return copy;
}
