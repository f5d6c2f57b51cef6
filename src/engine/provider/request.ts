// One request to a provider: the address is checked where it is connected to, TLS is always checked, no redirect is
// followed, there are no cookies and no proxy, and the answer is bounded in bytes and time.

import { lookup as resolve } from 'node:dns';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { checkAddress, hostOf } from './addresses.ts';
import { ProviderError } from './provider-error.ts';

const MIB = 1024 * 1024;

/** Of one answer. */
export const MAX_ANSWER_BYTES = MIB;

/** What is sent; a list repeats its header. */
export interface ProviderRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

export interface Connecting {
  /** Addresses that are connected to although they are private or link-local. */
  readonly named: readonly string[];
  /** Milliseconds from the request to the last byte. */
  readonly timeout_ms: number;
  /** Of the person who does not want to wait any longer. */
  readonly cancelled?: AbortSignal;
}

/** The addresses are checked where they are used: nothing is resolved again after that. */
function guardedLookup(url: URL, named: readonly string[]): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, '', 0);
        return;
      }
      try {
        for (const { address } of addresses) checkAddress(url, address, named);
      } catch (refusal) {
        callback(refusal as ProviderError, '', 0);
        return;
      }
      const [first] = addresses;
      if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
}

function open(
  url: URL,
  { method, headers, body }: ProviderRequest,
  named: readonly string[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const options = {
    method,
    // One connection for one request.
    agent: false as const,
    headers: { ...headers, ...length, Host: url.host },
    lookup: guardedLookup(url, named),
    signal,
  };
  return new Promise((done, failed) => {
    const request =
      url.protocol === 'https:'
        ? requestHttps(url, { ...options, rejectUnauthorized: true }, done)
        : requestHttp(url, options, done);
    request.on('error', failed).end(body);
  });
}

export const tooLong = (url: URL) => new ProviderError(url.href, 'answers with more than 1 MB');

/** @throws ProviderError for more than MAX_ANSWER_BYTES */
export async function bodyOf(url: URL, response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw tooLong(url);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * @param url where the request goes
 * @param read what is wanted of the response, which is closed afterwards
 * @param shown the URL as errors name it, where a part of it is not to be shown
 * @throws ProviderError naming the URL and the rule
 */
export async function requestOf<Wanted>(
  url: URL,
  outgoing: ProviderRequest,
  { named, timeout_ms, cancelled }: Connecting,
  read: (response: IncomingMessage) => Promise<Wanted>,
  shown = url,
): Promise<Wanted> {
  const host = hostOf(url);
  // An address in the URL itself is resolved by nobody.
  if (isIP(host) !== 0) checkAddress(shown, host, named);
  const late = AbortSignal.timeout(timeout_ms);
  const signal = cancelled === undefined ? late : AbortSignal.any([late, cancelled]);
  let response: IncomingMessage | undefined;
  try {
    response = await open(url, outgoing, named, signal);
    return await read(response);
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    cancelled?.throwIfAborted();
    const why = late.aborted
      ? `has not answered in full within ${timeout_ms / 1000} seconds`
      : `cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new ProviderError(shown.href, why, { cause });
  } finally {
    response?.destroy();
  }
}
