// The contract over REST: paths, JSON bodies and `{code, message, field?}` as docs/control-api.md has them. The
// requests are handed to oRPC without its HTTP adapter: rest-answer.ts sends what it answers.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { StandardOpenAPIHandler } from '@orpc/openapi/standard';
import type { ORPCError } from '@orpc/server';
import { isJsonObject } from '../../core/records/json-object.ts';
import type { ErrorBody } from './answers.ts';
import { Refusal } from './answers.ts';
import { invalid, invalidField } from '../handlers/control-error.ts';
import type { Router } from '../handlers/index.ts';
import { readJsonBody } from './json-body.ts';
import { sendAnswer } from './rest-answer.ts';

/** Calls at the same time, those included whose answers are not read yet. */
const MAX_CALLS = 500;

/** The body as it came, before path and query joined it. */
type Context = { readonly body: unknown };

function errorBody(error: ORPCError<string, unknown>): ErrorBody {
  const { code, message, data } = error;
  const field = isJsonObject(data) ? data['field'] : null;
  return {
    code: error.status >= 500 ? 'fault' : code,
    message,
    ...(typeof field === 'string' ? { field } : {}),
  };
}

/** The path names the record; a body that names another one would be passed over in silence. */
function checkBody(body: unknown, path: string | undefined, input: unknown): void {
  if (body === undefined) return;
  if (!isJsonObject(body)) throw invalid([{ path: '', message: 'the body must be a JSON object' }]);
  for (const [, name = ''] of (path ?? '').matchAll(/\{(\w+)\}/g)) {
    if (name in body && isJsonObject(input) && body[name] !== input[name]) {
      throw invalidField(name, 'is the key and cannot be changed; create another record instead');
    }
  }
}

export type RestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Aborted when the connection is lost before the answer is out. */
function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** @throws Refusal for what is no operation, and for a call too many */
export function createRestHandler(router: Router): RestHandler {
  const handler = new StandardOpenAPIHandler<Context>(router as never, {
    customErrorResponseBodyEncoder: errorBody,
    clientInterceptors: [
      (call) => {
        checkBody(call.context.body, call.procedure['~orpc'].route.path, call.input);
        return call.next();
      },
    ],
  });
  let calls = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const signal = signalOf(response);
    const body = await readJsonBody(request);
    const { method = '', url = '/', headers } = request;
    const asked = {
      method,
      headers,
      signal,
      url: new URL(url.startsWith('/') ? `http://localhost${url}` : url),
      body: () => Promise.resolve(body ?? {}),
    };
    const { matched, response: answered } = await handler.handle(asked, {
      prefix: '/api',
      context: { body },
    });
    if (!matched) {
      const message = `there is no operation ${method} at this path; see /openapi.json`;
      throw new Refusal(404, { code: 'not_found', message });
    }
    if (!response.destroyed) await sendAnswer(response, answered);
  };

  return async (request, response) => {
    if (calls >= MAX_CALLS) {
      const message = `too many calls: ${MAX_CALLS} are already in progress`;
      throw new Refusal(429, { code: 'too_many', message }, { Connection: 'close' });
    }
    calls += 1;
    // A write after the connection was lost; the close event tells of that.
    response.on('error', () => undefined);
    response.once('close', () => {
      calls -= 1;
    });
    await answer(request, response);
  };
}
