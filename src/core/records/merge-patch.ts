// JSON Merge Patch (RFC 7396): members of the patch replace those of the record, null removes them.

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) result.delete(name);
    else result.set(name, mergePatch(result.get(name), value));
  }
  // Entries, since a member named __proto__ must become a member like any other.
  return Object.fromEntries(result);
}
