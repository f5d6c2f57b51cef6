// Submits the sign-in form of /authorize like a browser. The form's content comes from the exchange, so no HTML is
// parsed.

import type { Exchange } from '../control/schemas.ts';
import type { SIGN_IN_ERRORS } from '../control/names.ts';
import { AUTHORIZE_PATH } from '../oauth/token-request.ts';
import { FORM_TYPE, formBody, type Fields, type HttpRequest } from '../oauth/fields.ts';

export interface SignInForm extends Readonly<NonNullable<Exchange['sign_in']>> {
  /** The cookies, as a browser would send them. */
  readonly cookies: string;
}

/** The field that distinguishes a submitted form from an app's request. */
export const FORM_FIELD = 'grantbench_form';

function cookiesOf({ response }: Exchange): string {
  return response.headers
    .filter(([name]) => name.toLowerCase() === 'set-cookie')
    .map(([, value]) => value.split(';', 1)[0])
    .join('; ');
}

/** Whether the response is the unchanged page; a fault may have replaced it. It has 403 when it is shown again. */
export const isSignInPage = ({ status, sign_in, response }: Exchange): boolean =>
  sign_in !== null &&
  (status === 200 || status === 403) &&
  response.headers.some(
    ([name, value]) => name.toLowerCase() === 'content-type' && value.startsWith('text/html'),
  );

/** @param exchange the exchange with secrets @returns null if no form was shown */
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

/** What a user enters, besides the selection. */
export interface Entered {
  /** null if the user has none. */
  readonly password?: string | null;
  /** By default the one that the page shows. */
  readonly one_time_code?: string;
  readonly claims?: object | undefined;
}

/** Signs in as the user and grants all requested scopes. */
export const approval = (
  form: SignInForm,
  sub: string,
  { password, one_time_code = form.one_time_code ?? undefined, claims }: Entered = {},
): HttpRequest =>
  decide(form, [
    ['sub', sub],
    ...(form.authentication === 'none' ? [] : [['password', password ?? ''] as const]),
    ...(one_time_code === undefined ? [] : [['one_time_code', one_time_code] as const]),
    ...(claims === undefined ? [] : [['claims', JSON.stringify(claims)] as const]),
    ...form.scopes.map((scope) => ['scope', scope] as const),
    ['decision', 'approve'],
  ]);

/** Denies the request, or fails it with an error of the page. */
export const rejection = (
  form: SignInForm,
  decision: 'deny' | (typeof SIGN_IN_ERRORS)[number],
): HttpRequest => decide(form, [['decision', decision]]);
