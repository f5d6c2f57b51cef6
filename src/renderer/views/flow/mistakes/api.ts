// The mistakes offered at step 6: a call to the API with the wrong token, or with the right one in the
// wrong place (RFC 6750).

import { encodeBase64url } from '../../../../oauth/base64.ts';
import type { Material, Mistake } from './mistake.ts';
import { API_PROOF_MISTAKES } from './proof.ts';
import { always, needsTime } from './request.ts';
import { formBody, FORM_TYPE, JSON_TYPE, type HttpRequest } from '../../../../oauth/fields.ts';
import { USERINFO_PATH, userinfoRequest } from '../../../../oauth/endpoint-requests.ts';

const bearer = (token: string): HttpRequest => userinfoRequest(token, 'header');
const held = ({ access_token }: Material): string => access_token ?? '';
const spoilt = (material: Material): HttpRequest => bearer(material.spoilt ?? '');

const authorized = (authorization: string | null): HttpRequest => ({
  method: 'GET',
  path: USERINFO_PATH,
  headers: { accept: JSON_TYPE, ...(authorization === null ? {} : { authorization }) },
});

/** One letter of the signature, or of an opaque token's end, in another's place. */
function garbled(token: string): string {
  const at = token.lastIndexOf('.') + 1;
  const letter = token.charAt(at);
  return `${token.slice(0, at)}${letter === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}

/** The same claims, signed by nobody (RFC 7515 appendix A.5). */
function unsigned(token: string): string {
  const claims = token.split('.')[1] ?? '';
  const header = new TextEncoder().encode(JSON.stringify({ alg: 'none', typ: 'at+jwt' }));
  return `${encodeBase64url(header)}.${claims}.`;
}

const needsJwt = (material: Material): string | null =>
  held(material).split('.').length === 3 ? null : 'The token is opaque: it has no signature';

const TOKEN_MISTAKES: readonly Mistake[] = [
  {
    id: 'expired',
    title: 'Expired token',
    sends: 'a token that lived one second',
    answer: always('bad_token'),
    section: 'behaviour 7.9, RFC 6750 3.1',
    prepare: 'token_expired',
    blocked: needsTime,
    build: spoilt,
  },
  {
    id: 'expired_by_hand',
    title: 'Token expired by hand',
    sends: 'a token ended with “Expire now”',
    answer: always('bad_token'),
    section: 'behaviour 2.11, RFC 6750 3.1',
    prepare: 'token_expired_by_hand',
    build: spoilt,
  },
  {
    id: 'revoked',
    title: 'Revoked token',
    sends: 'a token that was revoked just before',
    answer: always('bad_token'),
    section: 'behaviour 7.9, RFC 7009 2',
    prepare: 'token_revoked',
    build: spoilt,
  },
  {
    id: 'garbled',
    title: 'Altered token',
    sends: 'the token with one letter changed',
    answer: always('bad_token'),
    section: 'behaviour 7.9, RFC 7515 5.2',
    build: (material) => bearer(garbled(held(material))),
  },
  {
    id: 'unsigned',
    title: 'Unsigned token',
    sends: 'its claims with alg none',
    answer: always('bad_token'),
    section: 'behaviour 7.9, RFC 8725 3.2',
    blocked: needsJwt,
    build: (material) => bearer(unsigned(held(material))),
  },
  {
    id: 'other_epoch',
    title: 'Token from before a reset',
    sends: 'the token held when the sandbox was last reset',
    answer: always('bad_token'),
    section: 'behaviour 2.9',
    blocked: ({ former_token }) =>
      former_token === null ? 'Reset the sandbox first; the current token is kept for this' : null,
    build: ({ former_token }) => bearer(former_token ?? ''),
  },
  {
    id: 'refresh_token',
    title: 'Refresh token instead',
    sends: 'the refresh token as Bearer',
    answer: always('bad_token'),
    section: 'behaviour 7.9, RFC 6749 1.5',
    blocked: ({ refresh_token }) => (refresh_token === null ? 'There is no refresh token' : null),
    build: ({ refresh_token }) => bearer(refresh_token ?? ''),
  },
  {
    id: 'without_openid',
    title: 'Token without openid',
    sends: 'a token with no scope',
    answer: (profile) => (profile === 'strict' ? 'no_openid' : 'claims'),
    section: 'behaviour 7.10, OpenID Connect Core 5.3',
    prepare: 'token_without_openid',
    build: spoilt,
  },
];

const PLACE_MISTAKES: readonly Mistake[] = [
  {
    id: 'no_token',
    title: 'No token',
    sends: 'no Authorization header',
    answer: always('bad_token'),
    section: 'behaviour 7.9, RFC 6750 3',
    build: () => authorized(null),
  },
  {
    id: 'empty_bearer',
    title: 'Bearer without a token',
    sends: 'as when an app’s variable is not set',
    answer: always('bad_token'),
    section: 'behaviour 7.9, RFC 6750 2.1',
    build: () => authorized('Bearer'),
  },
  {
    id: 'other_scheme',
    title: 'Other scheme',
    sends: 'the token with the Basic scheme',
    answer: always('bad_token'),
    section: 'behaviour 7.9, RFC 6750 2.1',
    build: (material) => authorized(`Basic ${held(material)}`),
  },
  {
    id: 'in_query',
    title: 'Token in the query string',
    sends: 'access_token in the URL, where logs keep it',
    answer: (profile) => (profile === 'strict' ? 'malformed' : 'bad_token'),
    section: 'behaviour 7.9, RFC 6750 2.3',
    build: (material) => ({
      ...authorized(null),
      path: `${USERINFO_PATH}?${formBody([['access_token', held(material)]])}`,
    }),
  },
  {
    id: 'twice',
    title: 'Token in two places',
    sends: 'the token in the header and in a form',
    answer: always('malformed'),
    section: 'RFC 6750 2',
    build: (material) => ({
      ...userinfoRequest(held(material), 'body'),
      headers: { 'content-type': FORM_TYPE, authorization: `Bearer ${held(material)}` },
    }),
  },
  {
    id: 'put',
    title: 'PUT instead of GET',
    sends: 'the right token with the wrong method',
    answer: always('method'),
    section: 'behaviour 3.8',
    build: (material) => ({ ...bearer(held(material)), method: 'PUT' }),
  },
];

export const API_MISTAKES = [
  { name: 'Token', mistakes: TOKEN_MISTAKES },
  { name: 'How it is sent', mistakes: PLACE_MISTAKES },
  { name: 'DPoP proof', mistakes: API_PROOF_MISTAKES },
] as const;
