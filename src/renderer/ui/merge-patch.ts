// The merge patch (RFC 7396) that makes one record of another: a member that is gone becomes null.

import { isJsonObject } from '../../oauth/json-object.ts';

type Json = Readonly<Record<string, unknown>>;

export function mergePatch(before: Json, after: Json): Record<string, unknown> {
  const gone = Object.keys(before).filter((name) => after[name] === undefined);
  const patch: Record<string, unknown> = Object.fromEntries(gone.map((name) => [name, null]));
  for (const [name, value] of Object.entries(after)) {
    const former = before[name];
    if (value === undefined) continue;
    patch[name] = isJsonObject(value) && isJsonObject(former) ? mergePatch(former, value) : value;
  }
  return patch;
}
