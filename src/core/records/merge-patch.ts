// JSON Merge Patch (RFC 7396): members of the patch replace those of the record, null removes them.

import { isJsonObject } from './json-object.ts';

export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const result = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) result.delete(name);
    else result.set(name, mergePatch(result.get(name), value));
  }
  // Entries, since a member named __proto__ must become a member like any other.
  return Object.fromEntries(result);
}
