// zod as this project uses it: its small half, since the rules of a workspace are loaded on the way to the first
// token, and the other half makes each of them more slowly. Every schema is made by way of this module. The other half also
// compiles schemas with `new Function`, which the page's CSP refuses.

import * as z from 'zod/mini';

export { z };

/**
 * What a field means, said once, beside its rules. The OpenAPI document, the published JSON Schemas, the flags of the
 * command line, the tables of the documentation and the forms of the page are made of it.
 */
interface FieldWords {
  /** The label of the field in a form. */
  readonly title: string;
  readonly description: string;
  /** What each value means, where there are only so many. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Apart from title and description, because JSON Schema has no member for these. */
export const valueWords = z.registry<{ readonly values: Readonly<Record<string, string>> }>();

/** The same schema with words of its own: a copy, since many fields may share one. */
export function described<T extends z.core.$ZodType>(schema: T, words: string | FieldWords): T {
  const copy = z.clone(schema);
  if (typeof words === 'string') {
    z.globalRegistry.add(copy, { description: words });
    return copy;
  }
  const { values, ...meta } = words;
  z.globalRegistry.add(copy, meta);
  if (values !== undefined) valueWords.add(copy, { values });
  return copy;
}
