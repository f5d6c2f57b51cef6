// A recorded token request as a `token` step: the grant, and the fields that are not those it sends by
// itself.

import { basicAuthorization } from '../../oauth/client-authentication.ts';
import { parseJsonObject } from '../../oauth/json-object.ts';
import { CREDENTIAL_FIELDS, grantFields } from '../../scenario/defaults.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';
import { GRANT_TYPES, type Client, type Exchange } from '../../control/schemas.ts';
import { bodyText } from '../exchange/answer.ts';
import {
  formBody,
  FORM_TYPE,
  headerOf,
  JSON_TYPE,
  jsonBody,
  type BodyFormat,
} from '../../oauth/fields.ts';
import {
  DEVICE_CODE_GRANT,
  documentedFormat,
  TOKEN_PATH,
  TOKEN_TYPES,
} from '../../oauth/token-request.ts';
import type { Known } from './known.ts';
import { ownHeaders } from './own-headers.ts';

type Fields = Readonly<Record<string, string>>;

/** null when a `token` step would not send the very same body: a field twice, a number, a typing error. */
function fieldsOf(body: string, format: BodyFormat): Fields | null {
  if (format === 'form') {
    const pairs = [...new URLSearchParams(body)];
    const fields = Object.fromEntries(pairs);
    return formBody(Object.entries(fields)) === body ? fields : null;
  }
  const fields = parseJsonObject(body);
  if (fields === null || !Object.values(fields).every((value) => typeof value === 'string')) {
    return null;
  }
  return jsonBody(Object.entries(fields as Fields)) === body ? (fields as Fields) : null;
}

function formatOf({ request }: Exchange): BodyFormat | null {
  const type = headerOf(request.headers, 'content-type');
  if (type === JSON_TYPE) return 'json';
  return type === FORM_TYPE ? 'form' : null;
}

/** One that was mistyped is recognised by what else was sent. */
function grantOf({ grant_type = '', code, device_code }: Fields): string {
  if (GRANT_TYPES.some((known) => known === grant_type)) return grant_type;
  if (device_code !== undefined) return DEVICE_CODE_GRANT;
  return code === undefined ? 'refresh_token' : 'authorization_code';
}

/** Whether the header is what a `token` step sends for the client with `basic`. */
const isBasicOf = (authorization: string, client: Client): boolean =>
  authorization === basicAuthorization(client);

/** What the step would send under this name by itself; undefined: nothing. */
function usualValue(name: string, client: Client, known: Known, sent: string | undefined) {
  const code = known.code();
  const values: Readonly<Record<string, string | null | undefined>> = {
    client_id: client.client_id,
    client_secret: client.client_secret,
    code: known.newest('code'),
    redirect_uri: code?.redirect_uri,
    audience: code?.audience,
    refresh_token: known.newest('refresh_token'),
    device_code: known.newest('device_code'),
    subject_token: known.newest('access_token'),
    subject_token_type: TOKEN_TYPES.access_token,
    // Named wherever they are sent: whose they are is not compared.
    username: sent === undefined ? '' : undefined,
    password: sent === undefined ? '' : undefined,
    // Which one it is, only the flow knew: a run makes its own.
    code_verifier: code?.pkce === true ? (sent ?? '') : undefined,
  };
  return values[name] ?? undefined;
}

/** The fields to name: those that differ from what goes by itself, and null for what was left out. */
function differing(
  fields: Fields,
  usual: Fields,
  client: Client,
  known: Known,
  badVerifier: boolean,
): Record<string, string | null> {
  const changed: Record<string, string | null> = {};
  for (const [name, template] of Object.entries(usual)) {
    const sent = fields[name];
    const own = name === 'grant_type' ? template : usualValue(name, client, known, fields[name]);
    if (sent === undefined && own !== undefined) changed[name] = null;
    else if (sent !== own && sent !== undefined) changed[name] = known.written(sent);
  }
  for (const [name, value] of Object.entries(fields)) {
    if (!Object.hasOwn(usual, name) || (badVerifier && name === 'code_verifier')) {
      changed[name] = known.written(value);
    }
  }
  return changed;
}

/** null when it has to be written as a plain request. */
export function tokenStep(exchange: Exchange, walk: Known): ScenarioStep | null {
  const { method, path, request, why } = exchange;
  const [pathname, query] = path.split('?', 2);
  const format = formatOf(exchange);
  if (method !== 'POST' || pathname !== TOKEN_PATH || format === null) return null;
  const fields = fieldsOf(bodyText(request), format);
  const client = walk.clientOf(fields?.['client_id'] ?? exchange.client_id) ?? walk.clients[0];
  if (fields === null || client === undefined) return null;
  const known = walk.inStepOf(client);
  const { authorization, dpop: _dpop, ...headers } = ownHeaders(exchange, known);
  const basic = headerOf(request.headers, 'authorization');
  if (basic !== null && !isBasicOf(basic, client)) return null;
  const proof = known.proofs.of(exchange, known);
  if (proof === null && headerOf(request.headers, 'dpop') !== null) return null;
  const grant = grantOf(fields);
  const usual = { ...grantFields(grant), ...(basic === null ? CREDENTIAL_FIELDS : {}) };
  const changed = differing(fields, usual, client, known, why?.check === 'pkce');
  const parameters = [...new URLSearchParams(query)];
  const inQuery: Record<string, string> = {};
  for (const [name, value] of parameters) inQuery[name] = known.written(value);
  return {
    token: {
      grant,
      ...known.naming(client),
      ...(authorization === undefined ? {} : { client_auth: 'basic' as const }),
      ...(format === documentedFormat(grant) ? {} : { format }),
      ...(Object.keys(changed).length === 0 ? {} : { fields: changed }),
      ...(parameters.length === 0 ? {} : { query: inQuery }),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(proof === null ? {} : { dpop: proof }),
    },
  };
}
