// Members that the recorded build did not have: control may tell more than it did, never less.

const ADDED: readonly string[] = ['issued', 'sign_in'];

/** A JSON value, or a schema of one, as it was before those members came. */
export function withoutAdditions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAdditions);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !ADDED.includes(name));
  return Object.fromEntries(
    kept.map(([name, member]): [string, unknown] =>
      name === 'required' && Array.isArray(member)
        ? [name, member.filter((one) => !ADDED.includes(String(one)))]
        : [name, withoutAdditions(member)],
    ),
  );
}
