// The mistakes offered at step 2, GET /authorize: what must not be redirected is shown on a page, the
// rest goes to the app (RFC 6749 4.1.2.1). After all that the setting decides who is asked.

import type { AnswerKind } from './answers.ts';
import type { AuthorizeMode, Material, Mistake } from './mistake.ts';
import { always, NOBODYS_AUDIENCE, withField } from './request.ts';
import {
  authorizeRequest,
  pushedFields,
  pushRequest,
} from '../../../../oauth/endpoint-requests.ts';
import {
  replaced,
  valueOf,
  without,
  type Fields,
  type HttpRequest,
} from '../../../../oauth/fields.ts';
import { approval, denial, type SignInForm } from '../../../../scenario/sign-in-form.ts';

/** The right request with its parameters changed. */
const asked =
  (how: (fields: Fields) => Fields) =>
  ({ fields }: Material): HttpRequest =>
    authorizeRequest(how(fields));

const set = (name: string, value: string) => asked((fields) => withField(fields, name, value));

/** What a request meets that is in order. */
const GRANTED: Record<AuthorizeMode, AnswerKind> = {
  consent: 'sign_in_page',
  auto: 'code',
  deny: 'denied_by_setting',
};

const PAGE_MISTAKES: readonly Mistake[] = [
  {
    id: 'unregistered_redirect',
    title: 'Unregistered redirect URI',
    sends: 'a URI that no client has registered',
    answer: always('page'),
    section: 'behaviour 7.3, RFC 6749 4.1.2.1',
    build: set('redirect_uri', 'https://nobody.example/callback'),
  },
  {
    id: 'redirect_fragment',
    title: 'Redirect URI with a fragment',
    sends: 'the registered URI with #here',
    answer: always('page'),
    section: 'behaviour 7.3, RFC 6749 3.1.2',
    build: asked((fields) =>
      replaced(fields, 'redirect_uri', `${valueOf(fields, 'redirect_uri')}#here`),
    ),
  },
  {
    id: 'unknown_client',
    title: 'Unknown client',
    sends: 'a client_id that is not registered',
    answer: always('page_unknown_client'),
    section: 'behaviour 7.3, RFC 6749 4.1.2.1',
    build: set('client_id', 'nobody-registered-this'),
  },
  {
    id: 'repeated_client',
    title: 'Repeated client_id',
    sends: 'client_id twice',
    answer: always('page'),
    section: 'behaviour 7.3, RFC 6749 3.1',
    build: asked((fields) => [...fields, ['client_id', valueOf(fields, 'client_id')]]),
  },
];

const REDIRECT_MISTAKES: readonly Mistake[] = [
  {
    id: 'implicit',
    title: 'Implicit flow',
    sends: 'response_type=token',
    answer: always('redirect_type'),
    section: 'behaviour 7.2, RFC 6749 4.1.2.1',
    build: set('response_type', 'token'),
  },
  {
    id: 'missing_response_type',
    title: 'Missing response_type',
    sends: 'no response_type at all',
    answer: always('redirect_malformed'),
    section: 'behaviour 7.2, RFC 6749 4.1.1',
    build: asked((fields) => without(fields, 'response_type')),
  },
  {
    id: 'challenge_method',
    title: 'Unknown PKCE method',
    sends: 'code_challenge_method=S512',
    answer: always('redirect_malformed'),
    section: 'behaviour 7.2, RFC 7636 4.4.1',
    build: set('code_challenge_method', 'S512'),
  },
  {
    id: 'unknown_audience',
    title: 'Unknown audience',
    sends: 'an audience that is not registered',
    answer: always('redirect_audience'),
    section: 'behaviour 3.7, RFC 8707 2',
    build: set('audience', NOBODYS_AUDIENCE),
  },
  {
    id: 'unknown_scope',
    title: 'Unknown scope',
    sends: 'a scope that no audience has',
    answer: (profile, mode) => (profile === 'interop' ? GRANTED[mode] : 'redirect_scope'),
    section: 'behaviour 1.11, RFC 6749 4.1.2.1',
    build: set('scope', 'never:heard-of'),
  },
  {
    id: 'silent',
    title: 'Silent sign-in without a session',
    sends: 'prompt=none when nobody is signed in',
    answer: (_profile, mode) => (mode === 'consent' ? 'redirect_login' : GRANTED[mode]),
    section: 'OpenID Connect Core 3.1.2.6',
    build: set('prompt', 'none'),
  },
];

const asksPeople = ({ mode }: Material): string | null =>
  mode === 'consent' ? null : `The setting authorize is ${mode}: there is no sign-in page`;

/** The preparation has brought the page, or the mistake is not offered. */
const NO_FORM: SignInForm = { form: '', scopes: [], cookies: '' };

const PERSON_MISTAKES: readonly Mistake[] = [
  {
    id: 'deny',
    title: 'User denies',
    sends: 'the sign-in form with Deny',
    answer: always('denied'),
    section: 'behaviour 7.3, RFC 6749 4.1.2.1',
    prepare: 'sign_in_page',
    blocked: asksPeople,
    build: ({ form }) => denial(form ?? NO_FORM),
  },
  {
    id: 'form_twice',
    title: 'Form sent twice',
    sends: 'an approval that was sent just before',
    answer: always('page'),
    section: 'behaviour 7.5',
    prepare: 'sign_in_form_sent',
    blocked: asksPeople,
    build: ({ form, fields }) => approval(form ?? NO_FORM, valueOf(fields, 'login_hint')),
  },
  {
    id: 'other_browser',
    title: 'Form from another browser',
    sends: 'an approval without the browser’s cookie',
    answer: always('page'),
    section: 'behaviour 7.5, RFC 6749 10.12',
    prepare: 'sign_in_page',
    blocked: asksPeople,
    build: ({ form, fields }) => {
      const elsewhere = { ...(form ?? NO_FORM), cookies: '' };
      return approval(elsewhere, valueOf(fields, 'login_hint'));
    },
  },
];

const UNKNOWN_REQUEST_URI = 'urn:ietf:params:oauth:request_uri:never-issued';

/** The right request pushed with its fields changed. */
const pushing =
  (how: (fields: Fields) => Fields) =>
  ({ fields, credentials }: Material): HttpRequest =>
    pushRequest(how(fields), credentials);

const PUSH_MISTAKES: readonly Mistake[] = [
  {
    id: 'unknown_request_uri',
    title: 'Unknown request_uri',
    sends: 'a request_uri that was never issued',
    answer: always('page_request_uri'),
    section: 'behaviour 7.18, RFC 9126 4',
    build: ({ credentials }) =>
      authorizeRequest(pushedFields(credentials.client_id, UNKNOWN_REQUEST_URI)),
  },
  {
    id: 'pushed_request_uri',
    title: 'request_uri in the push',
    sends: 'a push that has a request_uri itself',
    answer: always('malformed'),
    section: 'behaviour 7.18, RFC 9126 2.1',
    build: pushing((fields) => [...fields, ['request_uri', UNKNOWN_REQUEST_URI]]),
  },
  {
    id: 'pushed_redirect',
    title: 'Unregistered redirect URI in the push',
    sends: 'a push with a URI that no client has registered',
    answer: always('malformed'),
    section: 'behaviour 7.3, RFC 9126 2.3',
    build: pushing((fields) => replaced(fields, 'redirect_uri', 'https://nobody.example/callback')),
  },
];

export const AUTHORIZE_MISTAKES = [
  { name: 'Error page, no redirect', mistakes: PAGE_MISTAKES },
  { name: 'Error redirect to the app', mistakes: REDIRECT_MISTAKES },
  { name: 'Sign-in page', mistakes: PERSON_MISTAKES },
  { name: 'Pushed request', mistakes: PUSH_MISTAKES },
] as const;
