// Writes a recorded request as a step: a `token` or `authorize_device` step with the fields that differ from its defaults,
// else a `request` step.

import { parseJsonObject } from '../../json.ts';
import {
  ASSERTION_FIELDS,
  CREDENTIAL_FIELDS,
  DEVICE_FIELDS,
  grantFields,
} from '../../scenario/defaults.ts';
import { given } from '../../scenario/actions/action.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';
import type { Client, Exchange } from '../../control/schemas.ts';
import { GRANT_TYPES } from '../../control/names.ts';
import { bodyText, queryOf } from '../exchange/answer.ts';
import { type BodyFormat, FORM_TYPE, headerOf, JSON_TYPE } from '../../oauth/fields.ts';
import { DEVICE_CODE_GRANT, documentedFormat, TOKEN_TYPES } from '../../oauth/token-request.ts';
import { decodeJwt } from '../../oauth/jwt.ts';
import { FORM_FIELD } from '../../scenario/sign-in-form.ts';
import type { Known } from './known.ts';
import { queryParameters } from './recording.ts';
import {
  hadPassword,
  RIGHT_PASSWORD,
  WRONG_PASSWORD,
  WRONG_SECRET,
  wrongBasic,
} from './scenario-workspace.ts';
import {
  basicAuthorization,
  type Credentials,
  isBasic,
  readBasic,
} from '../../oauth/client-authentication.ts';
import { base64OfText } from '../../oauth/base64.ts';

type Fields = Readonly<Record<string, string>>;

/** Returns null when only a `request` step can send the request. */
export function tokenStep(exchange: Exchange, walk: Known): ScenarioStep | null {
  const { method, endpoint, request, why } = exchange;
  const format = formatOf(exchange);
  if (method !== 'POST' || endpoint !== 'token' || format === null) return null;
  const fields = fieldsOf(bodyText(request), format);
  const sender = fields && senderOf(exchange, fields, walk);
  if (fields === null || sender === null) return null;
  const { client, known, credentials, members, headers } = sender;
  const { dpop, ...sent } = headers;
  const proof = known.proofs.of(exchange, known);
  if (proof === null && dpop !== undefined) return null;
  const grant = grantOf(fields);
  const usual = { ...grantFields(grant), ...credentials };
  const changed = differing(fields, usual, known, (name) =>
    name === 'grant_type' ? usual[name] : usualValue(name, client, known, fields),
  );
  const verifier = fields['code_verifier'];
  if (why?.check === 'pkce' && verifier) changed['code_verifier'] = known.written(verifier);
  if (changed['client_secret'] === fields['client_secret'] && changed['client_secret']) {
    changed['client_secret'] = WRONG_SECRET;
  }
  if (changed['password']) {
    changed['password'] = hadPassword(exchange) ? RIGHT_PASSWORD : WRONG_PASSWORD;
  }
  return {
    token: given({
      grant,
      ...members,
      format: format === documentedFormat(grant) ? undefined : format,
      fields: unlessEmpty(changed),
      query: unlessEmpty(
        Object.fromEntries(
          [...queryParameters(exchange)].map(([name, value]) => [name, known.written(value)]),
        ),
      ),
      headers: unlessEmpty(sent),
      dpop: proof ?? undefined,
    }),
  };
}

/** Returns null when only a `request` step can send the request. */
export function deviceStep(exchange: Exchange, walk: Known): ScenarioStep | null {
  const { method, endpoint, path, request } = exchange;
  const fields = formFields(bodyText(request));
  if (method !== 'POST' || endpoint !== 'device_authorization' || fields === null) return null;
  if (path.includes('?')) return null;
  const sender = formatOf(exchange) === 'form' ? senderOf(exchange, fields, walk) : null;
  if (sender === null) return null;
  const { client, known, credentials, members, headers } = sender;
  const { client_id, client_secret } = client;
  const own: Readonly<Record<string, string | null | undefined>> = {
    client_id,
    client_secret,
    ...signedAgain(fields),
    audience: known.issuer,
  };
  const usual = { ...DEVICE_FIELDS, ...credentials };
  const changed = differing(fields, usual, known, (name) => own[name] ?? undefined);
  return {
    authorize_device: given({
      ...members,
      fields: unlessEmpty(changed),
      headers: unlessEmpty(headers),
    }),
  };
}

/** The client that sent the fields, as a step names it; null when a step cannot authenticate it as the request did. */
function senderOf(exchange: Exchange, fields: Fields, walk: Known) {
  const client = walk.clientOf(fields['client_id'] ?? exchange.client_id) ?? walk.clients[0];
  const basic = headerOf(exchange.request.headers, 'authorization');
  if (client === undefined || (basic !== null && !isBasicOf(basic, client))) return null;
  const known = walk.inStepOf(client);
  const { authorization, ...headers } = ownHeaders(exchange, known);
  const signed = assertionAuth(fields);
  return {
    client,
    known,
    headers,
    /** The fields in which a step sends the client credentials. */
    credentials: credentialsOf(basic, signed),
    members: {
      ...known.naming(client),
      ...(authorization === undefined ? signed : { client_auth: 'basic' as const }),
    },
  };
}

/** How a step signs the client assertion of a request again; empty if it has none. */
export function assertionAuth({ client_assertion }: { readonly client_assertion?: string }) {
  const header = decodeJwt(client_assertion ?? '')?.header;
  if (header === undefined) return {};
  const isHmac = String(header['alg']).startsWith('HS');
  return { client_auth: isHmac ? ('client_secret_jwt' as const) : ('private_key_jwt' as const) };
}

/** A run signs an assertion of its own. */
const signedAgain = ({ client_assertion }: Fields) => ({
  client_assertion,
  client_assertion_type: ASSERTION_FIELDS['client_assertion_type'],
});

function credentialsOf(basic: string | null, signed: ReturnType<typeof assertionAuth>): Fields {
  if (basic !== null) return {};
  return 'client_auth' in signed ? ASSERTION_FIELDS : CREDENTIAL_FIELDS;
}

const unlessEmpty = <V extends object>(members: V): V | undefined =>
  Object.keys(members).length === 0 ? undefined : members;

/** The fields that differ from the defaults of the step, with null for an omitted one. */
function differing(
  fields: Fields,
  usual: Fields,
  known: Known,
  ownValue: (name: string) => string | undefined,
): Record<string, string | null> {
  const changed: Record<string, string | null> = {};
  for (const name of Object.keys(usual)) {
    if (fields[name] === undefined && ownValue(name) !== undefined) changed[name] = null;
  }
  for (const [name, value] of Object.entries(fields)) {
    if (!Object.hasOwn(usual, name) || value !== ownValue(name)) {
      changed[name] = known.written(value);
    }
  }
  return changed;
}

/** Returns null when a `token` step cannot send the same fields: a repeated one, a number, a syntax error. */
function fieldsOf(body: string, format: BodyFormat): Fields | null {
  if (format === 'form') return formFields(body);
  const fields = parseJsonObject(body);
  if (fields === null || !Object.values(fields).every((value) => typeof value === 'string')) {
    return null;
  }
  // Outside of strings, JSON has one colon per member, so a repeated name shows as an additional colon.
  const outside = body.split('"').filter((_, index) => index % 2 === 0);
  const members = outside.join('').split(':').length - 1;
  return members === Object.keys(fields).length ? (fields as Fields) : null;
}

/** The format by content type, ignoring its charset. */
function formatOf({ request }: Exchange): BodyFormat | null {
  const [type] = (headerOf(request.headers, 'content-type') ?? '').split(';', 1);
  if (type === JSON_TYPE) return 'json';
  return type === FORM_TYPE ? 'form' : null;
}

/** The grant; a mistyped one is recognized by the other fields. */
function grantOf({ grant_type = '', code, device_code }: Fields): string {
  if (GRANT_TYPES.some((known) => known === grant_type)) return grant_type;
  if (device_code !== undefined) return DEVICE_CODE_GRANT;
  return code === undefined ? 'refresh_token' : 'authorization_code';
}

/** The value that the step sends by default for this field; undefined for none. */
function usualValue(name: string, client: Client, known: Known, fields: Fields) {
  const sent = fields[name];
  const code = known.factsOf(fields['code']);
  const values: Readonly<Record<string, string | null | undefined>> = {
    client_id: client.client_id,
    client_secret: client.client_secret,
    ...signedAgain(fields),
    code: known.newest('code'),
    redirect_uri: code?.redirect_uri,
    audience: code?.audience,
    refresh_token: known.newest('refresh_token'),
    device_code: known.newest('device_code'),
    subject_token: known.newest('access_token'),
    subject_token_type: TOKEN_TYPES.access_token,
    // Always written when they were sent, since the user is not compared.
    username: sent === undefined ? '' : undefined,
    password: sent === undefined ? '' : undefined,
    // A run generates its own code_verifier.
    code_verifier: code?.pkce === true ? (sent ?? '') : undefined,
  };
  return values[name] ?? undefined;
}

const isEncoded = (text: string): boolean => {
  try {
    decodeURIComponent(text.replaceAll('+', ' '));
    return !/[\s\u0000-\u001f]/.test(text);
  } catch {
    return false;
  }
};

/** The fields by name; null when one is repeated or cannot be decoded. */
function formFields(body: string): Readonly<Record<string, string>> | null {
  const parts = body.split('&');
  if (!parts.every((part) => part.includes('=') && isEncoded(part))) return null;
  const pairs = [...new URLSearchParams(body)];
  const fields = Object.fromEntries(pairs);
  return Object.keys(fields).length === pairs.length ? fields : null;
}

type Parameters = Record<string, string | string[]>;

/** The parameters by name, a repeated one as a list. */
export const parametersOf = (pairs: URLSearchParams, known: Known): Parameters =>
  Object.fromEntries(
    [...new Set(pairs.keys())].map((name) => {
      const [first = '', ...more] = pairs.getAll(name).map(known.written);
      return [name, more.length === 0 ? first : [first, ...more]];
    }),
  );

/** The same of a query or a form; null when a run would encode it differently. */
function parametersIn(text: string, known: Known): Parameters | null {
  const pairs = new URLSearchParams(text);
  return pairs.toString() === text ? parametersOf(pairs, known) : null;
}

/** Replaces the id of a form whose page no longer exists. */
const withoutForm = (parameters: Parameters): Parameters =>
  FORM_FIELD in parameters ? { ...parameters, [FORM_FIELD]: 'a-form-of-another-page' } : parameters;

function bodyOf(exchange: Exchange, known: Known) {
  const body = bodyText(exchange.request);
  if (body === '') return {};
  const type = headerOf(exchange.request.headers, 'content-type');
  const isForm = type?.startsWith(FORM_TYPE) === true;
  const parameters = isForm ? parametersIn(body, known) : null;
  if (parameters !== null) return { form: withoutForm(parameters) };
  return { text: known.written(body) };
}

/** The client whose secret the request contains. */
function secretOwnerOf({ path, request }: Exchange, { clients }: Known): Client | undefined {
  const values = [...request.headers.map(([, value]) => value), path, bodyText(request)];
  return clients.find(
    ({ client_secret }) =>
      client_secret !== null && values.some((value) => value.includes(client_secret)),
  );
}

/** Names the client only if the step contains one of its variables. */
const naming = (step: object, client: Client | undefined, known: Known) =>
  JSON.stringify(step).includes('{{client.') ? known.naming(client) : {};

export function requestStep(exchange: Exchange, walk: Known): ScenarioStep {
  const { method, path, request } = exchange;
  const sender = secretOwnerOf(exchange, walk) ?? walk.clients[0];
  const known = walk.inStepOf(sender);
  const [pathname = '/'] = path.split('?', 1);
  const query = queryOf(exchange);
  const parameters = query === '' ? null : parametersIn(query, known);
  const body = bodyOf(exchange, known);
  const usual = 'form' in body || 'text' in body ? 'POST' : 'GET';
  const type = headerOf(request.headers, 'content-type');
  const proof = known.proofs.of(exchange, known);
  const { dpop, ...own } = ownHeaders(exchange, known);
  const isTyped = !('form' in body) && (type === JSON_TYPE || type === FORM_TYPE);
  const headers = given({
    ...own,
    ...(proof === null ? { dpop } : {}),
    ...(isTyped ? { 'content-type': type } : {}),
  });
  const members = given({
    method: method === usual ? undefined : method,
    path: query === '' || parameters !== null ? pathname : known.written(path),
    query: parameters ?? undefined,
    headers: unlessEmpty(headers),
    ...body,
    dpop: proof ?? undefined,
  });
  return { request: { ...naming(members, sender, walk), ...members } };
}

const DECIDING = ['authorization', 'content-type', 'dpop'];

function written(name: string, value: string, known: Known): string {
  if (name !== 'authorization' || !isBasic(value)) return known.written(value);
  const isRight = known.client !== undefined && isBasicOf(value, known.client);
  return isRight ? '{{client.basic}}' : wrongBasic(readBasic(value));
}

function ownHeaders({ request }: Exchange, known: Known): Record<string, string> {
  const own = request.headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => DECIDING.includes(name))
    .filter(([name, value]) => name !== 'content-type' || ![JSON_TYPE, FORM_TYPE].includes(value));
  return Object.fromEntries(own.map(([name, value]) => [name, written(name, value, known)]));
}

/** Whether the Authorization header authenticates this client. */
function isBasicOf(authorization: string, client: Credentials): boolean {
  const plain = base64OfText(`${client.client_id}:${client.client_secret ?? ''}`);
  const [, sent] = /^basic\s+(\S+)$/i.exec(authorization) ?? [];
  return sent === plain || `Basic ${sent}` === basicAuthorization(client);
}
