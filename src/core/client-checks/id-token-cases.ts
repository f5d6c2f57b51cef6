// Cases of the ID token (OpenID Connect Core 2, 3.1.3.7 and 12.2), one wrong thing each.

import type { Edit } from '../records/edit.ts';
import type { CaseDraft, TokenEdits } from './case.ts';
import { append, casesOf, edited, remove, rule, set } from './case.ts';

const WEEK = 7 * 86_400;
const STRANGER = 'https://stranger.invalid';

const idToken = (edits: Partial<TokenEdits>, grant_type: string | null = null) =>
  rule('token', { kind: 'edit_id_token', ...edits }, { grant_type });

const section = (number: string) => `OpenID Connect Core 3.1.3.7 (${number})`;
const REQUIRED = 'OpenID Connect Core 2';

const claim = (
  id: string,
  title: string,
  text: string,
  edit: Edit,
  where: string,
  more: Partial<CaseDraft> = {},
): CaseDraft => ({
  id,
  title,
  text,
  section: where,
  advice: 'Validate the ID token with your library instead of only decoding it.',
  rules: [idToken({ claims: [edit] })],
  ...more,
});

const CLAIMS: readonly CaseDraft[] = [
  claim(
    'id-token-iss-other',
    'ID token from another issuer',
    'The iss claim names another issuer.',
    set('iss', 'https://other-issuer.invalid'),
    section('2'),
    { advice: 'Compare iss with the issuer of the discovery document, as exact strings.' },
  ),
  claim(
    'id-token-iss-missing',
    'ID token without iss',
    'The iss claim is missing.',
    remove('iss'),
    section('2'),
  ),
  claim(
    'id-token-aud-other',
    'ID token for another client',
    'The aud claim names another client.',
    set('aud', STRANGER),
    section('3'),
    { advice: 'Check that aud is, or contains, your client_id.' },
  ),
  claim(
    'id-token-aud-missing',
    'ID token without aud',
    'The aud claim is missing.',
    remove('aud'),
    section('3'),
  ),
  claim(
    'id-token-aud-untrusted',
    'ID token for another audience, too',
    'The aud claim lists the client and a stranger; there is no azp.',
    { member: 'aud', do: 'add', value: STRANGER },
    section('3'),
    { advice: 'Refuse an aud that lists audiences your app does not trust.' },
  ),
  claim(
    'id-token-azp-other',
    'ID token authorized for another party',
    'The azp claim names another client.',
    set('azp', STRANGER),
    section('5'),
    {
      level: 'should',
      topic: 'azp_and_age',
      advice: 'Where azp is present, compare it with your client_id.',
    },
  ),
  claim(
    'id-token-sub-missing',
    'ID token without sub',
    'The sub claim is missing.',
    remove('sub'),
    REQUIRED,
    { advice: 'Require sub: it is the only stable identifier of the user.' },
  ),
  claim(
    'id-token-iat-missing',
    'ID token without iat',
    'The iat claim is missing.',
    remove('iat'),
    REQUIRED,
  ),
  claim(
    'id-token-exp-past',
    'Expired ID token',
    'The exp claim is six minutes ago.',
    { member: 'exp', do: 'from_now', seconds: -360 },
    section('9'),
    { advice: 'Check exp, with a tolerance for clocks of at most a few minutes.' },
  ),
  claim(
    'id-token-exp-missing',
    'ID token without exp',
    'The exp claim is missing.',
    remove('exp'),
    section('9'),
  ),
  claim(
    'id-token-iat-old',
    'ID token issued a week ago',
    'The iat claim is a week ago.',
    { member: 'iat', do: 'from_now', seconds: -WEEK },
    section('10'),
    {
      level: 'should',
      topic: 'azp_and_age',
      advice: 'Refuse an ID token that was issued too long ago.',
    },
  ),
  claim(
    'id-token-nonce-other',
    'ID token with another nonce',
    'The nonce claim is not the one of the request.',
    append('nonce', '-other'),
    section('11'),
    {
      advice: 'Keep the nonce of the request in the session and compare it.',
      topic: 'nonce',
      unreached: 'The authorization request had no nonce.',
    },
  ),
  claim(
    'id-token-nonce-missing',
    'ID token without nonce',
    'The request had a nonce; the ID token has none.',
    remove('nonce'),
    section('11'),
    {
      advice: 'Keep the nonce of the request in the session and require it.',
      topic: 'nonce',
      unreached: 'The authorization request had no nonce.',
    },
  ),
  claim(
    'id-token-at-hash-other',
    'at_hash of another access token',
    'The at_hash claim does not belong to the access token.',
    set('at_hash', 'AAAAAAAAAAAAAAAAAAAAAA'),
    'OpenID Connect Core 3.1.3.8',
    {
      level: 'should',
      topic: 'at_hash',
      advice: 'Where at_hash is present, compare it with the access token.',
    },
  ),
  claim(
    'id-token-claim-unknown',
    'ID token with an unknown claim',
    'The ID token has one more claim, which nobody knows.',
    set('grantbench_unknown', 'value'),
    REQUIRED,
    { expected: 'accept', advice: 'Ignore claims that you do not know.' },
  ),
  claim(
    'id-token-aud-list',
    'aud as a list',
    'The aud claim is a list with the client as its only entry.',
    { member: 'aud', do: 'list' },
    REQUIRED,
    { expected: 'accept', advice: 'aud may be a string or a list of strings.' },
  ),
  claim(
    'id-token-at-hash-missing',
    'ID token without at_hash',
    'The at_hash claim is missing, which the code flow allows.',
    remove('at_hash'),
    'OpenID Connect Core 3.1.3.6',
    { expected: 'accept', topic: 'at_hash', advice: 'at_hash is optional in the code flow.' },
  ),
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
    unreached: 'The client has no client_secret.',
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
    text: 'The ID token of a refresh names another issuer.',
    section: 'OpenID Connect Core 12.2',
    advice: 'Compare iss and sub of a refreshed ID token with those of the login.',
    rules: [idToken({ claims: [set('iss', 'https://other-issuer.invalid')] }, REFRESH)],
  },
  {
    id: 'refresh-id-token-sub-other',
    title: 'Refreshed ID token of another user',
    text: 'The ID token of a refresh names another user.',
    section: 'OpenID Connect Core 12.2',
    advice: 'Compare iss and sub of a refreshed ID token with those of the login.',
    rules: [idToken({ claims: [append('sub', '-other')] }, REFRESH)],
  },
];

export const NO_ID_TOKEN = 'The login received no ID token: it did not request the scope openid.';
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
    advice: 'Refuse it, or try each key of the right type.',
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
