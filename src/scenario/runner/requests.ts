// The requests of the steps `token` and `request`, from their members to method, path, headers and body.

import { basicAuthorization, type Credentials } from '../../oauth/client-authentication.ts';
import {
  AUTHORIZE_PATH,
  deviceAuthorizationRequest,
  PUSH_PATH,
} from '../../oauth/endpoint-requests.ts';
import {
  FORM_TYPE,
  formBody,
  JSON_TYPE,
  type Fields,
  type HttpRequest,
} from '../../oauth/fields.ts';
import {
  documentedFormat,
  tokenRequest as tokenRequestWith,
  TOKEN_PATH,
} from '../../oauth/token-request.ts';
import { CREDENTIAL_FIELDS, DEVICE_FIELDS, grantFields } from '../defaults.ts';
import type { ScenarioStep } from '../schema.ts';
import type { Variables } from './variables.ts';

type Values = Readonly<Record<string, unknown>>;
type Parameters = Readonly<Record<string, string | readonly string[] | null>>;
type TokenStep = NonNullable<ScenarioStep['token']>;
type DeviceStep = NonNullable<ScenarioStep['authorize_device']>;
type AnyRequestStep = NonNullable<ScenarioStep['request']>;

/** A list repeats its name; null is not sent. */
const fieldsOf = (parameters: Parameters): Fields =>
  Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === null ? [] : [[name, one] as const])),
  );

const encoded = (parameters: Parameters): string => formBody(fieldsOf(parameters));

const withQuery = (path: string, query: string) =>
  query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** The fields that a step sends by default, where they have values, and the step's own in their place. */
export function mergedFields(
  usual: Readonly<Record<string, string>>,
  own: Values | undefined,
  { canFill, filled }: Variables,
): Values {
  const known = Object.entries(usual).filter(
    ([name, template]) => own?.[name] === undefined && canFill(template),
  );
  const given = Object.entries(own ?? {}).filter(([, value]) => value !== null);
  return filled(Object.fromEntries([...known, ...given]));
}

const credentialsOf = ({ filled }: Variables): Credentials => ({
  client_id: filled('{{client.client_id}}'),
  client_secret: filled('{{client.client_secret}}'),
});

export function tokenRequest(step: TokenStep, variables: Variables): HttpRequest {
  const { grant, client_auth = 'body', format = documentedFormat(grant) } = step;
  const credentials = client_auth === 'body' ? CREDENTIAL_FIELDS : {};
  const usual = { ...credentials, ...grantFields(grant) };
  const values = mergedFields(usual, step.fields, variables);
  const fields = format === 'json' ? Object.entries(values) : fieldsOf(values as Parameters);
  const request = tokenRequestWith(fields, {
    format,
    path: withQuery(TOKEN_PATH, encoded(variables.filled(step.query ?? {}))),
    basic: client_auth === 'basic' ? credentialsOf(variables) : null,
  });
  const headers = { ...request.headers, ...variables.filled(step.headers ?? {}) };
  return { ...request, headers: withCanonicalNames(headers) };
}

export function deviceRequest(step: DeviceStep, variables: Variables): HttpRequest {
  const { client_auth = 'body' } = step;
  const credentials = client_auth === 'body' ? CREDENTIAL_FIELDS : {};
  const values = mergedFields({ ...credentials, ...DEVICE_FIELDS }, step.fields, variables);
  const basic = client_auth === 'basic' ? credentialsOf(variables) : null;
  const request = deviceAuthorizationRequest(fieldsOf(values as Parameters));
  const headers = {
    ...request.headers,
    ...(basic === null ? {} : { authorization: basicAuthorization(basic) }),
    ...variables.filled(step.headers ?? {}),
  };
  return { ...request, headers: withCanonicalNames(headers) };
}

const capitalized = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

/** Names in one spelling, so that a header of the scenario replaces the default one. */
const withCanonicalNames = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [capitalized(name), value]));

function bodyOf({ form, json, text }: AnyRequestStep): {
  type: string | null;
  body: string | null;
} {
  if (form !== undefined) return { type: FORM_TYPE, body: encoded(form) };
  if (json !== undefined) return { type: JSON_TYPE, body: JSON.stringify(json) };
  return { type: null, body: text ?? null };
}

export function anyRequest(step: AnyRequestStep, { filled }: Variables): HttpRequest {
  const { client: _client, dpop: _dpop, ...request } = step;
  const { method, path, query = {}, headers = {}, ...rest } = filled(request);
  const { type, body } = bodyOf(rest as AnyRequestStep);
  return {
    method: method ?? (body === null ? 'GET' : 'POST'),
    path: withQuery(path, encoded(query)),
    headers: { ...(type === null ? {} : { 'Content-Type': type }), ...withCanonicalNames(headers) },
    ...(body === null ? {} : { body }),
  };
}

/** The push of these parameters with the client's credentials in the form (RFC 9126 2.1). */
export const pushRequest = (parameters: Values): HttpRequest => ({
  method: 'POST',
  path: PUSH_PATH,
  headers: { 'Content-Type': FORM_TYPE, Accept: JSON_TYPE },
  body: encoded(parameters as Parameters),
});

export const authorizeRequest = (parameters: Values): HttpRequest => ({
  method: 'GET',
  path: withQuery(AUTHORIZE_PATH, encoded(parameters as Parameters)),
  headers: { Accept: 'text/html' },
});
