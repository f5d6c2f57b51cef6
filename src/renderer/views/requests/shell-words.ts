// Splits a command into words like a POSIX shell, bash or cmd.exe. Nothing is run: variables and commands in the text stay
// as written and are reported. The time grows linearly with the length of the text.

interface Piece {
  /** The end of the piece that begins here; -1 when no piece of this kind does. */
  readonly endOf: (text: string, at: number) => number;
  /** The text that the piece means. */
  readonly read: (piece: string) => string;
  /** Whether a shell would expand parts of it. */
  readonly expands?: true;
}

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
  /\\x([\da-fA-F]{1,2})|\\u([\da-fA-F]{1,4})|\\U([\da-fA-F]{1,8})|\\([0-7]{1,3})|\\([\s\S])|[^\\]+/g;

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
  for (const [piece, byte, short, long, octal, sign] of text.matchAll(ANSI_PIECE)) {
    const hex = short ?? long;
    if (byte !== undefined) {
      bytes.push(parseInt(byte, 16));
      continue;
    }
    endBytes();
    if (hex !== undefined) read += codePoint(hex);
    else if (octal !== undefined) read += String.fromCharCode(parseInt(octal, 8) & 0xff);
    else read += sign === undefined ? piece : (ESCAPES[sign] ?? sign);
  }
  endBytes();
  return read;
}

/** Finds the end of a sticky pattern's match at this position. */
const matched =
  (pattern: RegExp): Piece['endOf'] =>
  (text, at) => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : -1;
  };

/** Finds the end of a quoted piece, in which a backslash escapes the next character. */
const quoted =
  (openings: readonly string[], quote: string): Piece['endOf'] =>
  (text, start) => {
    const opening = openings.find((one) => text.startsWith(one, start));
    if (opening === undefined) return -1;
    for (let at = start + opening.length; at < text.length; at += 1) {
      if (text[at] === quote) return at + 1;
      if (text[at] === '\\') at += 1;
    }
    return -1;
  };

const NOT_BARE = /[\s'"\\|;&<>()$`]/;

/** A dollar sign is literal unless a quote or a parenthesis follows. */
function endOfBare(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const literal = sign === '$' && !`'"(`.includes(text[at + 1] ?? ' ');
    if (!literal && NOT_BARE.test(sign)) break;
  }
  return at === start ? -1 : at;
}

const inner = (piece: string): string => piece.slice(piece.search(/['"]/) + 1, -1);

const PIECES: readonly Piece[] = [
  { endOf: matched(/\\[ \t]*\r?\n/y), read: () => '' },
  { endOf: matched(/\\[\s\S]/y), read: (piece) => piece.slice(1) },
  { endOf: matched(/'[^']*'/y), read: inner },
  { endOf: quoted(["$'"], "'"), read: (piece) => ansi(inner(piece)) },
  {
    endOf: quoted(['"', '$"'], '"'),
    read: (piece) =>
      inner(piece)
        .replace(/\\\r?\n/g, '')
        .replace(/\\(["\\$`])/g, '$1'),
    expands: true,
  },
  { endOf: matched(/\$\([^)]*\)|`[^`]*`/y), read: (piece) => piece, expands: true },
  { endOf: endOfBare, read: (piece) => piece, expands: true },
];

const SPACE = matched(/[ \t]+/y);
const COMMENT = matched(/#[^\n]*/y);
const OPERATOR = matched(/\r?\n|\|\|?|;|&&?|[<>()]/y);
const BROKEN_CONTINUATION = /\\[ \t]+\r?\n/;
const CURLY = /[‘’“”]/;

const CLOSING = [
  ['${', '}'],
  ['$(', ')'],
  ['`', '`'],
] as const;
type Closing = (typeof CLOSING)[number][1];
const NAME = matched(/\$\w+/y);

/** The parts that a shell would expand: `$NAME`, `${...}`, `$(...)`, `` `...` ``. */
function expansionsIn(piece: string): string[] {
  const found: string[] = [];
  const last = new Map(CLOSING.map(([, closing]) => [closing, piece.lastIndexOf(closing)]));
  const endAfter = (closing: Closing, at: number) =>
    (last.get(closing) ?? -1) > at ? piece.indexOf(closing, at + 1) + 1 : -1;
  for (let at = 0; at < piece.length;) {
    const [, closing] = CLOSING.find(([opening]) => piece.startsWith(opening, at)) ?? [];
    const end = closing === undefined ? NAME(piece, at) : endAfter(closing, at);
    if (end >= 0) found.push(piece.slice(at, end));
    at = end >= 0 ? end : at + (piece[at] === '\\' ? 2 : 1);
  }
  return found;
}

function nextPiece(text: string, at: number): { piece: Piece; end: number } {
  for (const piece of PIECES) {
    const end = piece.endOf(text, at);
    if (end >= 0) return { piece, end };
  }
  const [opened = ''] = /^\$?[\s\S]/.exec(text.slice(at, at + 2)) ?? [];
  throw new Unreadable(`A quote (${opened}) is opened but not closed.`);
}

interface Splitting {
  readonly words: readonly string[];
  /** The parts that a shell would expand. */
  readonly replaced: ReadonlySet<string>;
  /** Where the command ends. */
  readonly end: number;
}

function split(text: string): Splitting {
  const words: string[] = [];
  const replaced = new Set<string>();
  let word: string | null = null;
  let at = 0;
  while (at < text.length) {
    const blank = Math.max(SPACE(text, at), word === null ? COMMENT(text, at) : -1);
    if (blank >= 0) {
      if (word !== null) words.push(word);
      word = null;
      at = blank;
      continue;
    }
    if (OPERATOR(text, at) >= 0) break;
    const { piece, end } = nextPiece(text, at);
    const written = text.slice(at, end);
    // A line continuation alone is not a word.
    if (word !== null || piece !== PIECES[0]) word = (word ?? '') + piece.read(written);
    if (piece.expands === true) for (const one of expansionsIn(written)) replaced.add(one);
    at = end;
  }
  if (word !== null) words.push(word);
  return { words, replaced, end: at };
}

function remarksOn(text: string, { replaced, end }: Splitting): Remark[] {
  const remarks: Remark[] = [];
  const rest = text.slice(end).trim();
  if (replaced.size > 0) remarks.push(expanded('A shell', replaced));
  if (rest.startsWith('&') && !rest.startsWith('&&')) {
    remarks.push(
      missing('The command ends at an unquoted &, as in a shell; put the URL in quotes.'),
    );
  } else if (rest !== '') {
    remarks.push(changed(`The text after the command is ignored: ${rest.slice(0, 40)}`));
  }
  if (BROKEN_CONTINUATION.test(text)) {
    remarks.push(
      changed(
        'A backslash with a space after it does not continue a line in a shell; here it is treated as if it did.',
      ),
    );
  }
  if (CURLY.test(text)) {
    remarks.push(
      changed('The command contains curly quotes, which a shell does not treat as quotes.'),
    );
  }
  return remarks;
}

interface CommandWords {
  readonly words: readonly string[];
  readonly remarks: readonly Remark[];
}

/** @throws Unreadable when a quote is never closed */
export function posixWords(text: string): CommandWords {
  const splitting = split(text);
  return { words: splitting.words, remarks: remarksOn(text, splitting) };
}

/** Removes carets: a caret escapes the next character, or continues the line before a line break. */
function withoutCarets(text: string): string {
  let quoted = false;
  return text.replace(
    /"|\^\r?\n(\r?\n)?|\^([\s\S])|\^$/g,
    (found, empty?: string, sign?: string) => {
      if (found === '"') {
        quoted = !quoted;
        return found;
      }
      if (/^\^\r?\n/.test(found)) return empty === undefined ? '' : '\n';
      return quoted ? found : (sign ?? '');
    },
  );
}

/** @throws Unreadable when a quote is never closed */
function splitForCmd(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quoted = false;
  for (let at = 0; at < text.length;) {
    const start = at;
    while (text[at] === '\\') at += 1;
    const slashes = at - start;
    const sign = text.charAt(at);
    if (sign === '"') {
      const doubled = quoted && slashes % 2 === 0 && text[at + 1] === '"';
      const literal = slashes % 2 === 1 || doubled;
      word = (word ?? '') + '\\'.repeat(slashes >> 1) + (literal ? '"' : '');
      if (!literal) quoted = !quoted;
      at += doubled ? 2 : 1;
      continue;
    }
    if (slashes > 0) {
      word = (word ?? '') + text.slice(start, at);
      continue;
    }
    if (!quoted && /\s/.test(sign)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + sign;
    at += 1;
  }
  if (quoted) throw new Unreadable('A quote (") is opened but not closed.');
  return word === null ? words : [...words, word];
}

/** Whether the command is written for cmd.exe: it has carets, and no single quotes, which cmd.exe does not know. */
export const isForCmd = (text: string): boolean =>
  /\^[ \t]*\r?\n|(?:^|\s)\^"/.test(text) && !/(?:^|\s)\$?'/.test(text);

export function cmdWords(text: string): CommandWords {
  const variables = new Set(text.match(/%[A-Za-z_]\w*%/g) ?? []);
  return {
    words: splitForCmd(withoutCarets(text.replace(/\^[ \t]+(?=\r?\n)/g, '^'))),
    remarks: variables.size === 0 ? [] : [expanded('The command line', variables)],
  };
}

export interface Remark {
  /** `missing`: the command does something that this page does not. */
  readonly kind: 'missing' | 'changed';
  readonly text: string;
}

export const missing = (text: string): Remark => ({ kind: 'missing', text });
const expanded = (by: string, names: ReadonlySet<string>): Remark =>
  missing(`${by} would expand ${[...names].join(', ')}; here it is kept as written.`);
export const changed = (text: string): Remark => ({ kind: 'changed', text });

/** Says in a sentence why a command cannot be parsed. */
export class Unreadable extends Error {}
