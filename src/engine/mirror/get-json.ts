// One document, by one GET request: no redirects, no cookies, no proxy, and bounds in bytes and time.

import { lookup as resolve } from 'node:dns';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isJsonObject } from '../../core/records/json-object.ts';
import type { JsonObject } from '../../oauth/json-object.ts';
import { parseJsonText } from '../../core/records/json-text.ts';
import { checkAddress, hostOf, isLoopback } from './addresses.ts';
import { MirrorError } from './mirror-error.ts';

const MIB = 1024 * 1024;

/** Of one document. */
const MAX_DOCUMENT_BYTES = MIB;

export interface GetOptions {
  /** Addresses that are connected to although they are private or link-local. */
  readonly named: readonly string[];
  /** Milliseconds from the request to the last byte. */
  readonly timeout_ms: number;
}

/** @throws MirrorError for what is no URL to be mirrored */
export function checkedUrl(text: string): URL {
  if (!URL.canParse(text)) throw new MirrorError(text, 'is not a URL');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new MirrorError(`${url.protocol}//${url.host}`, 'must not have a user name or password');
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    throw new MirrorError(text, 'must begin with https://, or http:// and a loopback address');
  }
  return url;
}

/** The addresses are checked where they are used: nothing is resolved again after that. */
export function guardedLookup(url: URL, named: readonly string[]): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, '', 0);
        return;
      }
      try {
        for (const { address } of addresses) checkAddress(url, address, named);
      } catch (refusal) {
        callback(refusal as MirrorError, '', 0);
        return;
      }
      const [first] = addresses;
      if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
}

/** The body is not read of a response that is not what was asked for. */
function checkHead(url: URL, { statusCode = 0, headers }: IncomingMessage): void {
  const { location, 'content-length': length, 'content-encoding': encoding = 'identity' } = headers;
  if (statusCode >= 300 && statusCode < 400) {
    const to = location === undefined ? '' : ` to ${location.slice(0, 200)}`;
    throw new MirrorError(url.href, `redirects${to}; redirects are not followed`);
  }
  if (statusCode !== 200) {
    const rule = `answers with status ${statusCode}, not 200`;
    throw new MirrorError(url.href, rule, { status: statusCode });
  }
  if (/\bhtml\b/i.test(headers['content-type'] ?? '')) {
    throw new MirrorError(url.href, 'answers with HTML, not JSON');
  }
  if (encoding !== 'identity') {
    throw new MirrorError(url.href, 'answers with compressed data that was not asked for');
  }
  if (Number(length ?? 0) > MAX_DOCUMENT_BYTES) throw tooLong(url);
}

const tooLong = (url: URL) => new MirrorError(url.href, 'answers with more than 1 MB');

async function readBody(url: URL, response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_DOCUMENT_BYTES) throw tooLong(url);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new MirrorError(url.href, 'answers with text that is not UTF-8', { cause });
  }
}

function open(url: URL, named: readonly string[], signal: AbortSignal): Promise<IncomingMessage> {
  const isTls = url.protocol === 'https:';
  const options = {
    // One connection for one document.
    agent: false as const,
    headers: { Accept: 'application/json' },
    lookup: guardedLookup(url, named),
    signal,
  };
  return new Promise((done, failed) => {
    const request = isTls
      ? requestHttps(url, { ...options, rejectUnauthorized: true }, done)
      : requestHttp(url, options, done);
    request.on('error', failed).end();
  });
}

async function getText(url: URL, { named, timeout_ms }: GetOptions): Promise<string> {
  const host = hostOf(url);
  // An address in the URL itself is resolved by nobody.
  if (isIP(host) !== 0) checkAddress(url, host, named);
  const signal = AbortSignal.timeout(timeout_ms);
  let response: IncomingMessage | undefined;
  try {
    response = await open(url, named, signal);
    checkHead(url, response);
    return await readBody(url, response);
  } catch (cause) {
    if (cause instanceof MirrorError) throw cause;
    if (signal.aborted) {
      const rule = `has not answered in full within ${timeout_ms / 1000} seconds`;
      throw new MirrorError(url.href, rule, { cause });
    }
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new MirrorError(url.href, `cannot be read: ${why}`, { cause });
  } finally {
    response?.destroy();
  }
}

/** The JSON object at a URL. @throws MirrorError naming the URL and the rule */
export async function getJson(url: URL, options: GetOptions): Promise<JsonObject> {
  const text = await getText(url, options);
  if (text.trimStart().startsWith('<')) {
    throw new MirrorError(url.href, 'answers with HTML, not JSON');
  }
  const parsed = parseJsonText(text);
  if ('problems' in parsed) {
    const { path = '', message = '' } = parsed.problems[0] ?? {};
    throw new MirrorError(url.href, `answers with text of which ${path || 'the whole'} ${message}`);
  }
  if (isJsonObject(parsed.value)) return parsed.value;
  throw new MirrorError(url.href, 'answers with JSON that is not an object');
}
