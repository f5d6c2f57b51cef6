// Parts of an export, as the engine answers them, put together to one document. Pure.

import type { ExchangeDocument, Har } from '../../../control/export-schemas.ts';

export interface DocumentPart {
  /** The document with its list, which is its last member, left empty. */
  readonly frame: object;
  /** The list, each entry on a line of its own. */
  readonly entries: readonly string[];
}

const lineOf = (entry: object) => JSON.stringify(entry);

export function documentPart(answer: Har | ExchangeDocument): DocumentPart {
  if ('log' in answer) {
    const { entries, ...log } = answer.log;
    return { frame: { log: { ...log, entries: [] } }, entries: entries.map(lineOf) };
  }
  const { exchanges, ...rest } = answer;
  return { frame: { ...rest, exchanges: [] }, entries: exchanges.map(lineOf) };
}

/** The text in pieces, so that a large one is never held twice. */
export function documentText(parts: readonly DocumentPart[]): string[] {
  const frame = JSON.stringify(parts.at(-1)?.frame ?? {});
  const end = frame.lastIndexOf('[]');
  const lines = parts.flatMap(({ entries }) => entries);
  const pieces = lines.map((line, index) => (index === 0 ? `\n${line}` : `,\n${line}`));
  return [`${frame.slice(0, end)}[`, ...pieces, `\n]${frame.slice(end + 2)}\n`];
}
