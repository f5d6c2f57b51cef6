// A recorded token request as a `token` step: the grant, and the fields that are not those it sends by
// itself.

import { parseJsonObject } from '../../oauth/json-object.ts';
import { CREDENTIAL_FIELDS, grantFields } from '../../scenario/defaults.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';
import { GRANT_TYPES, type Client, type Exchange } from '../../control/schemas.ts';
import { bodyText } from '../exchange/answer.ts';
import { FORM_TYPE, headerOf, JSON_TYPE, type BodyFormat } from '../../oauth/fields.ts';
import {
  DEVICE_CODE_GRANT,
  documentedFormat,
  TOKEN_PATH,
  TOKEN_TYPES,
} from '../../oauth/token-request.ts';
import type { Known } from './known.ts';
import { isBasicOf } from './basic.ts';
import { formFields } from './form-fields.ts';
import { ownHeaders } from './own-headers.ts';
import { hadPassword, RIGHT_PASSWORD, WRONG_PASSWORD, WRONG_SECRET } from './stand-ins.ts';

type Fields = Readonly<Record<string, string>>;

/** null when a `token` step cannot send the same fields: one twice, a number, a typing error. */
function fieldsOf(body: string, format: BodyFormat): Fields | null {
  if (format === 'form') return formFields(body);
  const fields = parseJsonObject(body);
  if (fields === null || !Object.values(fields).every((value) => typeof value === 'string')) {
    return null;
  }
  // What stands outside of its texts: a name that is sent twice has a colon more.
  const outside = body.split('"').filter((_, index) => index % 2 === 0);
  const members = outside.join('').split(':').length - 1;
  return members === Object.keys(fields).length ? (fields as Fields) : null;
}

/** Of the type alone: a charset beside it changes nothing. */
function formatOf({ request }: Exchange): BodyFormat | null {
  const [type] = (headerOf(request.headers, 'content-type') ?? '').split(';', 1);
  if (type === JSON_TYPE) return 'json';
  return type === FORM_TYPE ? 'form' : null;
}

/** One that was mistyped is recognised by what else was sent. */
function grantOf({ grant_type = '', code, device_code }: Fields): string {
  if (GRANT_TYPES.some((known) => known === grant_type)) return grant_type;
  if (device_code !== undefined) return DEVICE_CODE_GRANT;
  return code === undefined ? 'refresh_token' : 'authorization_code';
}

/** What the step would send under this name by itself; undefined: nothing. */
function usualValue(name: string, client: Client, known: Known, fields: Fields) {
  const sent = fields[name];
  const code = known.factsOf(fields['code']);
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

/** What the checks said of the request. */
interface Checked {
  readonly badVerifier: boolean;
  /** Whether the password was accepted. */
  readonly accepted: boolean;
}

/** The fields to name: those that differ from what goes by itself, and null for what was left out. */
function differing(
  fields: Fields,
  usual: Fields,
  client: Client,
  known: Known,
  { badVerifier, accepted }: Checked,
): Record<string, string | null> {
  const changed: Record<string, string | null> = {};
  for (const [name, template] of Object.entries(usual)) {
    const sent = fields[name];
    const own = name === 'grant_type' ? template : usualValue(name, client, known, fields);
    if (sent === undefined && own !== undefined) changed[name] = null;
    else if (sent !== own && sent !== undefined) changed[name] = known.written(sent);
  }
  for (const [name, value] of Object.entries(fields)) {
    if (!Object.hasOwn(usual, name) || (badVerifier && name === 'code_verifier')) {
      changed[name] = known.written(value);
    }
  }
  if (changed['client_secret'] === fields['client_secret'] && changed['client_secret']) {
    changed['client_secret'] = WRONG_SECRET;
  }
  if (changed['password']) changed['password'] = accepted ? RIGHT_PASSWORD : WRONG_PASSWORD;
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
  const changed = differing(fields, usual, client, known, {
    badVerifier: why?.check === 'pkce',
    accepted: hadPassword(exchange),
  });
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
