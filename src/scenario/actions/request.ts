// The action `request`: sends any request, byte for byte.

import { decodeBase64url, encodeBase64 } from '../../oauth/base64.ts';
import { FORM_TYPE, formBody, JSON_TYPE, type Fields } from '../../oauth/fields.ts';
import { z } from '../../control/zod.ts';
import { proofMember } from './proofs.ts';
import { textOf } from '../../json.ts';
import type { WireRequest } from '../runner/scenario-sandbox.ts';
import {
  fieldsOf,
  keepCredentials,
  TOKENS,
  withHeaders,
  type Action,
  type Composing,
  type Parameters,
} from './action.ts';
import { headers, optional, parameters, query, strictRecord, text } from './members.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** CONNECT asks for a tunnel, which a step cannot expect. */
const METHOD = /^(?!CONNECT$)[A-Z]+$/;

const NO_FIELDS = 'must be an object of names and values, or an array of pairs of name and value';

const pairs = z.array(z.tuple([text, text], 'must be a pair of name and value'), NO_FIELDS);
const orPairs = <T extends z.core.$ZodType>(byName: T, description: string) =>
  optional(
    z.union([byName, pairs], NO_FIELDS),
    `${description} Pairs are sent exactly in this order.`,
  );

const order = strictRecord(
  {
    client: optional(
      text,
      'The client to which {{client.client_secret}} refers; the first client by default.',
    ),
    method: optional(
      text.check(z.regex(METHOD, 'must be an HTTP method in capitals, and not CONNECT')),
      'GET by default, or POST with a body.',
    ),
    path: text.check(
      z.regex(/^\//, 'must begin with /'),
      z.describe(
        'The path on the server, such as /userinfo, including the path of the issuer if it has one.',
      ),
    ),
    query: orPairs(query, 'Parameters to send in the query string.'),
    headers: orPairs(headers, 'Headers to send, by name.'),
    form: orPairs(parameters, 'The body, as application/x-www-form-urlencoded.'),
    json: optional(z.unknown(), 'The body, as application/json.'),
    text: optional(text, 'The body, sent unchanged.'),
    body_base64: optional(
      text.check(z.regex(BASE64, 'must be base64')),
      'The body as bytes, in base64.',
    ),
    dpop: z.optional(proofMember),
  },
  'Sends any request to the sandbox.',
);
type Order = z.input<typeof order>;

type Body = Pick<Order, 'form' | 'json' | 'text' | 'body_base64'>;

const isPairs = (values: Parameters | Fields): values is Fields => Array.isArray(values);

const inTexts = (pairs: Fields): Fields =>
  pairs.map(([name, value]) => [textOf(name), textOf(value)]);

const encoded = (values: Parameters | Fields): string =>
  formBody(isPairs(values) ? inTexts(values) : fieldsOf(values));

/** Matches base64 with or without padding. */
const bytesOf = (base64: string): Uint8Array | null =>
  decodeBase64url(base64.replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')).bytes;

function bodyOf({ form, json, text: plain, body_base64 }: Body) {
  if (form !== undefined) return { type: FORM_TYPE, body: encoded(form) };
  if (json !== undefined) return { type: JSON_TYPE, body: JSON.stringify(json) };
  if (body_base64 !== undefined) return { type: null, body: bytesOf(body_base64) ?? '' };
  return { type: null, body: plain === undefined ? undefined : textOf(plain) };
}

function headersOf(own: Order['headers'], type: string | null): Fields {
  const usual: Readonly<Record<string, string>> = type === null ? {} : { 'Content-Type': type };
  if (!Array.isArray(own)) return withHeaders(usual, own);
  const isNamed = own.some(([name]) => name.toLowerCase() === 'content-type');
  return [...(isNamed ? [] : Object.entries(usual)), ...inTexts(own)];
}

const withQuery = (path: string, parametersText: string) =>
  parametersText === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${parametersText}`;

function compose(step: Order, { variables }: Composing): WireRequest {
  const { client: _client, dpop: _dpop, ...members } = step;
  const { method, path, query: asked = {}, headers: own, ...rest } = variables.filled(members);
  const { type, body } = bodyOf(rest);
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    path: withQuery(path, encoded(asked)),
    headers: headersOf(own, type),
    ...(body === undefined ? {} : { body }),
  };
}

/** Returns a step whose path is below the issuer with the path at the server. */
export function atServer<S extends { readonly request?: Order | undefined }>(
  step: S,
  { serverPath }: Pick<Composing, 'serverPath'>,
): S {
  const { request: order } = step;
  if (order === undefined) return step;
  return { ...step, request: { ...order, path: serverPath(order.path) } };
}

const literal = (text: string) => text.replaceAll('{{', '{{braces}}');

/** Returns a step that sends exactly these bytes in this run; braces in them are not variables. */
export function exactly(
  { method, path, headers, body }: WireRequest,
  { variables }: Pick<Composing, 'variables'>,
): { readonly request: Order } {
  variables.set('braces', '{{');
  const named = headers.map(([name, value]): [string, string] => [literal(name), literal(value)]);
  const to = { method, path: literal(path), headers: named };
  if (body === undefined) return { request: to };
  const isText = typeof body === 'string';
  return {
    request: { ...to, ...(isText ? { text: literal(body) } : { body_base64: encodeBase64(body) }) },
  };
}

export const request: Action<Order> = {
  schema: order,
  answer: 'response',
  provides: () => TOKENS,
  title: ({ method, path, form, json, text: plain, body_base64 }) => {
    const hasBody = [form, json, plain, body_base64].some((body) => body !== undefined);
    return `${method ?? (hasBody ? 'POST' : 'GET')} ${path}`;
  },
  compose,
  perform: async (step, run) => {
    const answer = await run.proofs.send(() => compose(step, run), step.dpop);
    keepCredentials(run, answer);
    return answer;
  },
};
