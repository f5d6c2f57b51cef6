// What a schema finds wrong, in the words of this project: they read on from the path of a value ("must be at
// least 60"). Where a value lies is not known here.

/** The part of an issue without a message of its own that its words are made of. */
interface RawIssue {
  readonly code?: string | undefined;
  /** Members that are not known. */
  readonly keys?: readonly string[] | undefined;
  /** The type that was expected. */
  readonly expected?: string | undefined;
  readonly values?: readonly unknown[] | undefined;
  readonly origin?: string | undefined;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
}

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

function words(issue: RawIssue): string {
  const { code, keys, origin = '', minimum, maximum, values, expected: kind } = issue;
  if (keys !== undefined) return `must not have ${keys.join(', ')}`;
  const unit = UNITS[origin] ?? '';
  const verb = origin === 'array' ? 'must have' : 'must be';
  if (code === 'too_small') return `${verb} at least ${String(minimum)}${unit}`;
  if (code === 'too_big') return `${verb} at most ${String(maximum)}${unit}`;
  if (values !== undefined)
    return `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`;
  if (kind === 'object' || kind === 'record') return 'must be a JSON object';
  if (kind === 'int') return 'must be a whole number';
  if (kind === 'boolean') return 'must be true or false';
  if (kind === 'nan' || kind === undefined) return 'is not valid';
  return `must be ${/^[aeio]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/**
 * How every schema is asked, `schema.safeParse(data, IN_WORDS)`: where it has no message of its own, it is
 * given ours. They are handed over with each call, since the library's own setting is shared by all of a process.
 */
export const IN_WORDS = { error: words } as const;
