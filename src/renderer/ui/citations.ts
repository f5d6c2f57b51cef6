// Finds the rules and standards that a text cites: "spec 4.1.1", "spec 1.4, 8.2", "behaviour 2 and 5.3",
// "RFC 6749 4.1.3", "OpenID Connect Core 5.3". Pure: the test of all citations in the repository uses the same grammar.

/** `spec` is docs/specification.md, `behaviour` docs/behaviour.md. */
export type Book = 'spec' | 'behaviour';

export interface RuleReference {
  readonly book: Book;
  /** `4.1.1`: a section, or a rule in it. */
  readonly number: string;
}

/** A published standard, or one of its sections. */
export interface StandardReference {
  /** `RFC 6749`, `OpenID Connect Core`, or an Internet-Draft with its version. */
  readonly standard: string;
  /** `4.1.3`; null for the whole document. */
  readonly section: string | null;
}

export type Citation = RuleReference | StandardReference;

/** A piece of a text; `cites` is null for plain text. */
export interface CitedPiece {
  readonly text: string;
  readonly cites: Citation | null;
}

/** The cited standards of the OpenID Foundation, with their file on openid.net. */
const OPENID_FILES: ReadonlyMap<string, string> = new Map([
  ['OpenID Connect Core', 'openid-connect-core-1_0'],
  ['OpenID Connect Discovery', 'openid-connect-discovery-1_0'],
  ['OpenID Connect Dynamic Client Registration', 'openid-connect-registration-1_0'],
  ['OpenID Connect RP-Initiated Logout', 'openid-connect-rpinitiated-1_0'],
  ['RP-Initiated Logout', 'openid-connect-rpinitiated-1_0'],
  ['OAuth 2.0 Form Post Response Mode', 'oauth-v2-form-post-response-mode-1_0'],
]);

const NUMBER = String.raw`\d{1,2}(?:\.\d{1,2}){0,3}`;
const STANDARDS = ['RFC \\d{3,5}', 'draft-ietf-[a-z-]+-\\d\\d', ...OPENID_FILES.keys()].join('|');

/** The edition of an OpenID standard, 1.0, must not be read as a section. */
const FIRST = new RegExp(
  String.raw`\b(?:([Ss]pec|[Bb]ehaviour) (${NUMBER})|(${STANDARDS})\b(?: 1\.0\b)?(?: (${NUMBER})(?!\w))?)`,
  'g',
);

/** Another number in the same document, such as `, 8.2` or ` and 5`, but not a number that begins a phrase. */
const NEXT = new RegExp(String.raw`(?:, | and )(${NUMBER})(?=$|[^\w .]|\.(?:$|\s)| and )`, 'y');

function citationOf([, book, number, standard, section]: RegExpExecArray): Citation {
  if (standard !== undefined) return { standard, section: section ?? null };
  return { book: book?.toLowerCase() === 'spec' ? 'spec' : 'behaviour', number: number ?? '' };
}

const another = (first: Citation, number: string): Citation =>
  'standard' in first ? { ...first, section: number } : { ...first, number };

/** Splits a text into pieces, which together are the text again. */
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

/** Where a rule is in the repository and the package: `docs/behaviour.md#5-2`. */
export function placeOf({ book, number }: RuleReference): string {
  const file = book === 'spec' ? 'specification' : 'behaviour';
  return `docs/${file}.md#${number.replaceAll('.', '-')}`;
}

/** Where a standard, or its section, is published. */
export function addressOf({ standard, section }: StandardReference): string {
  const file = OPENID_FILES.get(standard);
  if (file !== undefined) {
    const anchor = section === null ? '' : `#rfc.section.${section}`;
    return `https://openid.net/specs/${file}.html${anchor}`;
  }
  const anchor = section === null ? '' : `#section-${section}`;
  return standard.startsWith('RFC ')
    ? `https://www.rfc-editor.org/rfc/rfc${standard.slice('RFC '.length)}${anchor}`
    : `https://datatracker.ietf.org/doc/html/${standard}${anchor}`;
}
