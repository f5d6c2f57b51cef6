// The form of the sign-in page of /authorize, sent back as a browser sends it. What the page asked is known from
// the exchange that it was answered with: no HTML is read.

import type { Exchange } from '../control/schemas.ts';
import { AUTHORIZE_PATH } from '../oauth/token-request.ts';
import { FORM_TYPE, formBody, type Fields, type HttpRequest } from '../oauth/fields.ts';

export interface SignInForm {
  /** Names the form; it is good for one decision. */
  readonly form: string;
  readonly scopes: readonly string[];
  /** As the browser would send them back. */
  readonly cookies: string;
}

/** The field that tells a sent form from a request of an app. */
export const FORM_FIELD = 'grantbench_form';

function cookiesOf({ response }: Exchange): string {
  return response.headers
    .filter(([name]) => name.toLowerCase() === 'set-cookie')
    .map(([, value]) => value.split(';', 1)[0])
    .join('; ');
}

/** Whether the page came as it was meant: a fault may have answered otherwise in its place. */
export const isSignInPage = ({ status, sign_in, response }: Exchange): boolean =>
  sign_in !== null &&
  status === 200 &&
  response.headers.some(
    ([name, value]) => name.toLowerCase() === 'content-type' && value.startsWith('text/html'),
  );

/** @param exchange with its secrets @returns null when nobody was asked */
export function signInFormOf(exchange: Exchange): SignInForm | null {
  if (exchange.sign_in === null || !isSignInPage(exchange)) return null;
  return { ...exchange.sign_in, cookies: cookiesOf(exchange) };
}

const decide = ({ form, cookies }: SignInForm, fields: Fields): HttpRequest => ({
  method: 'POST',
  path: AUTHORIZE_PATH,
  headers: { 'Content-Type': FORM_TYPE, Cookie: cookies },
  body: formBody([[FORM_FIELD, form], ...fields]),
});

/** The user signs in and grants all that was asked for. */
export const approval = (form: SignInForm, sub: string): HttpRequest =>
  decide(form, [
    ['sub', sub],
    ...form.scopes.map((scope) => ['scope', scope] as const),
    ['decision', 'approve'],
  ]);

export const denial = (form: SignInForm): HttpRequest => decide(form, [['decision', 'deny']]);
