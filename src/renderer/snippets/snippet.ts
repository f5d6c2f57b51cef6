// What the generators of code are given and what they give.

import type { Fields } from '../../oauth/fields.ts';

/** A request as the composer sends it; Content-Length and Connection are the sender's business. */
export interface RequestText {
  readonly method: string;
  readonly url: string;
  readonly headers: Fields;
  /** Well-formed Unicode, sent as UTF-8. */
  readonly body: string;
}

export interface Snippet {
  readonly text: string;
  /** Where running it sends something else than the composer does, in sentences. */
  readonly notes: readonly string[];
}

export interface Language {
  readonly id: string;
  readonly name: string;
  /** What it takes to run it. */
  readonly about: string;
  readonly write: (request: RequestText) => Snippet;
}

/** Without what every client works out by itself. */
export const ownHeaders = ({ headers }: RequestText): Fields =>
  headers.filter(([name]) => name.toLowerCase() !== 'content-length');

const ASCII = /^[\t\x20-\x7e]*$/;
const PLAIN_TARGET = /^[\w\-.~!$&*+,;(=):@/?%]*$/;
const ODD_ESCAPE = /%(?![0-9A-F]{2})/;
const NEEDLESS_ESCAPE = /%(?:2D|2E|5F|7E|3\d|4[1-9A-F]|5[0-9A]|6[1-9A-F]|7[0-9A])/;
const DOT_SEGMENT = /\/\.{1,2}(?=[/?]|$)/;

/** Where it goes, and what is asked for there; not by URL, which would write it anew. */
export function splitUrl(url: string): [origin: string, target: string] {
  const [origin = url] = /^\w+:\/\/[^/?#*]*/.exec(url) ?? [];
  return [origin, url.slice(origin.length)];
}

/** Clients that take an URL apart write some characters another way. */
function rewritesTarget(url: string): boolean {
  const [, target] = splitUrl(url);
  const path = target.split('?')[0] ?? '';
  const plain = PLAIN_TARGET.test(target) && !ODD_ESCAPE.test(target);
  return !plain || NEEDLESS_ESCAPE.test(target) || DOT_SEGMENT.test(path);
}

export function repeatedHeader({ headers }: RequestText): string | null {
  const names = headers.map(([name]) => name.toLowerCase());
  return names.find((name, index) => names.indexOf(name) !== index) ?? null;
}

type Note = string | false;

/** What holds for every client that has a URL type and typed headers. */
export const commonNotes = (request: RequestText): readonly Note[] => [
  rewritesTarget(request.url) &&
    'The path contains characters that this client may encode differently; curl sends them unchanged.',
  request.headers.some(([, value]) => !ASCII.test(value)) &&
    'A header contains non-ASCII characters, which this client may encode differently.',
];

export const told = (notes: readonly Note[]): readonly string[] =>
  notes.filter((note) => note !== false);
