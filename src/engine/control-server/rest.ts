// The contract over REST: paths, JSON bodies and `{code, message, field?}` as control.md has them.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { OpenAPIHandler } from '@orpc/openapi/node';
import type { ORPCError } from '@orpc/server';
import type { ErrorBody } from './answers.ts';
import { Refusal, SAFE_HEADERS } from './answers.ts';
import { invalid, invalidField } from '../handlers/control-error.ts';
import type { Router } from '../handlers/index.ts';
import { readJsonBody } from './json-body.ts';

/** Bodies by the request they came with, as they were before path and query joined them. */
type Context = { readonly body: unknown };

function errorBody(error: ORPCError<string, unknown>): ErrorBody {
  const { code, message, data } = error;
  const field = typeof data === 'object' && data !== null && 'field' in data ? data.field : null;
  return {
    code: error.status >= 500 ? 'fault' : code,
    message,
    ...(typeof field === 'string' ? { field } : {}),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The path names the record; a body that names another one would be passed over in silence. */
function checkBody(body: unknown, path: string | undefined, input: unknown): void {
  if (body === undefined) return;
  if (!isObject(body)) throw invalid([{ path: '', message: 'the body must be a JSON object' }]);
  for (const [, name = ''] of (path ?? '').matchAll(/\{(\w+)\}/g)) {
    if (name in body && isObject(input) && body[name] !== input[name]) {
      throw invalidField(name, 'cannot be changed: it is the key; create another record instead');
    }
  }
}

export type RestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** @throws Refusal for what is no operation */
export function createRestHandler(router: Router): RestHandler {
  const handler = new OpenAPIHandler<Context>(router as never, {
    customErrorResponseBodyEncoder: errorBody,
    clientInterceptors: [
      (call) => {
        checkBody(call.context.body, call.procedure['~orpc'].route.path, call.input);
        return call.next();
      },
    ],
  });
  return async (request, response) => {
    const body = await readJsonBody(request);
    const read = Object.assign(request, { body: body ?? {} });
    for (const [name, value] of Object.entries(SAFE_HEADERS)) response.setHeader(name, value);
    response.setHeader('Cache-Control', 'no-store');
    const { matched } = await handler.handle(read, response, {
      prefix: '/api',
      context: { body },
    });
    if (!matched) {
      const message = `there is no operation ${request.method ?? ''} at this path; see /openapi.json`;
      throw new Refusal(404, { code: 'not_found', message });
    }
  };
}
