// The contract over REST, with paths, JSON bodies and errors `{code, message, field?}` as in
// docs/reference/control-api.md. Requests go to oRPC without its HTTP adapter. Its result is sent as one JSON text, a
// long document in pieces, the feed as server-sent events. The next piece is only made once the client has read the
// previous one.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { StandardOpenAPIHandler } from '@orpc/openapi/standard';
import type { ORPCError } from '@orpc/server';
import { isJsonObject } from '../../json.ts';
import { enumerated } from '../../words.ts';
import {
  badRequest,
  endIfStalled,
  type ErrorBody,
  Refusal,
  SAFE_HEADERS,
  sendBody,
} from './answers.ts';
import { invalid, invalidField } from '../handlers/control-error.ts';
import { isFeed, type Router } from '../handlers/index.ts';
import { parseJsonText } from '../../core/records/json-text.ts';
import { pathOf, sentence } from '../../core/records/problems.ts';
import { SharedBatch } from '../feed/viewers.ts';
import { PiecewiseDocument } from '../exchanges/piecewise-document.ts';

/** Maximum number of concurrent calls, including those whose responses were not read yet. */
export const MAX_CALLS = 500;

/** The body and the query as received, before members of the path are added. */
type Context = { readonly body: unknown; readonly query: URLSearchParams };

function errorBody(error: ORPCError<string, unknown>): ErrorBody {
  const { code, message, data } = error;
  const field = isJsonObject(data) ? data['field'] : null;
  return {
    code: error.status >= 500 ? 'fault' : code,
    message,
    ...(typeof field === 'string' ? { field } : {}),
  };
}

const namesIn = (path = '') => Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);

/** The path names the record. Without this check, a different key in the body would be ignored. */
function checkBody(body: unknown, path: string | undefined, input: unknown): void {
  if (body === undefined) return;
  if (!isJsonObject(body)) throw invalid([{ path: '', message: 'the body must be a JSON object' }]);
  for (const name of namesIn(path)) {
    if (name in body && isJsonObject(input) && body[name] !== input[name]) {
      throw invalidField(name, 'is the key and cannot be changed; create another record instead');
    }
  }
}

interface Operation {
  readonly route: { readonly method?: string; readonly path?: string };
  readonly inputSchema?: unknown;
}

/** Without this check, a mistyped parameter would be ignored. Only GET has parameters in the query. */
function checkQuery(query: URLSearchParams, { route, inputSchema }: Operation): void {
  if (query.size === 0) return;
  const { shape = {} } = (inputSchema ?? {}) as { readonly shape?: object };
  const inPath = namesIn(route.path);
  const known =
    route.method === 'GET' ? Object.keys(shape).filter((name) => !inPath.includes(name)) : [];
  const message = `is not a query parameter of this operation, which has ${enumerated(known) || 'none'}`;
  // A member of a parameter is named in brackets.
  const problems = Array.from(query.keys(), (key) => key.replace(/\[.*/s, ''))
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: pathOf([name]), message }));
  if (problems.length > 0) throw invalid(problems);
}

type RestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Aborted if the connection is lost before the response is sent. */
function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** @throws Refusal for an unknown operation or too many calls */
export function createRestHandler(router: Router): RestHandler {
  const handler = new StandardOpenAPIHandler<Context>(router as never, {
    customErrorResponseBodyEncoder: errorBody,
    clientInterceptors: [
      (call) => {
        const operation = call.procedure['~orpc'];
        checkQuery(call.context.query, operation);
        checkBody(call.context.body, operation.route.path, call.input);
        return call.next();
      },
    ],
  });
  let calls = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const signal = signalOf(response);
    const body = await readJsonBody(request);
    const { method = '', url = '/', headers } = request;
    const address = new URL(url.startsWith('/') ? `http://localhost${url}` : url);
    const asked = {
      method,
      headers,
      signal,
      url: address,
      body: () => Promise.resolve(body ?? {}),
    };
    const { matched, response: answered } = await handler.handle(asked, {
      prefix: '/api',
      context: { body, query: address.searchParams },
    });
    if (!matched) {
      const message = `no operation ${method} at this path; see /openapi.json`;
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
    // A write failed because the connection was lost, which the close event reports.
    response.on('error', () => undefined);
    response.once('close', () => {
      calls -= 1;
    });
    await answer(request, response);
  };
}

/** Enough for a workspace with 10,000 clients. */
export const MAX_BYTES = 33_554_432;

/** Reads with events, because leaving a `for await` loop would close the connection without a response. */
function readAll(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BYTES) chunks.push(chunk);
      else reject(badRequest(413, `the body exceeds ${MAX_BYTES} bytes`));
    });
    request.on('end', () => {
      resolve(Buffer.concat(chunks));
    });
    request.on('error', reject);
  });
}

/** Returns the parsed value, or undefined without a body. @throws Refusal */
async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const bytes = await readAll(request);
  if (bytes.length === 0) return undefined;
  const type = request.headers['content-type'] ?? 'application/json';
  if (!/^application\/(json|merge-patch\+json)\s*(;|$)/i.test(type)) {
    throw badRequest(415, 'the body must be application/json');
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest(400, 'the body is not UTF-8');
  }
  const parsed = parseJsonText(text);
  if ('value' in parsed) return parsed.value;
  const inside = parsed.problems[0]?.path !== '';
  throw badRequest(400, `${inside ? 'in the body, ' : 'the body '}${sentence(parsed.problems)}`);
}

/** The response of an operation, as oRPC returns it. */
interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A comment is sent at this interval, so that proxies keep the stream open and lost connections are detected. */
const KEEP_ALIVE_MS = 5000;
const COMMENT = ': \n\n';

/** Resolves when the text was sent or cannot be sent. */
const written = (response: ServerResponse, text: string) =>
  new Promise<void>((resolve) => {
    if (response.destroyed) return resolve();
    const done = () => {
      response.off('close', done);
      resolve();
    };
    response.once('close', done);
    response.write(text, done);
  });

function begin(response: ServerResponse, status: number, type: string): void {
  endIfStalled(response);
  const headers = { ...SAFE_HEADERS, 'Cache-Control': 'no-store', 'Content-Type': type };
  response.writeHead(status, headers);
}

async function sendPieces(response: ServerResponse, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    await written(response, piece);
    if (response.destroyed) return;
  }
  if (!response.destroyed) response.end();
}

const textOf = (batch: unknown) =>
  batch instanceof SharedBatch ? batch.text : JSON.stringify(batch);

async function sendEvents(response: ServerResponse, events: AsyncIterable<unknown>) {
  response.write(COMMENT);
  const alive = setInterval(() => {
    if (response.writableLength === 0 && !response.destroyed) response.write(COMMENT);
  }, KEEP_ALIVE_MS).unref();
  try {
    for await (const event of events) {
      await written(response, `event: message\ndata: ${textOf(event)}\n\n`);
    }
  } finally {
    clearInterval(alive);
  }
  if (!response.destroyed) response.end();
}

async function sendAnswer(response: ServerResponse, { status, body }: Answer): Promise<void> {
  if (body === undefined) {
    response.writeHead(status, { ...SAFE_HEADERS, 'Cache-Control': 'no-store' });
    response.end();
  } else if (body instanceof PiecewiseDocument) {
    begin(response, status, 'application/json');
    await sendPieces(response, body.pieces());
  } else if (isFeed(body)) {
    begin(response, status, 'text/event-stream');
    await sendEvents(response, body);
  } else {
    sendBody(response, status, 'application/json', JSON.stringify(body));
  }
}
