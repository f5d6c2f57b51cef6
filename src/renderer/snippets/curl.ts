// Writes a request as a curl command for a POSIX shell that sends it byte for byte.

import { base64OfText } from '../../oauth/base64.ts';
import { headerOf } from '../../oauth/fields.ts';
import { sh, shWord } from './literals.ts';
import { ownHeaders, splitUrl, type Language, type RequestText } from './snippet.ts';

export const command = (parts: readonly string[]): string => parts.join(' \\\n  ');

/** A shell argument cannot contain a NUL. */
export const needsPipe = (body: string): boolean => body.includes('\0');

/** The command with a body on its standard input. */
const piped = (base64: string, parts: readonly string[]): string =>
  `printf %s ${sh(base64)} | base64 -d | ${command(parts)}`;

export const pipedText = (body: string, parts: readonly string[]): string =>
  piped(base64OfText(body), parts);

interface CurlRequest extends RequestText {
  /** Whether the body is the base64 of bytes that are not text. */
  readonly binary?: boolean;
}

/** For curl, `Name:` removes a header and `Name;` sends an empty one. */
const header = (name: string, value: string): string =>
  `-H ${sh(value === '' ? `${name};` : `${name}: ${value}`)}`;

/** The URL, with the options that keep curl from changing it. */
function target(url: string): string[] {
  const [origin, after] = splitUrl(url);
  // curl never sends a fragment, and `*` is not a path. --request-target forces both.
  if (after.includes('#') || !after.startsWith('/')) {
    return [sh(`${origin}/`), `--request-target ${sh(after)}`];
  }
  const path = after.split('?')[0] ?? '';
  const asIs = /\/\.{1,2}(?:\/|$)/.test(path) ? ['--path-as-is'] : [];
  const unglobbed = /[[\]{}]/.test(url) ? ['--globoff'] : [];
  return [[...asIs, ...unglobbed, sh(url)].join(' ')];
}

function sentHeaders(request: CurlRequest): string[] {
  const headers = ownHeaders(request);
  const sent = headers.map(([name, value]) => header(name, value));
  // curl declares a body without a content type a form.
  const untyped = request.body !== '' && headerOf(headers, 'content-type') === null;
  return untyped ? [...sent, `-H ${sh('Content-Type:')}`] : sent;
}

/** The command. It contains the secrets of the request. */
export function curlCommand(request: CurlRequest): string {
  const { method, url, body, binary = false } = request;
  const head = method === 'HEAD';
  const [first = '', ...more] = target(url);
  const parts = [
    `curl ${head ? '--head' : `-i -X ${shWord(method)}`} ${first}`,
    ...more,
    ...sentHeaders(request),
  ];
  // After a HEAD request with a body, curl would wait for a response body.
  if (body === '' || head) return command(parts);
  if (binary) return piped(body, [...parts, '--data-binary @-']);
  if (needsPipe(body)) return pipedText(body, [...parts, '--data-binary @-']);
  return command([...parts, `--data-raw ${sh(body)}`]);
}

export const curl: Language = {
  id: 'curl',
  name: 'curl',
  about: 'For a POSIX shell: bash, zsh, Git Bash.',
  write: (request) => ({
    text: curlCommand(request),
    notes:
      request.method === 'HEAD' && request.body !== '' ? ['curl sends no body with HEAD.'] : [],
  }),
};
