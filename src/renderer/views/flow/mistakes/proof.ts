// The mistakes offered in the DPoP proof of a request (RFC 9449): each request is right but for its proof.

import { userinfoRequest } from '../../../../oauth/endpoint-requests.ts';
import type { AnswerKind } from './answers.ts';
import type { Material, Mistake } from './mistake.ts';
import { changed } from './request.ts';

/** More than any proof window that can be set. */
const TWO_HOURS = 7200;

/** What a proof can have wrong at every endpoint. */
const WRONG_PROOFS: readonly Pick<
  Mistake,
  'id' | 'title' | 'sends' | 'section' | 'proof' | 'prepare'
>[] = [
  {
    id: 'proof_replayed',
    title: 'Replayed proof',
    sends: 'the proof of a request that was sent just before',
    section: 'behaviour 10.4, RFC 9449 11.1',
    prepare: 'proof_used',
    proof: { replay: true },
  },
  {
    id: 'proof_other_uri',
    title: 'Proof for another URI',
    sends: 'a proof whose htu is another address',
    section: 'behaviour 10.3, RFC 9449 4.3',
    proof: { claims: { htu: 'https://api.example/orders' } },
  },
  {
    id: 'proof_other_method',
    title: 'Proof for another method',
    sends: 'a proof whose htm is DELETE',
    section: 'behaviour 10.2, RFC 9449 4.3',
    proof: { claims: { htm: 'DELETE' } },
  },
  {
    id: 'proof_stale',
    title: 'Stale proof',
    sends: 'a proof whose iat is two hours ago',
    section: 'behaviour 10.4, RFC 9449 11.1',
    proof: { age_seconds: TWO_HOURS },
  },
  {
    id: 'proof_without_jti',
    title: 'Proof without jti',
    sends: 'a proof that nothing tells from others',
    section: 'behaviour 10.2, RFC 9449 4.2',
    proof: { claims: { jti: null } },
  },
  {
    id: 'proof_unsigned',
    title: 'Unsigned proof',
    sends: 'a proof with alg none',
    section: 'behaviour 10.2, RFC 9449 4.3',
    proof: { header: { alg: 'none' } },
  },
  {
    id: 'proof_other_type',
    title: 'Proof of another type',
    sends: 'a proof with typ JWT',
    section: 'behaviour 10.2, RFC 9449 4.2',
    proof: { header: { typ: 'JWT' } },
  },
];

const OTHER_KEY = { key: 'another key' };

const needsSwitch = ({ dpop }: Material): string | null =>
  dpop.on ? null : 'Switch on “Bind tokens with DPoP” at the client';

/** Only the interop profile reads the proofs of token requests. */
const inInterop =
  (kind: AnswerKind): Mistake['answer'] =>
  (profile) =>
    profile === 'interop' ? kind : 'tokens';

const firstOf =
  (...reasons: readonly ((material: Material) => string | null)[]) =>
  (material: Material): string | null =>
    reasons.map((reason) => reason(material)).find((reason) => reason !== null) ?? null;

const sameRequest = changed((fields) => fields);

const WRONG_AT_TOKEN: readonly Mistake[] = WRONG_PROOFS.map((wrong) => ({
  ...wrong,
  build: sameRequest,
  blocked: needsSwitch,
  answer: inInterop('bad_proof'),
}));

/** @param unbound why no proof has to be sent with the credential, or null */
const missing = (unbound: (material: Material) => string | null): Mistake => ({
  id: 'proof_missing',
  title: 'No proof',
  sends: 'no DPoP header at all',
  section: 'behaviour 10.6, RFC 9449 5',
  blocked: firstOf(needsSwitch, (material) => (material.dpop.required ? null : unbound(material))),
  build: sameRequest,
  proof: 'none',
  answer: inInterop('bad_proof'),
});

/** @param refused the answer to a proof of another key than the one that the credential is bound to */
const otherKey = (
  refused: AnswerKind,
  unbound: (material: Material) => string | null,
): Mistake => ({
  id: 'proof_other_key',
  title: 'Proof of another key',
  sends: 'a proof that another key has signed',
  section: 'behaviour 10.6, RFC 9449 5',
  blocked: firstOf(needsSwitch, unbound),
  build: sameRequest,
  proof: OTHER_KEY,
  answer: inInterop(refused),
});

const isCodeBound = ({ dpop }: Material): string | null =>
  dpop.code_bound ? null : 'The code is not bound to a key: issue it at /authorize';

export const EXCHANGE_PROOF_MISTAKES: readonly Mistake[] = [
  ...WRONG_AT_TOKEN,
  otherKey('bad_code', isCodeBound),
  missing(isCodeBound),
];

const isRefreshTokenBound = ({ dpop }: Material): string | null =>
  dpop.public_client ? null : 'Only the refresh token of a public client is bound to a key';

export const REFRESH_PROOF_MISTAKES: readonly Mistake[] = [
  ...WRONG_AT_TOKEN,
  otherKey('bad_refresh_token', isRefreshTokenBound),
  missing(isRefreshTokenBound),
];

/** A device code, a password and a token that is exchanged are bound to no key. */
export const GRANT_PROOF_MISTAKES: readonly Mistake[] = [
  ...WRONG_AT_TOKEN,
  missing(() => 'This client need not send a proof'),
];

const needsBoundToken = ({ dpop }: Material): string | null =>
  dpop.token_bound ? null : 'The access token is not bound to a key';

const presented = ({ access_token }: Material) =>
  userinfoRequest(access_token ?? '', 'header', 'DPoP');

const atApi = {
  build: presented,
  blocked: needsBoundToken,
  answer: (): AnswerKind => 'bad_proof_at_api',
};

export const API_PROOF_MISTAKES: readonly Mistake[] = [
  ...WRONG_PROOFS.map((wrong) => ({ ...wrong, ...atApi })),
  {
    id: 'proof_other_token',
    title: 'Proof for another token',
    sends: 'a proof whose ath is the hash of an empty text',
    section: 'behaviour 10.2, RFC 9449 4.3',
    ...atApi,
    proof: { claims: { ath: '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU' } },
  },
  {
    id: 'proof_without_ath',
    title: 'Proof without ath',
    sends: 'a proof for no access token',
    section: 'behaviour 10.2, RFC 9449 4.2',
    ...atApi,
    proof: { claims: { ath: null } },
  },
  {
    id: 'proof_other_key',
    title: 'Proof of another key',
    sends: 'a proof that another key has signed',
    section: 'behaviour 10.7, RFC 9449 7.1',
    ...atApi,
    proof: OTHER_KEY,
    answer: () => 'bad_token',
  },
  {
    id: 'proof_missing',
    title: 'No proof',
    sends: 'the token with the scheme DPoP, but no DPoP header',
    section: 'behaviour 10.7, RFC 9449 7.1',
    ...atApi,
    proof: 'none',
  },
  {
    id: 'as_bearer',
    title: 'Bound token as Bearer',
    sends: 'the token as if it were not bound to a key',
    section: 'behaviour 10.7, RFC 9449 7.1',
    ...atApi,
    build: ({ access_token }) => userinfoRequest(access_token ?? '', 'header'),
    answer: () => 'bad_token',
  },
];
