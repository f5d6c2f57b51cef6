// Parses JSON like JSON.parse, but reports where it is malformed (line and column) and which members are repeated,
// which JSON.parse drops silently. The page also parses its inputs with it. It limits the nesting of JSON from
// outside, because recursion over deeper values would exhaust the stack.

import { nameInPath, pathOf, type Problem, segmentsOf } from './problems.ts';
import { endOfString } from '../../json.ts';

/** A place in the text, counted from 1, columns in UTF-16 units as editors do. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * The position of a value: that of its name, or its own in an array. Each part has its members and entries, so that a
 * long name is stored once and not in the path of every part below it.
 */
interface Part {
  readonly offset: number;
  /** Its members or entries; null if it has none, to save memory for each of a million numbers. */
  members: Map<string, Part> | null;
  entries: Part[] | null;
}

export const createPart = (offset: number): Part => ({ offset, members: null, entries: null });

/** Adds the part that begins here below another part. The last of repeated members is kept. */
export function addPart(part: Part, segment: string | number, offset: number): Part {
  const added = createPart(offset);
  if (typeof segment === 'number') (part.entries ??= [])[segment] = added;
  else (part.members ??= new Map<string, Part>()).set(nameInPath(segment), added);
  return added;
}

/** Returns the position of a path, or of its deepest existing part. */
export function offsetOf(root: Part, path: string): number {
  let part = root;
  for (const segment of segmentsOf(path)) {
    const next = typeof segment === 'number' ? part.entries?.[segment] : part.members?.get(segment);
    if (next === undefined) break;
    part = next;
  }
  return part.offset;
}

/** Converts offsets to lines and columns. The lines are counted once. */
function createPlaces(text: string): (offset: number) => Place {
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    starts.push(end + 1);
  }
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

/** Maximum nesting of arrays and objects. */
const MAX_DEPTH = 200;
/** Maximum number of problems reported for one text, as a hostile one could repeat a million members. */
const MAX_PROBLEMS = 100;
/** The characters of numbers, true, false and null. */
const SCALAR = /[\w.+-]+/y;
const SPACE = /[ \t\r\n]*/y;

class Malformed extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Whether JSON is nested too deeply. Takes one pass without recursion. */
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

/**
 * @param root receives the positions of all parts; null to discard them
 * @throws Malformed if the text is not JSON
 */
function readDocument(text: string, problems: Problem[], root: Part | null = null): unknown {
  let offset = 0;
  /** The values being parsed, from the outermost in. */
  const path: (string | number)[] = [];

  const skip = () => {
    SPACE.lastIndex = offset;
    SPACE.test(text);
    offset = SPACE.lastIndex;
  };
  /** Takes the JSON up to there. */
  const takeJson = (end: number): unknown => {
    try {
      const value: unknown = JSON.parse(text.slice(offset, end));
      offset = end;
      return value;
    } catch {
      return undefined;
    }
  };
  const takeString = (): string | undefined => {
    if (text[offset] !== '"') return undefined;
    const end = endOfString(text, offset);
    if (end < 0) throw new Malformed('a string has no closing quote', offset);
    const string = takeJson(end) as string | undefined;
    if (string !== undefined) return string;
    throw new Malformed('a string has a line break, a control character or a bad escape', offset);
  };
  const takeScalar = (): unknown => {
    SCALAR.lastIndex = offset;
    return SCALAR.test(text) ? takeJson(SCALAR.lastIndex) : undefined;
  };
  const takeMark = (mark: string): boolean => {
    skip();
    if (text[offset] !== mark) return false;
    offset += 1;
    return true;
  };
  const report = (message: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ path: pathOf(path), message });
  };
  const fail = (expected: string): never => {
    const got = offset >= text.length ? 'the end of the text' : JSON.stringify(text[offset]);
    throw new Malformed(`expected ${expected}, found ${got}`, offset);
  };
  const members = (part: Part | null): Record<string, unknown> => {
    const entries = new Map<string, unknown>();
    if (takeMark('}')) return {};
    do {
      skip();
      const start = offset;
      const name = takeString() ?? fail('a member name in double quotes');
      path.push(name);
      if (entries.has(name)) report('is present more than once');
      // Copying such a member would change the prototype of the copy, or lose the member.
      if (name === '__proto__') report('is not allowed as a member name');
      if (!takeMark(':')) fail('a colon');
      entries.set(name, value(part && addPart(part, name, start)));
      path.pop();
    } while (takeMark(','));
    if (!takeMark('}')) fail('a comma or a closing brace');
    return Object.fromEntries(entries);
  };
  const elements = (part: Part | null): unknown[] => {
    const items: unknown[] = [];
    if (takeMark(']')) return items;
    do {
      skip();
      path.push(items.length);
      items.push(value(part && addPart(part, items.length, offset)));
      path.pop();
    } while (takeMark(','));
    if (!takeMark(']')) fail('a comma or a closing bracket');
    return items;
  };
  const value = (part: Part | null): unknown => {
    const opening = takeMark('{') ? members : takeMark('[') ? elements : null;
    if (opening === null) return scalar();
    if (path.length < MAX_DEPTH) return opening(part);
    throw new Malformed(`is nested too deeply: more than ${MAX_DEPTH} levels`, offset - 1);
  };
  const scalar = (): unknown => {
    const string = takeString();
    const value = string === undefined ? takeScalar() : string;
    return value === undefined ? fail('a value') : value;
  };
  const document = value(root);
  skip();
  return offset < text.length ? fail('the end of the text') : document;
}

const position = ({ line, column }: Place) => `line ${line}, column ${column}`;

/** Parses text for display and reports all problems. The value is undefined if the text is not JSON. */
export function readPlacedJson(source: string) {
  const text = source.replace(/^\uFEFF/, '');
  const problems: Problem[] = [];
  const root = createPart(0);
  const placeAt = createPlaces(text);
  /** Returns where the value at this path begins; if there is none, where its deepest existing parent begins. */
  const placeOf = (path: string) => placeAt(offsetOf(root, path));
  try {
    const value = readDocument(text, problems, root);
    return { value, problems, placeOf };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const problem = { path: '', message: `is not JSON: ${error.message}` };
    return {
      value: undefined,
      problems: [...problems, problem],
      placeOf: (path: string) => (path === '' ? placeAt(error.offset) : placeOf(path)),
    };
  }
}

/** Returns the value, or why there is none. */
export function parseJsonText(
  source: string,
): { readonly value: unknown } | { readonly problems: Problem[] } {
  const text = source.replace(/^\uFEFF/, '');
  const problems: Problem[] = [];
  try {
    const value = readDocument(text, problems);
    return problems.length > 0 ? { problems } : { value };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const where = position(createPlaces(text)(error.offset));
    const message = `is not JSON: ${where}: ${error.message}`;
    return { problems: [{ path: '', message }] };
  }
}
