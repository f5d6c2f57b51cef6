// What a request is called where there is little room.

import { splitTarget, type Draft } from './draft.ts';
import { valueIn } from './field-rows.ts';
import { TEMPLATES } from './templates.ts';

/** By its template, else by what it asks. */
export function titleOf({ template, method, target, body }: Draft): string {
  const known = TEMPLATES.find(({ id }) => id === template);
  if (known !== undefined) return known.title;
  const grant = valueIn(body.rows, 'grant_type');
  const [path] = splitTarget(target);
  return grant === null || grant === '' ? `${method} ${path}` : grant;
}
