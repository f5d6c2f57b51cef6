// What a request is called where there is little room.

import { splitTarget, type Draft } from './draft.ts';
import { valueIn } from './field-rows.ts';
import { TEMPLATES } from './templates.ts';

/** The template it looks like, whatever it was started from. */
function likeness({ template, target, body }: Draft): string | null {
  if (template !== null) return template;
  const [path] = splitTarget(target);
  const alike = TEMPLATES.find((one) => path.endsWith(one.path))?.id ?? null;
  if (!path.endsWith('/oauth/token')) return alike;
  const grant_type = valueIn(body.rows, 'grant_type');
  return TEMPLATES.find(({ grant }) => grant !== undefined && grant === grant_type)?.id ?? null;
}

/** By what it is for, else by what it asks. */
export function titleOf(draft: Draft): string {
  const like = likeness(draft);
  const known = TEMPLATES.find(({ id }) => id === like);
  return known?.title ?? `${draft.method} ${splitTarget(draft.target)[0]}`;
}
