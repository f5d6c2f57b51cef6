// Cases of the ID token (OpenID Connect Core 2, 3.1.3.7 and 12.2), each with one mistake.

import type { CaseDraft, TokenEdits } from './case.ts';
import { append, casesOf, edited, remove, rule, set } from './case.ts';

const WEEK = 7 * 86_400;
const STRANGER = 'https://stranger.invalid';

const idToken = (edits: Partial<TokenEdits>, grant_type: string | null = null) =>
  rule('token', { kind: 'edit_id_token', ...edits }, { grant_type });

const section = (number: string) => `OpenID Connect Core 3.1.3.7 (${number})`;
const REQUIRED = 'OpenID Connect Core 2';

const VALIDATE = 'Validate the ID token with your library instead of only decoding it.';

const CLAIMS: readonly CaseDraft[] = [
  {
    id: 'id-token-iss-other',
    title: 'ID token from another issuer',
    text: 'The iss claim names another issuer.',
    section: section('2'),
    advice: 'Compare iss with the issuer of the discovery document, as exact strings.',
    rules: [idToken({ claims: [set('iss', 'https://other-issuer.invalid')] })],
  },
  {
    id: 'id-token-iss-missing',
    title: 'ID token without iss',
    text: 'The iss claim is missing.',
    section: section('2'),
    advice: VALIDATE,
    rules: [idToken({ claims: [remove('iss')] })],
  },
  {
    id: 'id-token-aud-other',
    title: 'ID token for another client',
    text: 'The aud claim names another client.',
    section: section('3'),
    advice: 'Check that aud is, or contains, your client_id.',
    rules: [idToken({ claims: [set('aud', STRANGER)] })],
  },
  {
    id: 'id-token-aud-missing',
    title: 'ID token without aud',
    text: 'The aud claim is missing.',
    section: section('3'),
    advice: VALIDATE,
    rules: [idToken({ claims: [remove('aud')] })],
  },
  {
    id: 'id-token-aud-untrusted',
    title: 'ID token for another audience, too',
    text: 'The aud claim lists the client and an unknown audience; there is no azp.',
    section: section('3'),
    advice: 'Refuse an aud that lists audiences your app does not trust.',
    rules: [idToken({ claims: [{ member: 'aud', do: 'add', value: STRANGER }] })],
  },
  {
    id: 'id-token-azp-other',
    title: 'ID token authorized for another party',
    text: 'The azp claim names another client.',
    section: section('5'),
    level: 'should',
    topic: 'azp_and_age',
    advice: 'Where azp is present, compare it with your client_id.',
    rules: [idToken({ claims: [set('azp', STRANGER)] })],
  },
  {
    id: 'id-token-sub-missing',
    title: 'ID token without sub',
    text: 'The sub claim is missing.',
    section: REQUIRED,
    advice: 'Require sub: it is the only stable identifier of the user.',
    rules: [idToken({ claims: [remove('sub')] })],
  },
  {
    id: 'id-token-iat-missing',
    title: 'ID token without iat',
    text: 'The iat claim is missing.',
    section: REQUIRED,
    advice: VALIDATE,
    rules: [idToken({ claims: [remove('iat')] })],
  },
  {
    id: 'id-token-exp-past',
    title: 'Expired ID token',
    text: 'The exp claim is six minutes ago.',
    section: section('9'),
    advice: 'Check exp, with a tolerance for clocks of at most a few minutes.',
    rules: [idToken({ claims: [{ member: 'exp', do: 'from_now', seconds: -360 }] })],
  },
  {
    id: 'id-token-exp-missing',
    title: 'ID token without exp',
    text: 'The exp claim is missing.',
    section: section('9'),
    advice: VALIDATE,
    rules: [idToken({ claims: [remove('exp')] })],
  },
  {
    id: 'id-token-iat-old',
    title: 'ID token issued a week ago',
    text: 'The iat claim is a week ago.',
    section: section('10'),
    level: 'should',
    topic: 'azp_and_age',
    advice: 'Refuse an ID token that was issued too long ago.',
    rules: [idToken({ claims: [{ member: 'iat', do: 'from_now', seconds: -WEEK }] })],
  },
  {
    id: 'id-token-nonce-other',
    title: 'ID token with another nonce',
    text: 'The nonce claim is not the one of the request.',
    section: section('11'),
    advice: 'Keep the nonce of the request in the session and compare it.',
    topic: 'nonce',
    unreached: 'The login received no ID token with a nonce.',
    rules: [idToken({ claims: [append('nonce', '-other')] })],
  },
  {
    id: 'id-token-nonce-missing',
    title: 'ID token without nonce',
    text: 'The request had a nonce; the ID token has none.',
    section: section('11'),
    advice: 'Keep the nonce of the request in the session and require it.',
    topic: 'nonce',
    unreached: 'The login received no ID token with a nonce.',
    rules: [idToken({ claims: [remove('nonce')] })],
  },
  {
    id: 'id-token-at-hash-other',
    title: 'at_hash of another access token',
    text: 'The at_hash claim does not belong to the access token.',
    section: 'OpenID Connect Core 3.1.3.8',
    level: 'should',
    topic: 'at_hash',
    advice: 'Where at_hash is present, compare it with the access token.',
    rules: [idToken({ claims: [set('at_hash', 'AAAAAAAAAAAAAAAAAAAAAA')] })],
  },
  {
    id: 'id-token-claim-unknown',
    title: 'ID token with an unknown claim',
    text: 'The ID token has an additional, unknown claim.',
    section: REQUIRED,
    expected: 'accept',
    advice: 'Ignore claims that you do not know.',
    rules: [idToken({ claims: [set('grantbench_unknown', 'value')] })],
  },
  {
    id: 'id-token-aud-list',
    title: 'aud as a list',
    text: 'The aud claim is a list with the client as its only entry.',
    section: REQUIRED,
    expected: 'accept',
    advice: 'aud may be a string or a list of strings.',
    rules: [idToken({ claims: [{ member: 'aud', do: 'list' }] })],
  },
  {
    id: 'id-token-at-hash-missing',
    title: 'ID token without at_hash',
    text: 'The at_hash claim is missing, which the code flow allows.',
    section: 'OpenID Connect Core 3.1.3.6',
    expected: 'accept',
    topic: 'at_hash',
    advice: 'at_hash is optional in the code flow.',
    rules: [idToken({ claims: [remove('at_hash')] })],
  },
];

const SIGNATURES: readonly CaseDraft[] = [
  {
    id: 'id-token-alg-none',
    topic: 'algorithm',
    title: 'Unsigned ID token',
    text: 'The ID token has alg none and no signature.',
    section: section('7'),
    advice: 'Allow the algorithm that was agreed on, and nothing else.',
    rules: [idToken({ sign: 'none' })],
  },
  {
    id: 'id-token-alg-hs256-public-key',
    topic: 'algorithm',
    title: 'ID token signed with the public key as a secret',
    text: 'The ID token is signed with HS256; the secret is the text of the public key.',
    section: 'RFC 8725 3.1',
    advice: 'Take the algorithm from your configuration, never from the token.',
    rules: [idToken({ sign: 'hs256_public_key' })],
  },
  {
    id: 'id-token-alg-other',
    topic: 'algorithm',
    title: 'ID token signed with another algorithm',
    text: 'The ID token is signed with HS256 and the client_secret, which was not agreed on.',
    section: section('8'),
    level: 'should',
    advice: 'Allow the algorithm that was agreed on, and nothing else.',
    unreached: 'The login received no ID token, or the client has no client_secret.',
    rules: [idToken({ sign: 'hs256_client_secret' })],
  },
  {
    id: 'id-token-signature-invalid',
    topic: 'signature',
    title: 'ID token with an invalid signature',
    text: 'One bit of the signature is changed.',
    section: section('6'),
    level: 'should',
    advice: 'Verify the signature with the JWK Set, also in the code flow.',
    rules: [idToken({ sign: 'altered' })],
  },
  {
    id: 'id-token-key-unknown',
    topic: 'signature',
    title: 'ID token signed with an unknown key',
    text: 'The ID token is signed with a key that was never published, under the published kid.',
    section: section('6'),
    level: 'should',
    advice: 'Verify the signature with the JWK Set, also in the code flow.',
    rules: [idToken({ sign: 'unpublished_key' })],
  },
  {
    id: 'id-token-kid-unknown',
    topic: 'signature',
    title: 'ID token that names an unknown key',
    text: 'The kid in the header is not in the JWK Set.',
    section: 'OpenID Connect Core 10.1',
    level: 'should',
    advice: 'Fetch the JWK Set once more for an unknown kid, then refuse.',
    rules: [idToken({ header: [set('kid', 'unknown')] })],
  },
  {
    id: 'id-token-kid-absent-single-key',
    topic: 'signature',
    title: 'One key, and no kid',
    text: 'Neither the ID token nor the only key in the JWK Set has a kid.',
    section: 'OpenID Connect Core 10.1',
    expected: 'accept',
    advice: 'A kid is only required where the JWK Set has several keys.',
    rules: [idToken({ header: [remove('kid')] }), edited('jwks', remove('/keys/0/kid'))],
  },
];

const REFRESH = 'refresh_token';

const REFRESHED: readonly CaseDraft[] = [
  {
    id: 'refresh-id-token-iss-other',
    title: 'Refreshed ID token from another issuer',
    text: 'The ID token from a refresh names another issuer.',
    section: 'OpenID Connect Core 12.2',
    advice: 'Compare iss and sub of a refreshed ID token with those of the login.',
    rules: [idToken({ claims: [set('iss', 'https://other-issuer.invalid')] }, REFRESH)],
  },
  {
    id: 'refresh-id-token-sub-other',
    title: 'Refreshed ID token of another user',
    text: 'The ID token from a refresh names another user.',
    section: 'OpenID Connect Core 12.2',
    advice: 'Compare iss and sub of a refreshed ID token with those of the login.',
    rules: [idToken({ claims: [append('sub', '-other')] }, REFRESH)],
  },
];

export const NO_ID_TOKEN = 'The login received no ID token. Did it request the scope openid?';
const NO_REFRESH = 'The login redeemed no refresh token, or received no new ID token.';

/** After a rotation: with its keys, the JWK Set has several. */
export const SEVERAL_KEYS: readonly CaseDraft[] = [
  {
    id: 'id-token-kid-absent-several-keys',
    topic: 'signature',
    title: 'Several keys, and no kid',
    text: 'The JWK Set has several keys; the ID token has no kid.',
    section: 'OpenID Connect Core 10.1',
    expected: 'either',
    advice: 'Refuse it, or try each key of the matching type.',
    unreached: NO_ID_TOKEN,
    rotates_key: true,
    rules: [idToken({ header: [remove('kid')] })],
  },
];

export const ID_TOKEN_CASES = casesOf(
  'id_token',
  { topic: 'id_token', progress: 'tokens', unreached: NO_ID_TOKEN },
  [...CLAIMS, ...SIGNATURES],
);
export const REFRESHED_ID_TOKEN_CASES = casesOf(
  'refresh',
  { topic: 'refresh', unreached: NO_REFRESH },
  REFRESHED,
);
