// An exchange as the text that went over the wire, and as a curl command.

import type { Exchange } from '../../../../control/schemas.ts';
import { bodyText, headerOf } from '../answer.ts';

type Part = Exchange['request'] | Exchange['response'];

export interface RawMessage {
  head: string;
  body: string;
  /** What the text does not show: a body cut short, bytes that are no text. */
  remark: string | null;
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** One form field a line, decoded, when the body is a form; pretty JSON when it is JSON. */
export function prettyBody(part: Part): string {
  const text = bodyText(part);
  const type = headerOf(part.headers, 'content-type') ?? '';
  if (!type.includes('x-www-form-urlencoded')) return prettyJson(text);
  return [...new URLSearchParams(text)].map(([name, value]) => `${name} = ${value}`).join('\n');
}

function remarkOn(part: Part): string | null {
  if (part.body_encoding === 'base64') return 'Bytes that are not UTF-8 are shown as \\x escapes.';
  const kept = new TextEncoder().encode(part.body).length;
  return kept < part.body_bytes ? `The first ${kept} of ${part.body_bytes} bytes were kept.` : null;
}

const version = (given: string) => (given.startsWith('HTTP/') ? given : `HTTP/${given}`);

const headLines = (first: string, part: Part): string =>
  [first, ...part.headers.map(([name, value]) => `${name}: ${value}`)].join('\n');

export function rawRequest(exchange: Exchange, pretty: boolean): RawMessage {
  const { method, path, request } = exchange;
  return {
    head: headLines(`${method} ${path} ${version(request.http_version)}`, request),
    body: pretty ? prettyBody(request) : bodyText(request),
    remark: remarkOn(request),
  };
}

export function rawResponse(exchange: Exchange, pretty: boolean): RawMessage {
  const { status, request, response } = exchange;
  const first = `${version(request.http_version)} ${status} ${response.reason}`;
  return {
    head: headLines(first, response),
    body: pretty ? prettyBody(response) : bodyText(response),
    remark: remarkOn(response),
  };
}

const SECRET_FIELDS = [
  /("client_secret"\s*:\s*")((?:[^"\\]|\\.)*)(")/g,
  /(client_secret(?:=| = ))([^&\s]*)()/g,
  /(authorization: Basic )(\S+)()/gi,
];
const DOTS = '••••••••';

/** The text with client secrets masked; codes and tokens stay, they are what one came to see. */
export const masked = (text: string): string =>
  SECRET_FIELDS.reduce((masking, field) => masking.replace(field, `$1${DOTS}$3`), text);

const SENT_BY_CURL = ['host', 'content-length', 'connection', 'user-agent', 'accept-encoding'];
const LEFT_OUT = [...SENT_BY_CURL, 'sec-fetch-mode', 'accept-language', 'transfer-encoding'];

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The same request for a shell, secrets included, so that it does what was done. */
export function curlOf(exchange: Exchange, issuer: string): string {
  const { method, path, request } = exchange;
  const host = headerOf(request.headers, 'host');
  const url = host === null ? new URL(path, issuer).href : `http://${host}${path}`;
  const lines = [`curl -i -X ${method} ${quoted(url)}`];
  for (const [name, value] of request.headers) {
    if (!LEFT_OUT.includes(name.toLowerCase())) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  if (request.body_encoding === 'base64') {
    const piped = `printf %s ${quoted(request.body)} | base64 -d | `;
    return piped + [...lines, '--data-binary @-'].join(' \\\n  ');
  }
  if (request.body !== '') lines.push(`--data-raw ${quoted(request.body)}`);
  return lines.join(' \\\n  ');
}
