// A draft as what goes out: to the host that sends it, and to the generators of code. What cannot be
// sent is marked at its place before anybody tries.

import type { SendRequest } from '../../../control/schemas.ts';
import { masked } from '../../exchange/secrets.ts';
import { filledHeaders, type Draft } from './draft.ts';
import { isBlank } from './field-rows.ts';
import type { RequestText } from '../../snippets/snippet.ts';

export const sendRequestOf = (draft: Draft): SendRequest => ({
  method: draft.method,
  path: draft.target,
  headers: filledHeaders(draft),
  body: draft.body.text,
  secrets: true,
});

export const requestTextOf = (draft: Draft, origin: string): RequestText => ({
  method: draft.method,
  url: `${origin}${draft.target}`,
  headers: filledHeaders(draft),
  // On the wire, half of a surrogate pair becomes U+FFFD.
  body: draft.body.text.toWellFormed(),
});

const maskedHeader = ([name, value]: readonly [string, string]): [string, string] => {
  const [, shown = value] = /^[^:]*: (.*)$/s.exec(masked(`${name}: ${value}`)) ?? [];
  return [name, shown];
};

/** The same to look at: client secrets masked. */
export const maskedText = (request: RequestText): RequestText => ({
  ...request,
  url: masked(request.url),
  headers: request.headers.map(maskedHeader),
  body: masked(request.body),
});

/** Fields of control's own findings, so that both are shown in one place. */
export type Problems = Readonly<Record<string, string>>;

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const TARGET = /^\/[\x21-\x7e]*$/;
const FRAMING = ['transfer-encoding', 'connection', 'upgrade', 'expect', 'trailer'];

function headerProblem(name: string, value: string): string | null {
  if (name === '') return 'A header needs a name.';
  if (!TOKEN.test(name))
    return 'A header name must not contain spaces or any of ( ) , / : ; < = > ? @.';
  if (!VALUE.test(value))
    return 'A header value must not contain line breaks or other control characters.';
  if (FRAMING.includes(name.toLowerCase())) return 'Grantbench sets this header.';
  return null;
}

/** What could not be sent, by field: `method`, `path`, `headers.0` by its row. */
export function problemsOf({ method, target, headers }: Draft): Problems {
  const problems: Record<string, string> = {};
  if (!/^[A-Z-]+$/.test(method)) problems['method'] = 'A method must be a word in capital letters.';
  if (!TARGET.test(target)) {
    problems['path'] =
      'A path must begin with / and contain only visible ASCII; percent-encode the rest.';
  }
  headers.forEach((row, index) => {
    const problem = isBlank(row) ? null : headerProblem(row.name.trim(), row.value.trim());
    if (problem !== null) problems[`headers.${index}`] = problem;
  });
  return problems;
}
