// The authorization endpoint and logout: requests, the page and its form, sessions, consent, and each mode of
// `authorize`. Cookies are stored as in a browser.

import type { HttpStep, Session, Step } from '../document.ts';
import {
  bearer,
  CHALLENGE,
  clientsWith,
  control,
  DIALECTS,
  exchange,
  formOf,
  get,
  ISSUER,
  ORDERS,
  pass,
  post,
  REDIRECT_URI,
  refresh,
  session,
  settings,
  TOKENS,
  VERIFIER,
  workspace,
} from './steps.ts';
import type { Parameters } from './steps.ts';

const ASKED: Parameters = {
  response_type: 'code',
  client_id: 'demo-app',
  redirect_uri: REDIRECT_URI,
  scope: 'openid profile',
  state: 'xyz',
};

const ask = (name: string, parameters: Parameters = {}, cookie: string | null = null): HttpStep =>
  get(name, `/authorize?${formOf({ ...ASKED, ...parameters })}`, {
    headers: cookie === null ? [] : [`Cookie: ${cookie}`],
  });

const page = (
  name: string,
  parameters: Parameters = {},
  cookie: string | null = null,
): HttpStep => ({
  ...ask(name, parameters, cookie),
  save: { form: 'field:grantbench_form', browser: 'cookie:grantbench_browser' },
});

const decide = (
  name: string,
  parameters: Parameters = {},
  cookie = '${browser}',
  scopes = ['openid', 'profile'],
) => {
  const fields = { grantbench_form: '${form}', sub: 'ada', decision: 'approve', ...parameters };
  const step = post(name, '/authorize', fields, { headers: [`Cookie: ${cookie}`] });
  return { ...step, body: [step.body, ...scopes.map((scope) => formOf({ scope }))].join('&') };
};

const approve = (name: string, parameters: Parameters = {}): HttpStep => ({
  ...decide(name, parameters),
  save: { code: 'location:code', session: 'cookie:grantbench_session' },
});

const repeated = (name: string, more: string): HttpStep => ({
  ...ask(name),
  http: `${ask('').http ?? ''}&${more}`,
});

const BOTH = '${browser}; ${session}';

const refusals: readonly Step[] = [
  ask('no client_id', { client_id: undefined }),
  ask('an unknown client', { client_id: 'nobody' }),
  ask('no redirect_uri of several', { client_id: 'basic-app', redirect_uri: undefined }),
  ask('no redirect_uri registered', { client_id: 'service-app' }),
  ask('a relative redirect_uri', { redirect_uri: '/callback' }),
  ask('an unsafe redirect_uri', { redirect_uri: 'javascript:alert(1)' }),
  ask('a redirect_uri with a fragment', { redirect_uri: `${REDIRECT_URI}#x` }),
  ask('another redirect_uri', { redirect_uri: `${REDIRECT_URI}/` }),
  repeated('client_id twice', 'client_id=demo-app'),
  { ...ask(''), name: 'escapes that are not UTF-8', http: 'GET /authorize?client_id=%ff' },
  { name: 'posted as JSON', http: 'POST /authorize', json: { client_id: 'demo-app' } },
  { name: 'posted without content type', http: 'POST /authorize', body: 'client_id=demo-app' },
  repeated('state twice', 'state=a'),
  ask('a nonce that is too long', { nonce: '${fill:1025}' }),
  repeated('scope twice', 'scope=a'),
  ask('an unknown response_mode', { response_mode: 'pigeon' }),
  ask('a request object', { request: 'x' }),
  ask('a request_uri', { request_uri: 'https://x.example' }),
  ask('a registration', { registration: '{}' }),
  ask('no response_type', { response_type: undefined }),
  ask('the implicit flow', { response_type: 'token' }),
  ask('a refusal by form_post', { response_type: 'token', response_mode: 'form_post' }),
  ask('a refusal by fragment', { response_type: 'token', response_mode: 'fragment' }),
  ask('an unknown challenge method', { code_challenge: CHALLENGE, code_challenge_method: 's256' }),
  ask('a method without challenge', { code_challenge_method: 'S256' }),
  ask('a challenge that is malformed', { code_challenge: 'x', code_challenge_method: 'S256' }),
  ask('a public client without challenge', {
    client_id: 'public-app',
    redirect_uri: 'http://127.0.0.1:7777/native',
  }),
  ask('an unknown audience', { audience: 'https://nobody.example' }),
  ask('audience and resource', { audience: ORDERS, resource: 'https://other.example' }),
  ask('resource', { resource: ORDERS, prompt: 'none' }),
  ask('an unknown scope', { scope: 'openid nobody:knows', prompt: 'none' }),
  ask('a malformed scope', { scope: '"' }),
  ask('an unknown prompt', { prompt: 'perhaps' }),
  ask('prompt none and more', { prompt: 'none login' }),
  ask('max_age that is no number', { max_age: 'soon' }),
  ask('an id_token_hint that is none', { id_token_hint: 'x' }),
  ask('parameters that are ignored', {
    acr_values: 'x',
    claims: '{}',
    tenant: 'x',
    prompt: 'none',
  }),
  ask('prompt none and nobody signed in', { prompt: 'none' }),
  ask('prompt none and a hint to nobody', { prompt: 'none', login_hint: 'nobody' }),
  control('DELETE /clients/demo-app'),
  ask('a deleted client'),
];

const claims = (id_token: unknown) => JSON.stringify({ id_token });
const MFA = { acr: { essential: true, values: ['mfa'] } };

const openid: readonly Step[] = [
  ask('a client without the grant implicit', { response_type: 'id_token', nonce: 'n' }),
  control('PATCH /clients/demo-app', { grant_types: ['authorization_code', 'implicit'] }),
  settings({ acr_values_supported: ['mfa'] }),
  ask('an ID token without nonce', { response_type: 'id_token' }),
  ask('an ID token without openid', { response_type: 'id_token', nonce: 'n', scope: 'profile' }),
  ask('an ID token by query', { response_type: 'code id_token', response_mode: 'query' }),
  ask('claims that are malformed', { claims: '{"id_token":true}' }),
  page('the page of a hybrid flow', {
    response_type: 'code id_token',
    nonce: 'n',
    scope: 'openid profile',
    acr_values: 'mfa',
    claims: claims({ email: null }),
  }),
  decide('an ID token and a code in the fragment'),
  page('the page by form_post', {
    response_type: 'id_token',
    nonce: 'n',
    response_mode: 'form_post',
    prompt: 'login',
  }),
  { ...decide('an ID token posted'), save: { session: 'cookie:grantbench_session' } },
  ask('an acr that needs the page', { claims: claims(MFA), prompt: 'none' }, BOTH),
  page('the page for one user', { claims: claims({ sub: { value: 'bob' } }) }, BOTH),
  decide('another user'),
  settings({ acr_values_supported: [], pkce_plain: false, userinfo_audience: true }),
  ask('an acr that is not supported', { claims: claims(MFA) }),
  ask('plain that is switched off', { code_challenge: VERIFIER }),
  settings({ authorize: 'auto' }),
  ask('an ID token alone', { response_type: 'id_token', nonce: 'n' }),
  {
    ...ask('a code for another API', { audience: ORDERS, scope: 'openid' }),
    save: { code: 'location:code' },
  },
  exchange('a token for another API', {}, { save: { access_token: 'json:access_token' } }),
  get('userinfo for it', '/userinfo', { headers: [bearer()] }),
];

const consent: readonly Step[] = [
  page('the page'),
  page('the page for an audience', {
    audience: ORDERS,
    scope: 'orders:read orders:write',
    login_hint: 'bob',
  }),
  decide('no decision', { decision: undefined }),
  decide('nobody picked', { sub: undefined }),
  decide('an unknown user', { sub: 'eve' }),
  decide('a form nobody made', { grantbench_form: 'nothing' }),
  decide('another browser', {}, ''),
  decide('denied', { decision: 'deny' }),
  decide('sent again'),
  page('another page', { code_challenge: CHALLENGE, code_challenge_method: 'S256', nonce: 'n-1' }),
  approve('approved'),
  exchange(
    'the code',
    { code_verifier: VERIFIER },
    { save: { ...TOKENS.save, id_token: 'json:id_token' } },
  ),
  refresh('a refresh brings an id_token'),
  ask('granted at once', {}, BOTH),
  ask('granted by form_post', { response_mode: 'form_post' }, BOTH),
  ask('granted by fragment', { response_mode: 'fragment' }, BOTH),
  ask('prompt none', { prompt: 'none' }, BOTH),
  ask('more scope, prompt none', { prompt: 'none', scope: 'openid profile email' }, BOTH),
  ask('more scope', { scope: 'openid profile email' }, BOTH),
  ask('prompt login', { prompt: 'login' }, BOTH),
  ask('prompt consent', { prompt: 'consent' }, BOTH),
  ask('prompt select_account', { prompt: 'select_account' }, BOTH),
  ask('the hint of another user', { login_hint: 'BOB@example.test' }, BOTH),
  ask('the hint of another user, prompt none', { prompt: 'none', login_hint: 'bob' }, BOTH),
  ask('an id_token_hint', { prompt: 'none', id_token_hint: '${id_token}' }, BOTH),
  ask('an id_token_hint changed', { prompt: 'none', id_token_hint: '${id_token}x' }, BOTH),
  pass(100),
  ask('max_age', { prompt: 'none', max_age: '1000' }, BOTH),
  ask('max_age that is over', { prompt: 'none', max_age: '100' }, BOTH),
  ask('max_age 0', { max_age: '0' }, BOTH),
  page('a page that waits', { prompt: 'login' }, BOTH),
  pass(86_400),
  decide('a form that expired', {}, BOTH),
  ask('a session that expired', {}, BOTH),
  page('a page, and then deny'),
  settings({ authorize: 'deny' }),
  decide('approved, but everything is denied'),
  settings({ authorize: 'consent' }),
  page('a page to fail'),
  decide('sign-in failed', { decision: 'login_required' }),
  page('another page to fail'),
  decide('server failed', { decision: 'server_error' }),
  page('a third page to fail'),
  decide('server unavailable', { decision: 'temporarily_unavailable' }),
  page('a page for someone new'),
  decide('claims of the service', { claims: '{"iss":"x"}' }),
  decide('someone new who is registered', { sub: '', new_name: 'Bob' }),
  decide('someone new', { sub: '', new_email: 'eve@example.test', claims: '{"roles":["admin"]}' }),
];

const modes: readonly Step[] = [
  settings({ authorize: 'deny' }),
  ask('denied'),
  ask('denied by form_post', { response_mode: 'form_post' }),
  settings({ authorize: 'auto' }),
  { ...ask('granted at once'), save: { code: 'location:code' } },
  exchange('its code', { audience: ORDERS }),
  ask('granted to the one hinted at', { login_hint: 'bob' }),
  ask('granted with less scope', { scope: 'openid nobody:knows' }),
  { ...ask('the only redirect_uri', { redirect_uri: undefined }), save: { code: 'location:code' } },
  exchange('without redirect_uri, as authorized', { redirect_uri: undefined }),
  ask('a native client on another port', {
    client_id: 'public-app',
    redirect_uri: 'http://127.0.0.1:7777/native',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  }),
  post('a request that is posted', '/authorize', ASKED),
  { ...ask('HEAD'), http: (ask('').http ?? '').replace('GET', 'HEAD') },
  ask('the hint of an unregistered user', { login_hint: 'nobody' }),
  ask('prompt none', { prompt: 'none' }),
  control('DELETE /users/ada'),
  control('DELETE /users/bob'),
  ask('nobody is registered'),
  settings({ authorize: 'consent' }),
  ask('nobody is registered, and somebody would be asked'),
];

const REGISTERED = 'http://localhost:3000/bye';
const leave = (name: string, parameters: Parameters = {}, cookie = '${session}'): HttpStep =>
  get(name, `/logout?${formOf(parameters)}`, {
    headers: cookie === '' ? [] : [`Cookie: ${cookie}`],
  });

const back = { post_logout_redirect_uri: REGISTERED };

const logouts: readonly Step[] = [
  page('the page'),
  approve('signed in'),
  exchange('an id_token', {}, { save: { id_token: 'json:id_token' } }),
  leave('nobody signed in', {}, ''),
  leave('a return without client', back),
  leave('an unknown client', { client_id: 'nobody' }),
  leave('nothing registered', { ...back, client_id: 'other-app' }),
  leave('another address', { client_id: 'demo-app', post_logout_redirect_uri: `${REGISTERED}/` }),
  leave('a client that differs', { id_token_hint: '${id_token}', client_id: 'other-app' }),
  leave('a hint that is none', { id_token_hint: 'x' }),
  leave('a hint of another issuer', {
    id_token_hint: `eyJhbGciOiJFUzI1NiIsImtpZCI6ImdvbmUifQ.${Buffer.from('{"iss":"https://x.example","sub":"ada","aud":"demo-app"}').toString('base64url')}.x`,
  }),
  leave('a hint of a key that is gone', {
    id_token_hint: `eyJhbGciOiJFUzI1NiIsImtpZCI6ImdvbmUifQ.${Buffer.from(JSON.stringify({ iss: ISSUER, sub: 'ada', aud: 'demo-app' })).toString('base64url')}.x`,
  }),
  { ...leave('client_id twice'), http: 'GET /logout?client_id=a&client_id=b' },
  page('the page again', {}, BOTH),
  ask('still signed in', {}, BOTH),
  leave('signed out and back', { ...back, id_token_hint: '${id_token}', state: 's' }),
  ask('signed out', { prompt: 'none' }, BOTH),
  post('posted', '/logout', { client_id: 'demo-app' }, { headers: ['Cookie: ${session}'] }),
  { name: 'posted as JSON', http: 'POST /logout', json: {} },
];

export function authorizeSessions(): [string, Session][] {
  const native = session('', {}, []).sandbox;
  const atHome = {
    workspace: workspace({ clients: clientsWith({ client_id: 'demo-app' }) }),
    keys: ['ES256'],
  };
  return [
    // Here strict requires no more than documented, so two profiles suffice.
    ...['documented', 'interop'].map((profile): [string, Session] => [
      `authorize-refusals-${profile}`,
      session(`Authorization requests that are refused: profile ${profile}`, { profile }, refusals),
    ]),
    ...DIALECTS.map((dialect): [string, Session] => [
      `authorize-consent-${dialect}`,
      session(`The page, sessions and consent: dialect ${dialect}`, { dialect }, consent),
    ]),
    ...['strict', 'interop'].map((profile): [string, Session] => [
      `authorize-modes-${profile}`,
      session(`Modes of authorization: profile ${profile}`, { profile }, modes),
    ]),
    [
      'authorize-openid',
      session('ID tokens in the response, acr and claims', { profile: 'interop' }, openid),
    ],
    ['logout', session('Logout', {}, logouts, native)],
    [
      'authorize-without-https',
      session('Cookies over HTTP', {}, [page('the page'), approve('approved')], atHome),
    ],
  ];
}
