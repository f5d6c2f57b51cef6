// An exchange's request as a curl command for a POSIX shell, which sends it again byte by byte.

import type { Exchange } from '../../../control/schemas.ts';
import { headerOf } from './answer.ts';

const SENT_BY_CURL = ['host', 'content-length', 'connection', 'user-agent', 'accept-encoding'];
const LEFT_OUT = [...SENT_BY_CURL, 'sec-fetch-mode', 'accept-language', 'transfer-encoding'];

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** curl takes `Name:` as "leave it out" and `Name;` as "send it empty". */
const header = (name: string, value: string): string =>
  `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`;

/** Where it went, and what curl must be told so that it goes there as it is. */
function target({ path, request }: Exchange, issuer: string): string[] {
  const { protocol, host } = new URL(issuer);
  const origin = `${protocol}//${headerOf(request.headers, 'host') ?? host}`;
  if (path === '*') return [quoted(`${origin}/`), `--request-target ${quoted(path)}`];
  const url = path.startsWith('/') ? `${origin}${path}` : path;
  return /[[\]{}]/.test(url) ? [`--globoff ${quoted(url)}`] : [quoted(url)];
}

function sentHeaders({ headers, body }: Exchange['request']): string[] {
  const sent = headers
    .filter(([name]) => !LEFT_OUT.includes(name.toLowerCase()))
    .map(([name, value]) => header(name, value));
  // With a body and no type, curl would call it a form.
  const untyped = body !== '' && headerOf(headers, 'content-type') === null;
  return untyped ? [...sent, `-H ${quoted('Content-Type:')}`] : sent;
}

function toBase64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** The same request for a shell; it holds the secrets that the exchange given holds. */
export function curlOf(exchange: Exchange, issuer: string): string {
  const { method, request } = exchange;
  const how = method === 'HEAD' ? '--head' : `-i -X ${method}`;
  const [first = '', ...more] = target(exchange, issuer);
  const lines = [`curl ${how} ${first}`, ...more, ...sentHeaders(request)];
  const join = (last: readonly string[]) => [...lines, ...last].join(' \\\n  ');
  if (request.body === '') return join([]);
  const binary = request.body_encoding === 'base64';
  // An argument cannot hold a NUL.
  if (!binary && !request.body.includes('\0')) return join([`--data-raw ${quoted(request.body)}`]);
  const encoded = binary ? request.body : toBase64(request.body);
  return `printf %s ${quoted(encoded)} | base64 -d | ${join(['--data-binary @-'])}`;
}
