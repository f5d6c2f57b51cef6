// What a number's input takes from its schema: its label and its bounds, which the arrow keys stop at. What is
// typed beyond them stays as it is typed, since the schema says what is wrong with it.

import { fieldAt } from '../../control/fields.ts';

export function numberField(schema: Parameters<typeof fieldAt>[0], path: string) {
  const { label, bounds } = fieldAt(schema, path);
  return { label, ...bounds, clampBehavior: 'none', allowNegative: false } as const;
}
