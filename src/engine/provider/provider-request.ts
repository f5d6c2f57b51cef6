// Sends one request to a provider. The address is checked when connecting, TLS certificates are always validated,
// redirects are not followed, cookies and proxies are not used, and the response is limited in size and time.

import { lookup as resolve } from 'node:dns';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { codeOf, connectionProblem, messageOf } from '../errors.ts';
import { checkAddress, hostOf } from './addresses.ts';
import { ProviderError } from './provider-error.ts';

const MIB = 1024 * 1024;

/** Maximum size of a response. */
export const MAX_ANSWER_BYTES = MIB;

/** The request; an array repeats its header. */
export interface ProviderRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

export interface Connecting {
  /** Private or link-local addresses to which connections are allowed. */
  readonly named: readonly string[];
  /** Time limit from the request to the last byte, in ms. */
  readonly timeout_ms: number;
  /** Aborted when the user cancels. */
  readonly cancelled?: AbortSignal;
  /** Maximum bytes of a response that is read as a whole; MAX_ANSWER_BYTES by default. */
  readonly most_bytes?: number;
}

/** Checks addresses where they are used, so that they are not resolved again. */
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
    // Each request uses a separate connection.
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

export const tooLong = (url: URL, most: number) =>
  new ProviderError(
    url.href,
    `responds with more than ${most < MIB ? `${most / 1024} KiB` : `${most / MIB} MB`}`,
  );

/** @throws ProviderError if the body is larger than `most` */
export async function bodyOf(
  url: URL,
  response: IncomingMessage,
  most = MAX_ANSWER_BYTES,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > most) throw tooLong(url, most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function problemOf({ protocol }: URL, cause: unknown): string {
  if (codeOf(cause) !== 'ECONNRESET') return `cannot be reached: ${connectionProblem(cause)}`;
  const unanswered = protocol === 'http:' && messageOf(cause) === 'socket hang up';
  const hint = unanswered ? '; if it uses TLS, use https://' : '';
  return `closed the connection before its response was complete${hint}`;
}

/**
 * @param url the target of the request
 * @param read reads the response, which is closed afterwards
 * @param shown the URL in errors, without confidential parts
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
  // An address in the URL is not resolved, so it is checked here.
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
      ? `did not respond completely within ${timeout_ms / 1000} seconds`
      : problemOf(url, cause);
    throw new ProviderError(shown.href, why, { cause });
  } finally {
    response?.destroy();
  }
}
