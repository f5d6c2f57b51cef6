// An exchange as the text that went over the wire.

import type { Exchange } from '../../control/schemas.ts';
import { jsonOrText } from '../../json.ts';
import { bodyText, queryOf } from './answer.ts';
import { headerOf } from '../../oauth/fields.ts';
import { REDACTED } from '../../redact/spans.ts';
import { hasRequest } from '../ui/status.tsx';

type Part = Exchange['request'] | Exchange['response'];

export interface RawMessage {
  head: string;
  body: string;
  /** The decoded query parameters, one per line; empty if there are none. */
  query: string;
  /** What the text cannot show: that a body is cut short, or is not text. */
  remark: string | null;
}

function prettyJson(text: string): string {
  const value = jsonOrText(text);
  return value === text ? text : JSON.stringify(value, null, 2);
}

/** One parameter per line, decoded. */
const fieldLines = (encoded: string): string =>
  [...new URLSearchParams(encoded)].map(([name, value]) => `${name} = ${value}`).join('\n');

/** A form with one decoded field per line, or indented JSON; any other body unchanged. */
export function prettyBody(part: Part): string {
  const text = bodyText(part);
  const type = headerOf(part.headers, 'content-type') ?? '';
  if (!type.includes('x-www-form-urlencoded')) return prettyJson(text);
  return fieldLines(text);
}

function remarkOn(part: Part): string | null {
  if (part.body_encoding === 'base64') return 'Bytes that are not UTF-8 are shown as \\x escapes.';
  // While secrets are left out, the length of the body says nothing.
  if (part.body.includes(REDACTED)) return null;
  const kept = new TextEncoder().encode(part.body).length;
  return kept < part.body_bytes ? `The first ${kept} of ${part.body_bytes} bytes were kept.` : null;
}

const version = (given: string) => (given.startsWith('HTTP/') ? given : `HTTP/${given}`);

const headLines = (first: string, part: Part): string =>
  [first, ...part.headers.map(([name, value]) => `${name}: ${value}`)].join('\n');

const absent = (head: string): RawMessage => ({ head, body: '', query: '', remark: null });

export function rawRequest(exchange: Exchange, pretty: boolean): RawMessage {
  const { method, path, request } = exchange;
  if (!hasRequest(exchange)) return absent('No HTTP request was received.');
  return {
    head: headLines(`${method} ${path} ${version(request.http_version)}`, request),
    body: pretty ? prettyBody(request) : bodyText(request),
    query: fieldLines(queryOf(exchange)),
    remark: remarkOn(request),
  };
}

export function rawResponse(exchange: Exchange, pretty: boolean): RawMessage {
  const { status, request, response } = exchange;
  if (status === 0) return absent('No response was sent.');
  const first = `${version(request.http_version)} ${status} ${response.reason}`;
  return {
    head: headLines(first, response),
    body: pretty ? prettyBody(response) : bodyText(response),
    query: '',
    remark: remarkOn(response),
  };
}
