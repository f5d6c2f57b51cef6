// The words of a command as a POSIX shell or bash splits it. Nothing is carried out: what a shell would
// put in for a variable or a command stays as it is written, and is told.

import { changed, missing, Unreadable, type Remark } from './remark.ts';

interface Piece {
  readonly pattern: RegExp;
  /** The text it stands for. */
  readonly read: (match: RegExpExecArray) => string;
  /** Whether a shell replaces parts of it. */
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

const ANSI_ESCAPE =
  /((?:\\x[\da-f]{1,2})+)|\\u([\da-f]{1,4})|\\U([\da-f]{1,8})|\\([0-7]{1,3})|\\([\s\S])/gi;

function bytesOf(escapes: string): string {
  const codes = escapes.split(/\\x/i).slice(1);
  return new TextDecoder().decode(new Uint8Array(codes.map((code) => parseInt(code, 16))));
}

const codePoint = (hex: string): string => {
  const code = parseInt(hex, 16);
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
};

/** What stands between $' and '. */
const ansi = (text: string): string =>
  text.replace(
    ANSI_ESCAPE,
    (_, bytes?: string, short?: string, long?: string, octal?: string, sign?: string) => {
      if (bytes !== undefined) return bytesOf(bytes);
      const hex = short ?? long;
      if (hex !== undefined) return codePoint(hex);
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 0xff);
      return ESCAPES[sign ?? ''] ?? sign ?? '';
    },
  );

const PIECES: readonly Piece[] = [
  { pattern: /\\[ \t]*\r?\n/y, read: () => '' },
  { pattern: /\\([\s\S])/y, read: ([, sign = '']) => sign },
  { pattern: /'([^']*)'/y, read: ([, text = '']) => text },
  { pattern: /\$'((?:[^'\\]|\\[\s\S])*)'/y, read: ([, text = '']) => ansi(text) },
  {
    pattern: /\$?"((?:[^"\\]|\\[\s\S])*)"/y,
    read: ([, text = '']) => text.replace(/\\\r?\n/g, '').replace(/\\(["\\$`])/g, '$1'),
    expands: true,
  },
  { pattern: /\$\([^)]*\)|`[^`]*`/y, read: ([text]) => text, expands: true },
  { pattern: /(?:[^\s'"\\|;&<>()$`]|\$(?!['"(]))+/y, read: ([text]) => text, expands: true },
];

const SPACE = /[ \t]+/y;
const COMMENT = /#[^\n]*/y;
const OPERATOR = /\r?\n|\|\|?|;|&&?|[<>()]/y;
const REPLACED = /(?<!\\)(?:\$(?:\w+|\{[^}]*\}|\([^)]*\))|`[^`]*`)/g;
const BROKEN_CONTINUATION = /\\[ \t]+\r?\n/;
const CURLY = /[‘’“”]/;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function nextPiece(text: string, at: number): { piece: Piece; match: RegExpExecArray } {
  for (const piece of PIECES) {
    const match = matchAt(piece.pattern, text, at);
    if (match !== null) return { piece, match };
  }
  const [opened = ''] = /^\$?[\s\S]/.exec(text.slice(at, at + 2)) ?? [];
  throw new Unreadable(`A quote (${opened}) is opened and never closed.`);
}

interface Splitting {
  readonly words: readonly string[];
  /** What a shell would have replaced. */
  readonly replaced: readonly string[];
  /** Where the command ends. */
  readonly end: number;
}

function split(text: string): Splitting {
  const words: string[] = [];
  const replaced: string[] = [];
  let word: string | null = null;
  let at = 0;
  const endWord = () => {
    if (word !== null) words.push(word);
    word = null;
  };
  while (at < text.length) {
    const space = matchAt(SPACE, text, at) ?? (word === null ? matchAt(COMMENT, text, at) : null);
    if (space !== null) {
      endWord();
      at += space[0].length;
      continue;
    }
    if (matchAt(OPERATOR, text, at) !== null) break;
    const { piece, match } = nextPiece(text, at);
    const said = piece.read(match);
    // A continuation alone is no word.
    if (word !== null || !/^\\[ \t]*\r?\n$/.test(match[0])) word = (word ?? '') + said;
    if (piece.expands === true) replaced.push(...(match[0].match(REPLACED) ?? []));
    at += match[0].length;
  }
  endWord();
  return { words, replaced, end: at };
}

function remarksOn(text: string, { replaced, end }: Splitting): Remark[] {
  const rest = text.slice(end).trim();
  const names = [...new Set(replaced)];
  return [
    ...(names.length === 0
      ? []
      : [
          missing(
            `A shell would put something in for ${names.join(', ')}; here it stays as written.`,
          ),
        ]),
    ...(rest === ''
      ? []
      : [
          rest.startsWith('&') && !rest.startsWith('&&')
            ? missing(
                'The command ends at an & that stands outside quotes, as it does in a shell; put the URL in quotes.',
              )
            : changed(`What follows the command is left out: ${rest.slice(0, 40)}`),
        ]),
    ...(BROKEN_CONTINUATION.test(text)
      ? [
          changed(
            'A backslash with a space after it does not continue a line in a shell; here it was read as if it did.',
          ),
        ]
      : []),
    ...(CURLY.test(text)
      ? [changed('The command holds curly quotes, which a shell does not take for quotes.')]
      : []),
  ];
}

/** @throws Unreadable when a quote is never closed */
export function posixWords(text: string): { words: readonly string[]; remarks: readonly Remark[] } {
  const splitting = split(text);
  return { words: splitting.words, remarks: remarksOn(text, splitting) };
}
