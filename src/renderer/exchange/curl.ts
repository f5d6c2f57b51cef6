// An exchange's request as a curl command for a POSIX shell that sends exactly the same bytes.

import type { Exchange } from '../../control/schemas.ts';
import { curlCommand } from '../snippets/curl.ts';
import { headerOf } from '../../oauth/fields.ts';

const SENT_BY_CURL = ['host', 'content-length', 'connection', 'user-agent', 'accept-encoding'];
const LEFT_OUT = [...SENT_BY_CURL, 'sec-fetch-mode', 'accept-language', 'transfer-encoding'];

function urlOf({ path, request }: Exchange, issuer: string): string {
  const { protocol, host } = new URL(issuer);
  const origin = `${protocol}//${headerOf(request.headers, 'host') ?? host}`;
  return path.startsWith('/') || path === '*' ? `${origin}${path}` : path;
}

/** The command contains the secrets that the given exchange contains. */
export function curlOf(exchange: Exchange, issuer: string): string {
  const { method, request } = exchange;
  return curlCommand({
    method,
    url: urlOf(exchange, issuer),
    headers: request.headers.filter(([name]) => !LEFT_OUT.includes(name.toLowerCase())),
    body: request.body,
    binary: request.body_encoding === 'base64',
  });
}
