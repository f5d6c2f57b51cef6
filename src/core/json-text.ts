// Reads JSON text as JSON.parse does, but says where it is malformed (line and column) and which
// members are repeated: JSON.parse drops those silently. Also the one limit on how deeply JSON of
// others may nest: whoever walks deeper values recursively runs out of stack.

import type { Problem } from './problems.ts';
import { below, pathOf } from './problems.ts';

/** Arrays and objects inside each other, at most. */
const MAX_DEPTH = 200;
/** Problems told of one text, at most; a hostile one repeats a million members. */
const MAX_PROBLEMS = 100;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const SPACE = /[ \t\r\n]*/y;

class Malformed extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Where the string that begins here ends, after its quote; -1 when it never does. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit === BACKSLASH) at += 1;
  }
  return -1;
}

/** Whether JSON nests more deeply than is taken, found without recursion and in one pass. */
export function isNestedTooDeeply(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '"') {
      const end = endOfString(text, at);
      if (end < 0) return false;
      at = end - 1;
    } else if (mark === '{' || mark === '[') {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (mark === '}' || mark === ']') {
      depth -= 1;
    }
  }
  return false;
}

/** Told where each member's name and each entry begins. */
type OnPlace = (path: string, offset: number) => void;

function createReader(text: string, problems: Problem[], onPlace: OnPlace = () => undefined) {
  let offset = 0;

  const skip = () => {
    SPACE.lastIndex = offset;
    SPACE.test(text);
    offset = SPACE.lastIndex;
  };
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = offset;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) return null;
    offset += found.length;
    return found;
  };
  /** By a loop: a pattern over many escapes runs out of stack. */
  const takeString = (): string | null => {
    if (text.charCodeAt(offset) !== QUOTE) return null;
    const end = endOfString(text, offset);
    if (end < 0) return null;
    try {
      const string = JSON.parse(text.slice(offset, end)) as string;
      offset = end;
      return string;
    } catch {
      return null;
    }
  };
  const takeMark = (mark: string): boolean => {
    skip();
    if (text[offset] !== mark) return false;
    offset += 1;
    return true;
  };
  const report = (path: string, message: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ path, message });
  };
  const fail = (expected: string): never => {
    const got = offset >= text.length ? 'the end of the file' : JSON.stringify(text[offset]);
    throw new Malformed(`expected ${expected}, found ${got}`, offset);
  };
  const members = (path: string, depth: number): Record<string, unknown> => {
    const entries = new Map<string, unknown>();
    if (takeMark('}')) return {};
    do {
      skip();
      const start = offset;
      const name = takeString() ?? fail('a member name in double quotes');
      const inner = below(path, pathOf([name]));
      onPlace(inner, start);
      if (entries.has(name)) report(inner, 'is there more than once');
      // Copying such a member would change what the copy inherits from, or lose it.
      if (name === '__proto__') report(inner, 'is no name for a member');
      if (!takeMark(':')) fail('a colon');
      entries.set(name, value(inner, depth));
    } while (takeMark(','));
    if (!takeMark('}')) fail('a comma or a closing brace');
    return Object.fromEntries(entries);
  };
  const elements = (path: string, depth: number): unknown[] => {
    const items: unknown[] = [];
    if (takeMark(']')) return items;
    do {
      skip();
      onPlace(`${path}[${items.length}]`, offset);
      items.push(value(`${path}[${items.length}]`, depth));
    } while (takeMark(','));
    if (!takeMark(']')) fail('a comma or a closing bracket');
    return items;
  };
  const value = (path: string, depth: number): unknown => {
    if (depth > MAX_DEPTH)
      throw new Malformed(`is nested too deeply: more than ${MAX_DEPTH} levels`, offset);
    if (takeMark('{')) return members(path, depth + 1);
    if (takeMark('[')) return elements(path, depth + 1);
    return takeString() ?? JSON.parse(take(SCALAR) ?? fail('a value'));
  };
  return {
    document: (): unknown => {
      const document = value('', 0);
      skip();
      return offset < text.length ? fail('nothing more') : document;
    },
  };
}

/** Counted from 1, columns in UTF-16 units as editors do. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

const position = ({ line, column }: Place) => `line ${line}, column ${column}`;

export interface PlacedJson {
  /** undefined when the text is no JSON; there is a problem then. A member repeated has its last value. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /** Where what this path names begins; for what is not there, what it would be in. */
  readonly placeOf: (path: string) => Place;
}

/** The path that holds this one: `a.b[0]` holds `a.b[0].c`. */
const above = (path: string) =>
  path.replace(/(?:\.[^.[\]]*|\[(?:\d+|"(?:[^"\\]|\\.)*")\]|^[^.[]*)$/, '');

/** Reads for people who look into the file: all that is wrong with it, each with its place. */
export function readPlacedJson(source: string): PlacedJson {
  const text = source.replace(/^\uFEFF/, '');
  const problems: Problem[] = [];
  const offsets = new Map<string, number>();
  const place = (path: string): Place => {
    const offset = offsets.get(path);
    return offset === undefined && path !== '' ? place(above(path)) : placeOf(text, offset ?? 0);
  };
  const onPlace: OnPlace = (path, offset) => void offsets.set(path, offset);
  try {
    const value = createReader(text, problems, onPlace).document();
    return { value, problems, placeOf: place };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const problem = { path: '', message: `is not JSON: ${error.message}` };
    return {
      value: undefined,
      problems: [...problems, problem],
      placeOf: (path) => (path === '' ? placeOf(text, error.offset) : place(path)),
    };
  }
}

/** The value, or why there is none. */
export function parseJsonText(
  source: string,
): { readonly value: unknown } | { readonly problems: Problem[] } {
  const text = source.replace(/^\uFEFF/, '');
  const problems: Problem[] = [];
  try {
    const value = createReader(text, problems).document();
    return problems.length > 0 ? { problems } : { value };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const where = position(placeOf(text, error.offset));
    const message = `is not JSON: ${where}: ${error.message}`;
    return { problems: [{ path: '', message }] };
  }
}
