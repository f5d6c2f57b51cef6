// The requests of the steps `token` and `request`, from their members to method, path, headers and body.

import { basicAuthorization } from '../../oauth/client-authentication.ts';
import { FORM_TYPE, JSON_TYPE, type HttpRequest } from '../../oauth/fields.ts';
import { documentedFormat, TOKEN_PATH } from '../../oauth/token-request.ts';
import { CREDENTIAL_FIELDS, grantFields } from '../defaults.ts';
import type { ScenarioStep } from '../schema.ts';
import type { Variables } from './variables.ts';

type Fields = Readonly<Record<string, unknown>>;
type Parameters = Readonly<Record<string, string | readonly string[] | null>>;
type TokenStep = NonNullable<ScenarioStep['token']>;
type AnyRequestStep = NonNullable<ScenarioStep['request']>;

/** A list repeats its name; null is not sent. */
function encoded(parameters: Parameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === null ? [] : [[name, one] as [string, string]])),
  );
  return new URLSearchParams(pairs).toString();
}

const withQuery = (path: string, query: string) =>
  query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** The fields that a step sends by default, where they have values, and the step's own in their place. */
export function mergedFields(
  usual: Readonly<Record<string, string>>,
  own: Fields | undefined,
  { canFill, filled }: Variables,
): Fields {
  const known = Object.entries(usual).filter(
    ([name, template]) => own?.[name] === undefined && canFill(template),
  );
  const given = Object.entries(own ?? {}).filter(([, value]) => value !== null);
  return filled(Object.fromEntries([...known, ...given]));
}

/** The Authorization header of the step's client. */
const basicHeader = ({ filled }: Variables): string =>
  basicAuthorization({
    client_id: filled('{{client.client_id}}'),
    client_secret: filled('{{client.client_secret}}'),
  });

export function tokenRequest(step: TokenStep, variables: Variables): HttpRequest {
  const { grant, client_auth = 'body', format = documentedFormat(grant) } = step;
  const credentials = client_auth === 'body' ? CREDENTIAL_FIELDS : {};
  const usual = { ...credentials, ...grantFields(grant) };
  const fields = mergedFields(usual, step.fields, variables);
  const json = format === 'json';
  return {
    method: 'POST',
    path: withQuery(TOKEN_PATH, encoded(variables.filled(step.query ?? {}))),
    headers: {
      'Content-Type': json ? JSON_TYPE : FORM_TYPE,
      Accept: JSON_TYPE,
      ...(client_auth === 'basic' ? { Authorization: basicHeader(variables) } : {}),
      ...withCanonicalNames(variables.filled(step.headers ?? {})),
    },
    body: json ? JSON.stringify(fields) : encoded(fields as Parameters),
  };
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
  const { method, path, query = {}, headers = {}, ...rest } = filled(step);
  const { type, body } = bodyOf(rest as AnyRequestStep);
  return {
    method: method ?? (body === null ? 'GET' : 'POST'),
    path: withQuery(path, encoded(query)),
    headers: { ...(type === null ? {} : { 'Content-Type': type }), ...withCanonicalNames(headers) },
    ...(body === null ? {} : { body }),
  };
}

export const authorizeRequest = (parameters: Fields): HttpRequest => ({
  method: 'GET',
  path: withQuery('/authorize', encoded(parameters as Parameters)),
  headers: { Accept: 'text/html' },
});
