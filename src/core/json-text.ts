// Reads JSON text as JSON.parse does, but says where it is malformed (line and column) and which
// members are repeated: JSON.parse drops those silently.

import type { Problem } from './problems.ts';
import { below, pathOf } from './problems.ts';

const MAX_DEPTH = 200;
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const SPACE = /[ \t\r\n]*/y;

class Malformed extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

function createReader(text: string, problems: Problem[]) {
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
  const takeMark = (mark: string): boolean => {
    skip();
    if (text[offset] !== mark) return false;
    offset += 1;
    return true;
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
      const quoted = take(STRING) ?? fail('a member name in double quotes');
      const name = JSON.parse(quoted) as string;
      const inner = below(path, pathOf([name]));
      if (entries.has(name)) problems.push({ path: inner, message: 'is there more than once' });
      // Copying such a member would change what the copy inherits from, or lose it.
      if (name === '__proto__') problems.push({ path: inner, message: 'is no name for a member' });
      if (!takeMark(':')) fail('a colon');
      entries.set(name, value(inner, depth));
    } while (takeMark(','));
    if (!takeMark('}')) fail('a comma or a closing brace');
    return Object.fromEntries(entries);
  };
  const elements = (path: string, depth: number): unknown[] => {
    const items: unknown[] = [];
    if (takeMark(']')) return items;
    do items.push(value(`${path}[${items.length}]`, depth));
    while (takeMark(','));
    if (!takeMark(']')) fail('a comma or a closing bracket');
    return items;
  };
  const value = (path: string, depth: number): unknown => {
    if (depth > MAX_DEPTH) throw new Malformed('is nested too deeply', offset);
    if (takeMark('{')) return members(path, depth + 1);
    if (takeMark('[')) return elements(path, depth + 1);
    const scalar = take(STRING) ?? take(SCALAR) ?? fail('a value');
    return JSON.parse(scalar);
  };
  return {
    document: (): unknown => {
      const document = value('', 0);
      skip();
      return offset < text.length ? fail('nothing more') : document;
    },
  };
}

function position(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
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
    const message = `is not JSON: ${position(text, error.offset)}: ${error.message}`;
    return { problems: [{ path: '', message }] };
  }
}
