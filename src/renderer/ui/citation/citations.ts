// Which rules a text cites: "spec 4.1.1", "spec 1.4, 8.2", "behaviour 2 and 5.3", "RFC 6749 4.1.3". Pure: the
// test of all citations in the repository reads them by the same grammar.

/** `spec` is docs/specification.md, `behaviour` docs/behaviour.md. */
export type Book = 'spec' | 'behaviour';

export interface RuleReference {
  readonly book: Book;
  /** `4.1.1`; a section or a rule in it. */
  readonly number: string;
}

/** An RFC, or one of its sections. */
export interface RfcReference {
  readonly rfc: string;
  readonly section: string | null;
}

export type Citation = RuleReference | RfcReference;

/** A stretch of the text; `cites` is null where it cites nothing. */
export interface CitedPiece {
  readonly text: string;
  readonly cites: Citation | null;
}

const FIRST = /\b(?:(spec|behaviour) (\d+(?:\.\d+){0,3})|RFC (\d{3,5})(?: (\d+(?:\.\d+){0,3}))?)/gi;

/** Another number of the same book: `, 8.2` and ` and 5`; a number that begins a phrase is none. */
const NEXT = /(?:, | and )(\d+(?:\.\d+){0,3})(?=$|[^\w .]|\.(?:$|\s)| and )/y;

function citationOf([, book, number, rfc, section]: RegExpExecArray): Citation {
  if (rfc !== undefined) return { rfc, section: section ?? null };
  return { book: book?.toLowerCase() === 'spec' ? 'spec' : 'behaviour', number: number ?? '' };
}

const another = (first: Citation, number: string): Citation =>
  'rfc' in first ? { ...first, section: number } : { ...first, number };

/** The text in its pieces, which together are the text again. */
export function citedPieces(text: string): CitedPiece[] {
  const pieces: CitedPiece[] = [];
  let end = 0;
  const add = (from: number, to: number, cites: Citation) => {
    if (from > end) pieces.push({ text: text.slice(end, from), cites: null });
    pieces.push({ text: text.slice(from, to), cites });
    end = to;
  };
  for (const match of text.matchAll(FIRST)) {
    if (match.index < end) continue;
    const first = citationOf(match);
    add(match.index, match.index + match[0].length, first);
    for (NEXT.lastIndex = end; ; NEXT.lastIndex = end) {
      const [whole, number] = NEXT.exec(text) ?? [];
      if (whole === undefined || number === undefined) break;
      add(end + whole.length - number.length, end + whole.length, another(first, number));
    }
  }
  if (end < text.length) pieces.push({ text: text.slice(end), cites: null });
  return pieces;
}

/** Where the rule stands in the repository and the package: `docs/behaviour.md#5-2`. */
export function placeOf({ book, number }: RuleReference): string {
  const file = book === 'spec' ? 'specification' : 'behaviour';
  return `docs/${file}.md#${number.replaceAll('.', '-')}`;
}

export function rfcAddress({ rfc, section }: RfcReference): string {
  return `https://www.rfc-editor.org/rfc/rfc${rfc}${section === null ? '' : `#section-${section}`}`;
}
