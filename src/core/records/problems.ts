// A problem of a record: a path of dots and [index], and a message that continues the sentence ("redirect_uris[0]
// must be an absolute URI").

import { endOfString } from '../../json.ts';

export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** The members of a zod issue that are used here. */
export interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[] | undefined;
  /** The message without the value, for a rule whose message repeats it. */
  readonly params?: { readonly without_value?: string } | undefined;
}

const PLAIN = /^[A-Za-z_$][\w$-]*$/;

/** Maximum number of characters of a name that a path shows. */
const LONGEST_NAME = 200;

/**
 * Returns a member's name as paths show it. It is shortened, because every problem below it would repeat a long one.
 */
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

/** Returns the index of the next of these characters, or the end. */
function endBefore(marks: string, path: string, start: number): number {
  for (let at = start; at < path.length; at += 1) {
    if (marks.includes(path.charAt(at))) return at;
  }
  return path.length;
}

/** Returns the segments of a path that `pathOf` created. */
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

/** Returns a path below another one. */
export function below(path: string, rest: string): string {
  return path === '' || rest === '' || rest.startsWith('[') ? path + rest : `${path}.${rest}`;
}

/** Returns the problems of a member, with its path before theirs. */
export const within = <P extends Problem>(path: string, problems: readonly P[]): P[] =>
  problems.map((problem) => ({ ...problem, path: below(path, problem.path) }));

function at(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[segment];
  }
  return value;
}

/** Returns the issues of a validation as problems, with one for each unknown member. */
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
    // Rules over several members have their own messages for missing members.
    const plain = missing && issue.code !== 'custom';
    return [{ path, message: plain ? 'is required' : issue.message }];
  });
}

/** Maximum number of problems in one text. */
const MOST_SHOWN = 100;

/** Returns the problems as one text; if there are very many, the first ones and how many more there are. */
export function sentence(problems: readonly Problem[]): string {
  const shown = problems
    .slice(0, MOST_SHOWN)
    .map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  const rest = problems.length - shown.length;
  return (rest > 0 ? [...shown, `and ${rest} more`] : shown).join('; ');
}

/** The members of an issue without a custom message, from which its message is generated. */
interface RawIssue {
  readonly code?: string | undefined;
  /** Unknown members. */
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
 * The parameters of every validation, `schema.safeParse(data, IN_WORDS)`: messages for issues without a custom
 * message. They are passed with each call, because zod's global setting is shared by the whole process.
 */
export const IN_WORDS = { error: words } as const;
