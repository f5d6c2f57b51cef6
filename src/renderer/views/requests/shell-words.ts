// Splits a command into words like bash or cmd.exe. Nothing is run: variables and commands in the text stay as written
// and are reported. The time grows linearly with the length of the text.

/** Says in a sentence why a command cannot be imported. */
export class Unreadable extends Error {}

export interface Remark {
  /** `missing`: the command does something that this page does not. */
  readonly kind: 'missing' | 'changed';
  readonly text: string;
}

export const missing = (text: string): Remark => ({ kind: 'missing', text });
export const changed = (text: string): Remark => ({ kind: 'changed', text });

interface CommandWords {
  readonly words: readonly string[];
  readonly remarks: readonly Remark[];
}

function expanded(by: string, names: ReadonlySet<string>): Remark[] {
  if (names.size === 0) return [];
  return [missing(`${by} would expand ${[...names].join(', ')}; here it is kept as written.`)];
}

const unclosed = (quote: string) => new Unreadable(`A quote (${quote}) is opened but not closed.`);

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  v: '\v',
};

const ANSI_PIECE =
  /\\x([\da-fA-F]{1,2})|\\([0-7]{1,3})|\\u([\da-fA-F]{1,4})|\\U([\da-fA-F]{1,8})|\\([\s\S])|[^\\]+/g;

const codePoint = (hex: string): string => {
  const code = parseInt(hex, 16);
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
};

/** Decodes the text between $' and '. Consecutive bytes are decoded together as UTF-8. */
function ansi(text: string): string {
  let read = '';
  let bytes: number[] = [];
  const endBytes = () => {
    if (bytes.length > 0) read += new TextDecoder().decode(new Uint8Array(bytes));
    bytes = [];
  };
  for (const [piece, byte, octal, short, long, sign] of text.matchAll(ANSI_PIECE)) {
    if (byte !== undefined) bytes.push(parseInt(byte, 16));
    else if (octal !== undefined) bytes.push(parseInt(octal, 8) & 0xff);
    else {
      const hex = short ?? long;
      endBytes();
      if (hex !== undefined) read += codePoint(hex);
      else read += sign === undefined ? piece : (ESCAPES[sign] ?? sign);
    }
  }
  endBytes();
  return read;
}

const inDoubleQuotes = (text: string): string =>
  text.replace(/\\\r?\n/g, '').replace(/\\(["\\$`])/g, '$1');

/** Where a quote closes. A backslash escapes the next character, except in plain single quotes. */
function endOfQuoted(text: string, start: number, opening: string): number {
  const quote = opening.slice(-1);
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === quote) return at;
    if (text[at] === '\\' && opening !== "'") at += 1;
  }
  throw unclosed(opening);
}

/** A shell continues a line only where no space follows the backslash. */
const CONTINUATION = /\\[ \t]*\r?\n/y;
const SPACE = /[ \t]+/y;
const QUOTE = /\$?['"]/y;
const BARE = /\\[\s\S]|\$\([^)]*\)|`[^`]*`|\$?[^\s'"\\|;&<>()$`]+|[$`\\]/y;
const EXPANSION = /\\[\s\S]|\$\{?\w+|\$\(|`/g;

/** What an expansion is called, by how it begins. */
function expansionName(start: string): string {
  if (start === '`') return '`…`';
  if (start === '$(') return '$(…)';
  return start.startsWith('${') ? `${start}}` : start;
}

/** Text that is easily misread, with the remark on it. */
const MISREAD: readonly [RegExp, string][] = [
  [
    /\\[ \t]+\r?\n/,
    'A backslash with a space after it does not continue a line in a shell; here it is treated as if it did.',
  ],
  [/[‘’“”]/, 'The command contains curly quotes, which a shell does not treat as quotes.'],
];

/** The remark on what follows the command: a comment, an operator or another line. */
function remarkOnRest(rest: string): Remark[] {
  if (rest === '') return [];
  return /^&(?!&)/.test(rest)
    ? [missing('The command ends at an unquoted &, as in a shell; put the URL in quotes.')]
    : [changed(`The text after the command is ignored: ${rest.slice(0, 40)}`)];
}

/** @throws Unreadable when a quote is never closed */
export function posixWords(text: string): CommandWords {
  const words: string[] = [];
  const expansions = new Set<string>();
  let word: string | null = null;
  let at = 0;
  /** The text that a sticky pattern matches at this position. */
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [found = ''] = pattern.exec(text) ?? [];
    at += found.length;
    return found;
  };
  const noteExpansions = (written: string) => {
    for (const [found] of written.matchAll(EXPANSION)) {
      if (!found.startsWith('\\')) expansions.add(expansionName(found));
    }
  };
  while (at < text.length) {
    if (take(CONTINUATION) !== '') continue;
    if (take(SPACE) !== '') {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    if (word === null && text[at] === '#') break;
    const opening = take(QUOTE);
    if (opening !== '') {
      const end = endOfQuoted(text, at, opening);
      const inner = text.slice(at, end);
      at = end + 1;
      word ??= '';
      if (opening.endsWith('"')) {
        noteExpansions(inner);
        word += inDoubleQuotes(inner);
      } else word += opening === "'" ? inner : ansi(inner);
      continue;
    }
    const bare = take(BARE);
    if (bare === '') break;
    noteExpansions(bare);
    word = (word ?? '') + (bare.startsWith('\\') ? bare.slice(1) : bare);
  }
  if (word !== null) words.push(word);
  const misread = MISREAD.filter(([pattern]) => pattern.test(text));
  return {
    words,
    remarks: [
      ...expanded('A shell', expansions),
      ...remarkOnRest(text.slice(at).trim()),
      ...misread.map(([, remark]) => changed(remark)),
    ],
  };
}

/** Removes carets: a caret escapes the next character, or continues the line before a line break. */
function withoutCarets(text: string): string {
  let quoted = false;
  return text.replace(
    /"|\^[ \t]*\r?\n(\r?\n)?|\^([\s\S])|\^$/g,
    (found, empty?: string, sign?: string) => {
      if (found === '"') {
        quoted = !quoted;
        return found;
      }
      if (found.endsWith('\n') && sign === undefined) return empty === undefined ? '' : '\n';
      return quoted ? found : (sign ?? '');
    },
  );
}

const CMD_PIECE = /(\\*)(")|(\s+)|\\+|[^\s\\"]+/g;

/** @throws Unreadable when a quote is never closed */
export function cmdWords(text: string): CommandWords {
  const words: string[] = [];
  let word: string | null = null;
  let quoted = false;
  let closed = false;
  for (const [piece, escaping, quote, blank] of withoutCarets(text).matchAll(CMD_PIECE)) {
    if (quote !== undefined) {
      const slashes = escaping ?? '';
      // Two quotes within quotes are a literal one.
      const doubled: boolean = closed && slashes === '';
      const literal: boolean = slashes.length % 2 === 1 || doubled;
      word = (word ?? '') + '\\'.repeat(slashes.length >> 1) + (literal ? '"' : '');
      closed = quoted && !literal;
      if (!literal || doubled) quoted = !quoted;
      continue;
    }
    closed = false;
    if (blank === undefined || quoted) word = (word ?? '') + piece;
    else {
      if (word !== null) words.push(word);
      word = null;
    }
  }
  if (quoted) throw unclosed('"');
  if (word !== null) words.push(word);
  const variables = new Set(text.match(/%[A-Za-z_]\w*%/g) ?? []);
  return { words, remarks: expanded('The command line', variables) };
}

/** Whether the command is written for cmd.exe: it has carets, and no single quotes, which cmd.exe does not know. */
export const isForCmd = (text: string): boolean =>
  /\^[ \t]*\r?\n|(?:^|\s)\^"/.test(text) && !/(?:^|\s)\$?'/.test(text);
