// The input and the output of the code generators.

import type { Fields } from '../../oauth/fields.ts';

/** A request as the composer sends it. The sender sets Content-Length and Connection. */
export interface RequestText {
  readonly method: string;
  readonly url: string;
  readonly headers: Fields;
  /** Well-formed Unicode, sent as UTF-8. */
  readonly body: string;
}

interface Snippet {
  readonly text: string;
  /** Sentences on where the code sends a different request than the composer. */
  readonly notes: readonly string[];
}

export interface Language {
  readonly id: string;
  readonly name: string;
  /** What is required to run the code. */
  readonly about: string;
  readonly write: (request: RequestText) => Snippet;
}

/** The headers without those that every client sets itself. */
export const ownHeaders = ({ headers }: RequestText): Fields =>
  headers.filter(([name]) => name.toLowerCase() !== 'content-length');

const ASCII = /^[\t\x20-\x7e]*$/;
const PLAIN_TARGET = /^[\w\-.~!$&*+,;(=):@/?%]*$/;
const ODD_ESCAPE = /%(?![0-9A-F]{2})/;
const NEEDLESS_ESCAPE = /%(?:2D|2E|5F|7E|3\d|4[1-9A-F]|5[0-9A]|6[1-9A-F]|7[0-9A])/;
const DOT_SEGMENT = /\/\.{1,2}(?=[/?]|$)/;

/** Splits a URL into origin and target without URL, which would normalize it. */
export function splitUrl(url: string): [origin: string, target: string] {
  const [origin = url] = /^\w+:\/\/[^/?#*]*/.exec(url) ?? [];
  return [origin, url.slice(origin.length)];
}

/** Whether clients that parse the URL would encode some characters differently. */
function rewritesTarget(url: string): boolean {
  const [, target] = splitUrl(url);
  const path = target.split('?')[0] ?? '';
  const plain = PLAIN_TARGET.test(target) && !ODD_ESCAPE.test(target);
  return !plain || NEEDLESS_ESCAPE.test(target) || DOT_SEGMENT.test(path);
}

type Note = string | false;

/** Says that the client joins a header that the request repeats. */
export function joinedNote(client: string, { headers }: RequestText): Note {
  const names = headers.map(([name]) => name.toLowerCase());
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  return repeated !== undefined && `${client} joins the repeated header ${repeated} into one.`;
}

/** Notes for every client that has a URL type and typed headers. */
const commonNotes = (request: RequestText): readonly Note[] => [
  rewritesTarget(request.url) &&
    'The path contains characters that this client may encode differently; curl sends them unchanged.',
  request.headers.some(([, value]) => !ASCII.test(value)) &&
    'A header contains non-ASCII characters, which this client may encode differently.',
];

interface Written extends Omit<Language, 'write'> {
  /** Gets the headers without those that every client sets itself. */
  readonly lines: (request: RequestText) => readonly string[];
  readonly notes?: (request: RequestText) => readonly Note[];
}

/** A language whose client has a URL type and typed headers. */
export const language = ({ lines, notes = () => [], ...about }: Written): Language => ({
  ...about,
  write: (request) => {
    const own = { ...request, headers: ownHeaders(request) };
    return {
      text: lines(own).join('\n'),
      notes: [...notes(own), ...commonNotes(own)].filter((note) => note !== false),
    };
  },
});
