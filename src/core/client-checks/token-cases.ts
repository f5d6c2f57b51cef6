// Cases of what comes from the token endpoint and from UserInfo: at the login, and after a refresh.

import type { Edit } from '../records/edit.ts';
import { append, type CaseDraft, casesOf, edited, failing, remove, rule, set } from './case.ts';
import { NO_ID_TOKEN, REFRESHED_ID_TOKEN_CASES } from './id-token-cases.ts';

const token = (
  id: string,
  title: string,
  text: string,
  edit: Edit,
  more: Partial<CaseDraft>,
): CaseDraft => ({
  id,
  title,
  text,
  section: 'RFC 6749 5.1',
  advice: 'Validate the token response before you use any of it.',
  rules: [edited('token', edit)],
  ...more,
});

const TOKEN_RESPONSES: readonly CaseDraft[] = [
  token(
    'access-token-missing',
    'No access token',
    'The token response has no access_token.',
    remove('access_token'),
    { advice: 'Require access_token and token_type.' },
  ),
  token(
    'token-type-missing',
    'No token_type',
    'The token response has no token_type.',
    remove('token_type'),
    { advice: 'Require access_token and token_type.' },
  ),
  token(
    'token-type-unknown',
    'Unknown token_type',
    'The token_type is one that no client knows.',
    set('token_type', 'unknown'),
    { section: 'RFC 6749 7.1', advice: 'Use an access token only if you know its type.' },
  ),
  token(
    'id-token-missing',
    'No ID token',
    'The scope has openid, and the token response has no id_token.',
    remove('id_token'),
    {
      section: 'OpenID Connect Core 3.1.3.3',
      advice: 'Require an ID token wherever your app requested openid.',
      unreached: NO_ID_TOKEN,
    },
  ),
  token(
    'token-type-bearer-for-dpop',
    'Bearer token for a DPoP proof',
    'The request had a DPoP proof; the token_type is Bearer.',
    set('token_type', 'Bearer'),
    {
      section: 'RFC 9449 5',
      level: 'should',
      topic: 'dpop',
      advice: 'Where your app requires sender-constrained tokens, refuse token_type Bearer.',
      unreached: 'The token request had no DPoP proof.',
    },
  ),
  token(
    'token-member-unknown',
    'Unknown member',
    'The token response has one more member, which nobody knows.',
    set('grantbench_unknown', 'value'),
    { expected: 'accept', advice: 'Ignore members that you do not know.' },
  ),
  token(
    'expires-in-absent',
    'No expires_in',
    'The token response has no expires_in, which is only recommended.',
    remove('expires_in'),
    { expected: 'accept', advice: 'Use a default, or refresh after a 401.' },
  ),
  token(
    'scope-absent',
    'No scope',
    'The token response has no scope: it is the one that was requested.',
    remove('scope'),
    {
      expected: 'accept',
      advice: 'Without scope, the requested scope was granted.',
      unreached: 'The token response has no scope anyway.',
    },
  ),
  token(
    'token-type-case',
    'token_type in the other case',
    'The token_type is bEARER: its case does not matter.',
    { member: 'token_type', do: 'swap_case' },
    { expected: 'accept', advice: 'Compare token_type without regard to case.' },
  ),
];

const REJECTED = failing(401, 'invalid_token', [
  'WWW-Authenticate',
  'Bearer error="invalid_token"',
]);

const USERINFO: readonly CaseDraft[] = [
  {
    id: 'userinfo-sub-other',
    title: 'UserInfo of another user',
    text: 'The sub in the UserInfo response is not the one of the ID token.',
    section: 'OpenID Connect Core 5.3.2',
    advice: 'Compare sub with that of the ID token before you use any claim.',
    rules: [edited('userinfo', append('sub', '-other'))],
  },
  {
    id: 'userinfo-sub-missing',
    title: 'UserInfo without sub',
    text: 'The UserInfo response has no sub.',
    section: 'OpenID Connect Core 5.3.2',
    advice: 'Require sub, and compare it with that of the ID token.',
    rules: [edited('userinfo', remove('sub'))],
  },
  {
    id: 'userinfo-claim-unknown',
    title: 'UserInfo with an unknown claim',
    text: 'The UserInfo response has one more claim, which nobody knows.',
    section: 'OpenID Connect Core 5.1.2',
    expected: 'accept',
    advice: 'Ignore claims that you do not know.',
    rules: [edited('userinfo', set('grantbench_unknown', 'value'))],
  },
  {
    id: 'userinfo-claims-absent',
    title: 'UserInfo with nothing but sub',
    text: 'The UserInfo response has no name and no email, although they were requested.',
    section: 'OpenID Connect Core 5.3.2',
    expected: 'accept',
    advice: 'Expect no claim but sub: a server may leave out the others.',
    rules: [edited('userinfo', ...['name', 'email', 'email_verified', 'picture'].map(remove))],
  },
  {
    id: 'userinfo-token-rejected',
    title: 'Access token rejected once',
    text: 'The response to the first UserInfo request is 401 invalid_token.',
    section: 'RFC 6750 3.1',
    expected: 'accept',
    level: 'should',
    topic: 'refresh',
    advice: 'After a 401, redeem the refresh token and send the request again, once.',
    rules: [rule('userinfo', REJECTED, { times: 1 })],
  },
];

const NO_REFRESH = 'The login redeemed no refresh token.';

const refreshed = (edit: Edit) =>
  rule('token', { kind: 'edit_json', edits: [edit] }, { grant_type: 'refresh_token' });

const REFRESH: readonly CaseDraft[] = [
  {
    id: 'refresh-invalid-grant',
    title: 'Refresh token rejected',
    text: 'The response to every refresh is 400 invalid_grant.',
    section: 'RFC 6749 5.2',
    advice: 'Forget the refresh token and send the user to sign in again, once.',
    progress: 'same_refresh_token',
    by_traffic: true,
    unreached: NO_REFRESH,
    rules: [rule('token', failing(400, 'invalid_grant'), { grant_type: 'refresh_token' })],
  },
];

const REFRESHED: readonly CaseDraft[] = [
  {
    id: 'refresh-id-token-absent',
    title: 'Refresh without an ID token',
    text: 'The response of a refresh has no id_token.',
    section: 'OpenID Connect Core 12.2',
    advice: 'Keep the claims of the login if a refresh brings no new ID token.',
    rules: [refreshed(remove('id_token'))],
  },
  {
    id: 'refresh-token-absent',
    unreached: 'The login redeemed no refresh token, or received no new one.',
    title: 'Refresh without a new refresh token',
    text: 'The response of a refresh has no refresh_token.',
    section: 'RFC 6749 6',
    advice: 'Keep the refresh token if a refresh brings no new one.',
    rules: [refreshed(remove('refresh_token'))],
  },
];

const useNonce = failing(400, 'use_dpop_nonce', ['DPoP-Nonce', 'a-nonce-of-a-client-check']);

const DPOP: readonly CaseDraft[] = [
  {
    id: 'dpop-nonce-required',
    title: 'DPoP nonce required',
    text: 'The response to the first token request is use_dpop_nonce with a nonce.',
    section: 'RFC 9449 8',
    expected: 'accept',
    advice: 'Send the request again with the nonce in the DPoP proof.',
    rules: [rule('token', useNonce, { times: 1 })],
  },
  {
    id: 'dpop-nonce-always',
    title: 'DPoP nonce required again and again',
    text: 'The response to every token request is use_dpop_nonce with a nonce.',
    section: 'RFC 9449 8',
    level: 'should',
    progress: 'retry_loop',
    by_traffic: true,
    advice: 'Send the request again once, then give up.',
    rules: [rule('token', useNonce)],
  },
];

export const TOKEN_CASES = [
  ...casesOf('token_response', { topic: 'token_response', progress: 'tokens' }, TOKEN_RESPONSES),
  ...casesOf(
    'userinfo',
    { topic: 'userinfo', unreached: 'The login did not ask for UserInfo.' },
    USERINFO,
  ),
  ...REFRESHED_ID_TOKEN_CASES,
  ...casesOf('refresh', { topic: 'refresh', level: 'should' }, REFRESH),
  ...casesOf('refresh', { topic: 'refresh', expected: 'accept', unreached: NO_REFRESH }, REFRESHED),
  ...casesOf(
    'token_response',
    { topic: 'dpop', needs_dpop: true, unreached: 'The token request had no DPoP proof.' },
    DPOP,
  ),
];
