// One request to an endpoint of the provider, as its step wrote it: TLS is always checked, the address is checked where
// it is connected to, no redirect is followed, and the answer is bounded in bytes and time.

import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { checkAddress, hostOf } from '../../../../engine/mirror/addresses.ts';
import { guardedLookup, type GetOptions } from '../../../../engine/mirror/get-json.ts';
import { MirrorError } from '../../../../engine/mirror/mirror-error.ts';
import type { HttpRequest } from '../../../../oauth/fields.ts';
import type { HttpAnswer } from '../../../../scenario/runner/sandbox.ts';

const MAX_ANSWER_BYTES = 1024 * 1024;

/** What a step fails with; its code has the runner tell it as the result of the step. */
export class UnansweredError extends Error {
  readonly code = 'unanswered';
}

async function bodyOf(url: URL, response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new MirrorError(url.href, 'answers with more than 1 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function open(
  url: URL,
  { method, headers, body }: HttpRequest,
  named: readonly string[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const options = {
    method,
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

/** The query is left out: it may hold a credential. */
const placeOf = ({ origin, pathname }: URL) => `${origin}${pathname}`;

/** @throws UnansweredError naming the endpoint and the rule */
export async function sendTo(
  url: URL,
  outgoing: HttpRequest,
  { named, timeout_ms }: GetOptions,
): Promise<HttpAnswer> {
  const place = new URL(placeOf(url));
  const signal = AbortSignal.timeout(timeout_ms);
  let response: IncomingMessage | undefined;
  try {
    const host = hostOf(url);
    // An address in the URL itself is resolved by nobody.
    if (isIP(host) !== 0) checkAddress(place, host, named);
    response = await open(url, outgoing, named, signal);
    const { statusCode: status = 0, headers } = response;
    return { status, headers, text: await bodyOf(place, response), exchange: null };
  } catch (cause) {
    if (cause instanceof MirrorError) throw new UnansweredError(cause.message, { cause });
    const why = signal.aborted
      ? `has not answered in full within ${timeout_ms / 1000} seconds`
      : `cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new UnansweredError(`${place.href} ${why}.`, { cause });
  } finally {
    response?.destroy();
  }
}
