// Finds the exchanges that a sentence mentions: "used at 2026-11-21T10:02:11Z by exchange 41". Pure.

export interface Piece {
  readonly text: string;
  /** The exchange that this piece mentions; null for plain text. */
  readonly number: number | null;
}

const MENTION = /\bexchange (\d{1,15})\b/g;

export function piecesOf(sentence: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const mention of sentence.matchAll(MENTION)) {
    pieces.push({ text: sentence.slice(from, mention.index), number: null });
    pieces.push({ text: mention[0], number: Number(mention[1]) });
    from = mention.index + mention[0].length;
  }
  return [...pieces, { text: sentence.slice(from), number: null }].filter(
    ({ text }) => text !== '',
  );
}
