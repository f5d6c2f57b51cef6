// One request to an endpoint of the provider, as its step wrote it.

import type { IncomingMessage } from 'node:http';
import { ProviderError } from '../../../../engine/provider/provider-error.ts';
import { bodyOf, requestOf, type Connecting } from '../../../../engine/provider/request.ts';
import type { HttpRequest } from '../../../../oauth/fields.ts';
import type { HttpAnswer } from '../../../../scenario/runner/sandbox.ts';

/** What a step fails with; its code has the runner tell it as the result of the step. */
export class UnansweredError extends Error {
  readonly code = 'unanswered';
}

async function answerOf(place: URL, response: IncomingMessage): Promise<HttpAnswer> {
  const { statusCode: status = 0, headers } = response;
  return {
    status,
    headers,
    text: (await bodyOf(place, response)).toString('utf8'),
    exchange: null,
  };
}

/** @throws UnansweredError naming the endpoint and the rule */
export async function sendTo(
  url: URL,
  outgoing: HttpRequest,
  connecting: Connecting,
): Promise<HttpAnswer> {
  // The query is left out: it may hold a credential.
  const place = new URL(`${url.origin}${url.pathname}`);
  try {
    return await requestOf(
      url,
      outgoing,
      connecting,
      (response) => answerOf(place, response),
      place,
    );
  } catch (cause) {
    if (cause instanceof ProviderError) throw new UnansweredError(cause.message, { cause });
    throw cause;
  }
}
