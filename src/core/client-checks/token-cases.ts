// Cases of what comes from the token endpoint and from UserInfo: at the login, and after a refresh.

import type { Edit } from '../records/edit.ts';
import { append, type CaseDraft, casesOf, edited, failing, remove, rule, set } from './case.ts';
import { NO_ID_TOKEN, REFRESHED_ID_TOKEN_CASES } from './id-token-cases.ts';

const TOKEN_RESPONSES: readonly CaseDraft[] = [
  {
    id: 'access-token-missing',
    title: 'No access token',
    text: 'The token response has no access_token.',
    section: 'RFC 6749 5.1',
    advice: 'Require access_token and token_type.',
    rules: [edited('token', remove('access_token'))],
  },
  {
    id: 'token-type-missing',
    title: 'No token_type',
    text: 'The token response has no token_type.',
    section: 'RFC 6749 5.1',
    advice: 'Require access_token and token_type.',
    rules: [edited('token', remove('token_type'))],
  },
  {
    id: 'token-type-unknown',
    title: 'Unknown token_type',
    text: 'The token_type is unknown.',
    section: 'RFC 6749 7.1',
    advice: 'Use an access token only if you know its type.',
    rules: [edited('token', set('token_type', 'unknown'))],
  },
  {
    id: 'id-token-missing',
    title: 'No ID token',
    text: 'The scope has openid, and the token response has no id_token.',
    section: 'OpenID Connect Core 3.1.3.3',
    advice: 'Require an ID token wherever your app requested openid.',
    unreached: NO_ID_TOKEN,
    rules: [edited('token', remove('id_token'))],
  },
  {
    id: 'token-type-bearer-for-dpop',
    title: 'Bearer token for a DPoP proof',
    text: 'The request had a DPoP proof; the token_type is Bearer.',
    section: 'RFC 9449 5',
    level: 'should',
    topic: 'dpop',
    advice: 'Where your app requires sender-constrained tokens, refuse token_type Bearer.',
    unreached: 'No token request had a DPoP proof.',
    rules: [edited('token', set('token_type', 'Bearer'))],
  },
  {
    id: 'token-member-unknown',
    title: 'Unknown member',
    text: 'The token response has an additional, unknown member.',
    section: 'RFC 6749 5.1',
    expected: 'accept',
    advice: 'Ignore members that you do not know.',
    rules: [edited('token', set('grantbench_unknown', 'value'))],
  },
  {
    id: 'expires-in-absent',
    title: 'No expires_in',
    text: 'The token response has no expires_in, which is only recommended.',
    section: 'RFC 6749 5.1',
    expected: 'accept',
    advice: 'Use a default, or refresh after a 401.',
    rules: [edited('token', remove('expires_in'))],
  },
  {
    id: 'scope-absent',
    title: 'No scope',
    text: 'The token response has no scope.',
    section: 'RFC 6749 5.1',
    expected: 'accept',
    advice: 'Without scope, the requested scope was granted.',
    unreached: 'No token response would have had a scope.',
    rules: [edited('token', remove('scope'))],
  },
  {
    id: 'token-type-case',
    title: 'token_type in another case',
    text: 'The token_type is bEARER: its case does not matter.',
    section: 'RFC 6749 5.1',
    expected: 'accept',
    advice: 'Compare token_type without regard to case.',
    rules: [edited('token', { member: 'token_type', do: 'swap_case' })],
  },
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
    text: 'The UserInfo response has an additional, unknown claim.',
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
    advice: 'Expect no claim but sub: a server may omit all others.',
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
    text: 'The response to a refresh has no id_token.',
    section: 'OpenID Connect Core 12.2',
    advice: 'Keep the claims of the login if a refresh returns no new ID token.',
    rules: [refreshed(remove('id_token'))],
  },
  {
    id: 'refresh-token-absent',
    unreached: 'The login redeemed no refresh token, or received no new one.',
    title: 'Refresh without a new refresh token',
    text: 'The response to a refresh has no refresh_token.',
    section: 'RFC 6749 6',
    advice: 'Keep the refresh token if a refresh returns no new one.',
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
    { topic: 'dpop', needs_dpop: true, unreached: 'No token request had a DPoP proof.' },
    DPOP,
  ),
];
