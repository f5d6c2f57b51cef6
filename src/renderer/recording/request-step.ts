// Any other recorded request, as a `request` step: its body by fields where it is a plain form, else as
// it was sent.

import type { ScenarioStep } from '../../scenario/schema.ts';
import type { Client, Exchange } from '../../control/schemas.ts';
import { bodyText } from '../exchange/answer.ts';
import { FORM_TYPE, JSON_TYPE, headerOf } from '../../oauth/fields.ts';
import type { Known } from './known.ts';
import { ownHeaders } from './own-headers.ts';

type Parameters = Record<string, string | string[]>;

/** By name, a repeated one as a list; null when they would not be sent again as they were. */
export function parametersOf(text: string, known: Known): Parameters | null {
  const pairs = new URLSearchParams(text);
  if (pairs.toString() !== text) return null;
  return Object.fromEntries(
    [...new Set(pairs.keys())].map((name) => {
      const [first = '', ...more] = pairs.getAll(name).map(known.written);
      return [name, more.length === 0 ? first : [first, ...more]];
    }),
  );
}

/** Names a form of a page that is long gone. */
const withoutForm = (parameters: Parameters): Parameters =>
  'grantbench_form' in parameters
    ? { ...parameters, grantbench_form: 'a-form-of-another-page' }
    : parameters;

function bodyOf(exchange: Exchange, known: Known) {
  const body = bodyText(exchange.request);
  if (body === '') return {};
  const type = headerOf(exchange.request.headers, 'content-type');
  const isForm = type?.startsWith(FORM_TYPE) === true;
  const parameters = isForm ? parametersOf(body, known) : null;
  if (parameters !== null) return { form: withoutForm(parameters) };
  return { text: known.written(body) };
}

/** The client whose secret is sent. */
function senderOf({ path, request }: Exchange, { clients }: Known): Client | undefined {
  const values = [...request.headers.map(([, value]) => value), path, bodyText(request)];
  return clients.find(
    ({ client_secret }) =>
      client_secret !== null && values.some((value) => value.includes(client_secret)),
  );
}

/** Named only where the request holds something of the client's. */
const naming = (step: object, client: Client | undefined, known: Known) =>
  JSON.stringify(step).includes('{{client.') ? known.naming(client) : {};

export function requestStep(exchange: Exchange, walk: Known): ScenarioStep {
  const { method, path, request } = exchange;
  const sender = senderOf(exchange, walk) ?? walk.clients[0];
  const known = walk.inStepOf(sender);
  const [pathname = '/', query = ''] = path.split('?', 2);
  const parameters = query === '' ? null : parametersOf(query, known);
  const body = bodyOf(exchange, known);
  const usual = 'form' in body || 'text' in body ? 'POST' : 'GET';
  const type = headerOf(request.headers, 'content-type');
  const proof = known.proofs.of(exchange, known);
  const { dpop, ...own } = ownHeaders(exchange, known);
  const headers = {
    ...own,
    ...(proof === null && dpop !== undefined ? { dpop } : {}),
    ...(!('form' in body) && (type === JSON_TYPE || type === FORM_TYPE)
      ? { 'content-type': type }
      : {}),
  };
  const members = {
    ...(method === usual ? {} : { method }),
    path: query === '' || parameters !== null ? pathname : known.written(path),
    ...(parameters === null ? {} : { query: parameters }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...body,
    ...(proof === null ? {} : { dpop: proof }),
  };
  return { request: { ...naming(members, sender, walk), ...members } };
}
