// Formats exchanges as HAR 1.2, with members filled as Chrome does. Its input is already redacted.

import type { Har, HarEntry, HarMessage } from '../../control/export-schemas.ts';
import type { Exchange } from '../../control/schemas.ts';
import { headerOf } from '../../oauth/fields.ts';
import { REDACTED } from '../../redact/spans.ts';

type Part = Exchange['request'] | Exchange['response'];

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;
/** Characters that a request target may contain but a URI may not (RFC 3986 2). */
const NO_URI = /%(?![\da-f]{2})|[^\x21-\x7e]|["#<>\\^`{|}[\]]/gi;

function asUri(target: string): string {
  return target.replace(NO_URI, encodeURIComponent);
}

/** Returns the absolute URL of the request. @param issuer gives the scheme, and the host if the request has none */
function urlOf({ path, request }: Exchange, issuer: string): string {
  if (/^https?:\/\/[\w.-]/i.test(path)) return asUri(path);
  const { protocol, host } = new URL(issuer);
  const named = headerOf(request.headers, 'host') ?? '';
  const origin = `${protocol}//${HOST.test(named) ? named : host}`;
  return path.startsWith('/') ? origin + asUri(path) : `${origin}/`;
}

const pairs = (text: string) =>
  [...new URLSearchParams(text)].map(([name, value]) => ({ name, value }));

const queryOf = (path: string) => pairs(path.split('?').slice(1).join('?'));

type Cookie = HarEntry['response']['cookies'][number];

function nameAndValue(text: string): Cookie[] {
  const mark = text.indexOf('=');
  if (mark < 1) return [];
  return [{ name: text.slice(0, mark).trim(), value: text.slice(mark + 1).trim() }];
}

const sentCookies = (part: Part): Cookie[] =>
  (headerOf(part.headers, 'cookie') ?? '').split(';').flatMap(nameAndValue);

function setCookie(text: string): Cookie[] {
  const [first = '', ...attributes] = text.split(';');
  const given = new Map(
    attributes.map((attribute) => {
      const [name = '', ...value] = attribute.trim().split('=');
      return [name.toLowerCase(), value.join('=')];
    }),
  );
  const path = given.get('path');
  const expires = new Date(given.get('expires') ?? Number.NaN);
  return nameAndValue(first).map((cookie) => ({
    ...cookie,
    ...(path === undefined ? {} : { path }),
    ...(Number.isNaN(expires.getTime()) ? {} : { expires: expires.toISOString() }),
    httpOnly: given.has('httponly'),
    secure: given.has('secure'),
  }));
}

const setCookies = ({ headers }: Part): Cookie[] =>
  headers.flatMap(([name, value]) => (name.toLowerCase() === 'set-cookie' ? setCookie(value) : []));

const versionOf = ({ request: { http_version } }: Exchange): string =>
  http_version.startsWith('HTTP/') ? http_version : `HTTP/${http_version}`;

function message(exchange: Exchange, part: Part, cookies: Cookie[]): HarMessage {
  const headers = part.headers.map(([name, value]) => ({ name, value }));
  return { httpVersion: versionOf(exchange), cookies, headers };
}

const isForm = (type: string) => /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type);

/** HAR 1.2 has no encoding for posted data, so a comment names it. */
function remarkOn({ body, body_encoding, body_bytes }: Part): { comment?: string } {
  if (body_encoding === 'base64') return { comment: 'base64 of bytes that are not UTF-8' };
  // With redacted secrets, its length is meaningless.
  if (body.includes(REDACTED)) return {};
  const kept = Buffer.byteLength(body);
  return kept < body_bytes ? { comment: `the first ${kept} of ${body_bytes} bytes` } : {};
}

function postData(part: Part): Pick<HarEntry['request'], 'postData'> {
  if (part.body === '') return {};
  const mimeType = headerOf(part.headers, 'content-type') ?? '';
  const readable = part.body_encoding === 'utf8' && isForm(mimeType);
  const params = readable ? { params: pairs(part.body) } : {};
  return { postData: { mimeType, text: part.body, ...params, ...remarkOn(part) } };
}

function contentOf(part: Part): HarEntry['response']['content'] {
  const { body, body_encoding, body_bytes } = part;
  return {
    size: body_bytes,
    mimeType: headerOf(part.headers, 'content-type') ?? '',
    text: body,
    ...(body_encoding === 'base64' ? { encoding: body_encoding } : {}),
  };
}

function extraOf(exchange: Exchange): HarEntry['_grantbench'] {
  const { number, ip, sent_by, client_id, grant_type, error, cause, lineage_id, throttled, fault } =
    exchange;
  return {
    number,
    client_ip: ip,
    sent_by,
    client_id,
    grant_type,
    error,
    cause,
    lineage_id,
    throttled,
    fault: fault?.what ?? null,
  };
}

/** @param issuer gives relative targets their origin */
export function harEntry(exchange: Exchange, issuer: string): HarEntry {
  const { request, response, duration_ms, why } = exchange;
  return {
    startedDateTime: exchange.at,
    time: duration_ms,
    request: {
      method: exchange.method,
      url: urlOf(exchange, issuer),
      ...message(exchange, request, sentCookies(request)),
      queryString: queryOf(exchange.path),
      headersSize: -1,
      bodySize: request.body_bytes,
      ...postData(request),
    },
    response: {
      status: exchange.status,
      statusText: response.reason,
      ...message(exchange, response, setCookies(response)),
      content: contentOf(response),
      redirectURL: headerOf(response.headers, 'location') ?? '',
      headersSize: -1,
      bodySize: response.body_bytes,
    },
    cache: {},
    timings: {
      blocked: -1,
      dns: -1,
      connect: -1,
      ssl: -1,
      send: 0,
      wait: duration_ms,
      receive: 0,
    },
    ...(why === null ? {} : { comment: why.summary }),
    _grantbench: extraOf(exchange),
  };
}

/** Returns the archive. @param entries oldest first @param version of Grantbench */
export const harOf = (entries: HarEntry[], version: string): Har => ({
  log: { version: '1.2', creator: { name: 'Grantbench', version }, pages: [], entries },
});
