// The requests of a correct client, field by field, as a library would send them. Tests use these to create exchanges
// independently of the scenario steps that they check.

import type { Credentials } from '../../src/oauth/client-authentication.ts';
import { AUTHORIZE_PATH, PUSH_PATH, USERINFO_PATH } from '../../src/oauth/token-request.ts';
import {
  FORM_TYPE,
  formBody,
  JSON_TYPE,
  type Fields,
  type HttpRequest,
} from '../../src/oauth/fields.ts';

/** These fields in order, without the missing, empty and null ones, which no client sends. */
export const fieldsOf = (values: Readonly<Record<string, string | null | undefined>>): Fields =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, value] as const],
  );

/** The authorization request of a browser (RFC 6749 4.1.1). */
export const authorizeRequest = (fields: Fields): HttpRequest => ({
  method: 'GET',
  path: `${AUTHORIZE_PATH}?${formBody(fields)}`,
  headers: { accept: 'text/html' },
});

/** A push of the same parameters with the client's credentials in the form (RFC 9126 2.1). */
export const pushRequest = (fields: Fields, { client_secret }: Credentials): HttpRequest => ({
  method: 'POST',
  path: PUSH_PATH,
  headers: { 'content-type': FORM_TYPE, accept: JSON_TYPE },
  body: formBody([...fields, ...fieldsOf({ client_secret })]),
});

/**
 * A call with the token in the Authorization header (RFC 6750 2.1), or in a form (2.2).
 * @param scheme DPoP for a token that is bound to a key (RFC 9449 7.1); a form has none
 */
export function userinfoRequest(
  token: string,
  place: 'header' | 'body',
  scheme: 'Bearer' | 'DPoP' = 'Bearer',
): HttpRequest {
  if (place === 'header') {
    const headers = { authorization: `${scheme} ${token}`, accept: JSON_TYPE };
    return { method: 'GET', path: USERINFO_PATH, headers };
  }
  return {
    method: 'POST',
    path: USERINFO_PATH,
    headers: { 'content-type': FORM_TYPE, accept: JSON_TYPE },
    body: formBody([['access_token', token]]),
  };
}
