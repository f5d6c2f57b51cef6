// What a field means, said once, beside its rules. The OpenAPI document, the published JSON Schemas, the
// flags of the command line and the forms of the page are made of it. Nothing here knows any of them.

import { z } from './zod.ts';

export interface FieldWords {
  /** The label of the field in a form. */
  readonly title: string;
  readonly description: string;
}

/** The same schema with words of its own: a copy, since many fields may share one. */
export function described<T extends z.core.$ZodType>(schema: T, words: string | FieldWords): T {
  const copy = z.clone(schema);
  z.globalRegistry.add(copy, typeof words === 'string' ? { description: words } : { ...words });
  return copy;
}
