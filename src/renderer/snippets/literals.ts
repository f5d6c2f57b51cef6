// A text as a literal of another language, so that what stands there means exactly that text. Pure;
// the text must be well-formed Unicode.

/** Controls, separators, invisible and direction marks: what a reader of code would not see. */
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

/** A word of a POSIX shell. It cannot hold a NUL. */
export const sh = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The same, bare where a shell takes it for itself. */
export const shWord = (text: string): string => (/^[\w-]+$/.test(text) ? text : sh(text));

export const js = (text: string): string => `'${escaped(text, "'", utf16)}'`;

export const python = (text: string): string => `'${escaped(text, "'", utf32)}'`;

export const go = (text: string): string => `"${escaped(text, '"', utf32)}"`;

export const csharp = (text: string): string => `"${escaped(text, '"', utf16)}"`;

/** All in ASCII: before version 18, javac reads sources in whatever encoding the machine has. */
export const java = (text: string): string =>
  `"${escaped(text, '"', utf16).replace(/[^\0-\x7f]/gu, utf16)}"`;

/** A text of several lines as one literal a line, joined the way the language joins them. */
export function byLine(text: string, literal: (line: string) => string, join: string): string {
  const lines = text.split(/(?<=\n)/);
  return lines.length === 0 || text === '' ? literal('') : lines.map(literal).join(join);
}
