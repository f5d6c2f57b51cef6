// The requests of the steps `token` and `request`, from their members to method, path, headers and body.

import {
  CREDENTIAL_FIELDS,
  documentedFormat,
  grantFields,
} from '../../control/scenario-defaults.ts';
import type { ScenarioStep } from '../../control/scenario-schema.ts';
import type { Outgoing } from './send.ts';
import type { Variables } from './variables.ts';

type Fields = Readonly<Record<string, unknown>>;
type Parameters = Readonly<Record<string, string | readonly string[] | null>>;
type TokenOrder = NonNullable<ScenarioStep['token']>;
type RequestOrder = NonNullable<ScenarioStep['request']>;

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** A list repeats its name; null is not sent. */
function encoded(parameters: Parameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === null ? [] : [[name, one] as [string, string]])),
  );
  return new URLSearchParams(pairs).toString();
}

const withQuery = (path: string, query: string) =>
  query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** What goes by itself, where there is a value for it, with what the step says instead. */
export function together(
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

/** The header of a client that authenticates with HTTP Basic (RFC 6749 2.3.1). */
function basicHeader({ filled }: Variables): string {
  const id = encodeURIComponent(filled('{{client.client_id}}'));
  const secret = encodeURIComponent(filled('{{client.client_secret}}'));
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}

export function tokenRequest(order: TokenOrder, variables: Variables): Outgoing {
  const { grant, client_auth = 'body', format = documentedFormat(grant) } = order;
  const credentials = client_auth === 'body' ? CREDENTIAL_FIELDS : {};
  const usual = { ...credentials, ...grantFields(grant) };
  const fields = together(usual, order.fields, variables);
  const json = format === 'json';
  return {
    method: 'POST',
    path: withQuery('/oauth/token', encoded(variables.filled(order.query ?? {}))),
    headers: {
      'Content-Type': json ? JSON_TYPE : FORM_TYPE,
      Accept: JSON_TYPE,
      ...(client_auth === 'basic' ? { Authorization: basicHeader(variables) } : {}),
      ...named(variables.filled(order.headers ?? {})),
    },
    body: json ? JSON.stringify(fields) : encoded(fields as Parameters),
  };
}

const capitalized = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

/** Names in one way, so that a header given takes the place of the step's own. */
const named = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [capitalized(name), value]));

function bodyOf({ form, json, text }: RequestOrder): { type: string | null; body: string | null } {
  if (form !== undefined) return { type: FORM_TYPE, body: encoded(form) };
  if (json !== undefined) return { type: JSON_TYPE, body: JSON.stringify(json) };
  return { type: null, body: text ?? null };
}

export function anyRequest(order: RequestOrder, { filled }: Variables): Outgoing {
  const { method, path, query = {}, headers = {}, ...rest } = filled(order);
  const { type, body } = bodyOf(rest as RequestOrder);
  return {
    method: method ?? (body === null ? 'GET' : 'POST'),
    path: withQuery(path, encoded(query)),
    headers: { ...(type === null ? {} : { 'Content-Type': type }), ...named(headers) },
    body,
  };
}

export const authorizeRequest = (parameters: Fields): Outgoing => ({
  method: 'GET',
  path: withQuery('/authorize', encoded(parameters as Parameters)),
  headers: { Accept: 'text/html' },
  body: null,
});
