// What is wrong with a record, in one notation: a path of dots and [index], and a message that reads
// on from it ("redirect_uris[0] must be an absolute URI").

import { endOfString } from './json.ts';

export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** The part of a schema library's issue that is needed here. */
export interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[] | undefined;
  /** Of a rule whose message repeats the value: the message without it. */
  readonly params?: { readonly without_value?: string } | undefined;
}

const PLAIN = /^[A-Za-z_$][\w$-]*$/;

/** Characters of a name that a path shows, at most. */
const LONGEST_NAME = 200;

/** A member's name as paths show it: a hostile one would be repeated in every problem below it. */
export const nameInPath = (name: string): string =>
  name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;

/** `['clients', 0, 'claims', 'a b']` as `clients[0].claims["a b"]`. */
export function pathOf(segments: readonly PropertyKey[]): string {
  return segments.reduce<string>((path, segment) => {
    if (typeof segment === 'number') return `${path}[${segment}]`;
    const name = nameInPath(String(segment));
    if (!PLAIN.test(name)) return `${path}[${JSON.stringify(name)}]`;
    return path === '' ? name : `${path}.${name}`;
  }, '');
}

/** Where the next of these marks is, or the end. */
function endBefore(marks: string, path: string, start: number): number {
  for (let at = start; at < path.length; at += 1) {
    if (marks.includes(path.charAt(at))) return at;
  }
  return path.length;
}

/** The segments of a path that `pathOf` made. */
export function segmentsOf(path: string): (string | number)[] {
  const segments: (string | number)[] = [];
  for (let at = 0; at < path.length;) {
    const start = at + (path[at] === '.' || path[at] === '[' ? 1 : 0);
    if (path[at] !== '[') {
      at = endBefore('.[', path, start);
      segments.push(path.slice(start, at));
    } else {
      const quoted = path[start] === '"';
      const end = quoted ? endOfString(path, start) : endBefore(']', path, start);
      segments.push(JSON.parse(path.slice(start, end)) as string | number);
      at = end + 1;
    }
  }
  return segments;
}

/** A path below another one. */
export function below(path: string, rest: string): string {
  return path === '' || rest === '' || rest.startsWith('[') ? path + rest : `${path}.${rest}`;
}

function at(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[segment];
  }
  return value;
}

/** Every issue of a validation as problems; unknown members one by one. */
export function problemsOf(issues: readonly Issue[], data: unknown): Problem[] {
  return issues.flatMap((issue): Problem[] => {
    if (issue.code === 'unrecognized_keys') {
      return (issue.keys ?? []).map((key) => ({
        path: pathOf([...issue.path, key]),
        message: 'is not a known member',
      }));
    }
    const path = pathOf(issue.path);
    const missing = issue.path.length > 0 && at(data, issue.path) === undefined;
    // A rule over several members says itself what is missing.
    const plain = missing && issue.code !== 'custom';
    return [{ path, message: plain ? 'is required' : issue.message }];
  });
}

/** Problems that one text tells of, at most. */
const MOST_TOLD = 100;

/** The problems as one text; of very many, the first ones and how many more there are. */
export function sentence(problems: readonly Problem[]): string {
  const told = problems
    .slice(0, MOST_TOLD)
    .map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  const rest = problems.length - told.length;
  return (rest > 0 ? [...told, `and ${rest} more`] : told).join('; ');
}

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
