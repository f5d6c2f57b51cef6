// Writes a text as a literal of another language that means exactly that text. The text must be well-formed Unicode. Pure.

/** Characters that are invisible in code: controls, separators, invisible and direction marks. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

/** As one or two UTF-16 units. */
const utf16 = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${hex(character.charCodeAt(at), 4)}`,
  ).join('');

/** As one code point. */
const utf32 = (character: string): string => {
  const code = codeOf(character);
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
};

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (text: string, quote: string, unseen: (character: string) => string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replace(UNSEEN, (character) => NAMED[character] ?? unseen(character));

/** A quoted word of a POSIX shell. The text must not contain a NUL. */
export const sh = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A word of a POSIX shell, quoted only if necessary. */
export const shWord = (text: string): string => (/^[\w-]+$/.test(text) ? text : sh(text));

export const js = (text: string): string => `'${escaped(text, "'", utf16)}'`;

export const python = (text: string): string => `'${escaped(text, "'", utf32)}'`;

export const go = (text: string): string => `"${escaped(text, '"', utf32)}"`;

export const csharp = (text: string): string => `"${escaped(text, '"', utf16)}"`;

/** ASCII only, because javac before version 18 reads sources in the encoding of the machine. */
export const java = (text: string): string =>
  `"${escaped(text, '"', utf16).replace(/[^\0-\x7f]/gu, utf16)}"`;

/** A text of several lines as one literal per line, joined by the operator of the language. */
export function byLine(text: string, literal: (line: string) => string, join: string): string {
  const lines = text.split(/(?<=\n)/);
  return lines.length === 0 || text === '' ? literal('') : lines.map(literal).join(join);
}
