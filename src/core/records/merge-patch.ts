// JSON Merge Patch (RFC 7396): members of the patch replace those of the record, null removes them, so that their
// defaults apply again.

import { isJsonObject } from '../../json.ts';

type Members = Readonly<Record<string, unknown>>;

/** @param keepNames whether a removed member remains with the value undefined, so that its name can be checked */
export function mergePatch(target: unknown, patch: unknown, keepNames = false): unknown {
  if (!isJsonObject(patch)) return patch;
  const result = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value !== null) result.set(name, mergePatch(result.get(name), value, keepNames));
    else if (keepNames) result.set(name, undefined);
    else result.delete(name);
  }
  // Uses entries, so that a member named __proto__ becomes an ordinary member.
  return Object.fromEntries(result);
}

/** Returns the patch of the members that differ, which turns one record into another. A removed member becomes null. */
export function patchBetween(before: Members, after: Members): Record<string, unknown> {
  const former = new Map(Object.entries(before));
  const next = Object.entries(after).filter(([, value]) => value !== undefined);
  const patch = new Map<string, unknown>([...former.keys()].map((name) => [name, null]));
  for (const [name, value] of next) {
    const inner = former.get(name);
    if (JSON.stringify(value) === JSON.stringify(inner)) patch.delete(name);
    else if (isJsonObject(value) && isJsonObject(inner))
      patch.set(name, patchBetween(inner, value));
    else patch.set(name, value);
  }
  return Object.fromEntries(patch);
}
