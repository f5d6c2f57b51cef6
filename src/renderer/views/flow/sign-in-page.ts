// The sign-in page of /authorize read as a browser would, so that the flow can send its form.

import type { Exchange } from '../../../control/schemas.ts';
import { bodyText, headerOf } from '../../exchange/answer.ts';
import { AUTHORIZE_PATH } from '../../../oauth/endpoint-requests.ts';
import { FORM_TYPE, formBody, type Fields, type HttpRequest } from '../../../oauth/fields.ts';

export interface SignInForm {
  /** What the page itself fills in. */
  readonly hidden: Fields;
  readonly scopes: readonly string[];
  readonly users: readonly string[];
  /** As the browser would send them back. */
  readonly cookies: string;
}

const DECISION = 'decision';

function cookiesOf({ response }: Exchange): string {
  return response.headers
    .filter(([name]) => name.toLowerCase() === 'set-cookie')
    .map(([, value]) => value.split(';', 1)[0])
    .join('; ');
}

/** Whether the answer asks a person, rather than redirecting or refusing. */
export const isSignInPage = ({ path, status, response }: Exchange): boolean =>
  path.startsWith(AUTHORIZE_PATH) &&
  status === 200 &&
  headerOf(response.headers, 'content-type')?.startsWith('text/html') === true;

/** The form that asks who signs in; null when the answer is none. */
export function readSignInForm(exchange: Exchange): SignInForm | null {
  const page = new DOMParser().parseFromString(bodyText(exchange.response), 'text/html');
  const form = page.querySelector('form[method="post"]');
  if (form === null) return null;
  const inputs = [...form.querySelectorAll('input')];
  const valuesOf = (name: string) =>
    inputs.filter((input) => input.name === name).map(({ value }) => value);
  return {
    hidden: inputs
      .filter(({ type }) => type === 'hidden')
      .map(({ name, value }) => [name, value] as const),
    scopes: valuesOf('scope'),
    users: valuesOf('sub'),
    cookies: cookiesOf(exchange),
  };
}

const decide = (form: SignInForm, fields: Fields): HttpRequest => ({
  method: 'POST',
  path: AUTHORIZE_PATH,
  headers: { 'content-type': FORM_TYPE, cookie: form.cookies },
  body: formBody([...form.hidden, ...fields]),
});

/** The user signs in and grants all that was asked for. */
export const approval = (form: SignInForm, sub: string): HttpRequest =>
  decide(form, [
    ['sub', sub],
    ...form.scopes.map((scope) => ['scope', scope] as const),
    [DECISION, 'approve'],
  ]);

export const denial = (form: SignInForm): HttpRequest => decide(form, [[DECISION, 'deny']]);
