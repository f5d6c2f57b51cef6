// Mistakes in the DPoP proof of a request (RFC 9449); the rest of the request is correct. Only the interop profile
// reads the proofs of token requests.

import type { Members } from '../actions/action.ts';
import {
  type ExpectedResult,
  HASH_OF_NOTHING,
  type Mistake,
  type MistakeGroup,
} from './mistake.ts';

/** More than the maximum of the setting for the age of proofs. */
const TWO_HOURS = 7200;

interface WrongProof extends Pick<Mistake, 'id' | 'title' | 'sends' | 'section'> {
  readonly proof: Members;
  readonly expects: ExpectedResult;
}

/** The mistakes of proofs at all endpoints. */
const WRONG: readonly WrongProof[] = [
  {
    id: 'proof_other_uri',
    title: 'Proof for another URI',
    sends: 'a proof whose htu is another address',
    section: 'behaviour 10.3, RFC 9449 4.3',
    proof: { claims: { htu: 'https://api.example/orders' } },
    expects: 'dpop_htu_differs',
  },
  {
    id: 'proof_other_method',
    title: 'Proof for another method',
    sends: 'a proof whose htm is DELETE',
    section: 'behaviour 10.2, RFC 9449 4.3',
    proof: { claims: { htm: 'DELETE' } },
    expects: 'dpop_htm_differs',
  },
  {
    id: 'proof_stale',
    title: 'Stale proof',
    sends: 'a proof whose iat is two hours ago',
    section: 'behaviour 10.4, RFC 9449 11.1',
    proof: { age_seconds: TWO_HOURS },
    expects: 'dpop_old',
  },
  {
    id: 'proof_without_jti',
    title: 'Proof without jti',
    sends: 'a proof without an identifier',
    section: 'behaviour 10.2, RFC 9449 4.2',
    proof: { claims: { jti: null } },
    expects: 'dpop_claim_missing',
  },
  {
    id: 'proof_unsigned',
    title: 'Unsigned proof',
    sends: 'a proof with alg none',
    section: 'behaviour 10.2, RFC 9449 4.3',
    proof: { header: { alg: 'none' } },
    expects: 'dpop_alg_refused',
  },
  {
    id: 'proof_other_type',
    title: 'Proof of another type',
    sends: 'a proof with typ JWT',
    section: 'behaviour 10.2, RFC 9449 4.2',
    proof: { header: { typ: 'JWT' } },
    expects: 'dpop_typ_wrong',
  },
];

const REPLAYED = {
  id: 'proof_replayed',
  title: 'Replayed proof',
  sends: 'the proof of a request that was sent just before',
  section: 'behaviour 10.4, RFC 9449 11.1',
} as const;

const inInterop = (expects: ExpectedResult): Mistake['expects'] => ({
  interop: expects,
  otherwise: 'accepted',
});

const atToken: readonly Mistake[] = WRONG.map(({ proof, expects, ...words }) => ({
  ...words,
  change: { dpop: proof },
  expects: inInterop(expects),
}));

/** @param first a token request with the proof to send again, which is rejected so that it redeems nothing */
const replayedAfter = (first: Members): Mistake => ({
  ...REPLAYED,
  before: [{ token: { grant: 'authorization_code', dpop: true, ...first } }],
  change: { dpop: { replay: true } },
  expects: inInterop('dpop_replayed'),
});

const REJECTED_FIRST = replayedAfter({ fields: { code: 'a-code-never-issued' } });

const OTHER_KEY: Mistake = {
  id: 'proof_other_key',
  title: 'Proof of another key',
  sends: 'a proof that another key has signed',
  section: 'behaviour 10.6, RFC 9449 5',
  needs: ['interop', 'approval'],
  before: [{ authorize: { dpop: true } }],
  change: { dpop: { key: 'another key' } },
  expects: 'code_of_other_key',
};

const MISSING: Mistake = {
  id: 'proof_missing',
  title: 'No proof',
  sends: 'a bound code without a DPoP header',
  section: 'behaviour 10.6, RFC 9449 5',
  needs: ['interop', 'optional_proof', 'approval'],
  before: [{ authorize: { dpop: true } }],
  change: { dpop: null },
  expects: 'dpop_key_unproven',
};

const group = (mistakes: readonly Mistake[]): MistakeGroup => ({ name: 'DPoP proof', mistakes });

const NOT_SENT: Mistake = {
  id: 'proof_missing',
  title: 'No proof',
  sends: 'no DPoP header, although the client must bind its tokens',
  section: 'behaviour 10.6, RFC 9449 5',
  needs: ['required_proof'],
  change: { dpop: null },
  expects: 'dpop_required',
};

const BOUND_TO_OTHER_KEY: Mistake = {
  ...OTHER_KEY,
  needs: ['bound_refresh_token'],
  before: [
    { issue_code: { scope: 'openid', pkce: 'S256' } },
    { token: { grant: 'authorization_code', dpop: true } },
  ],
  expects: 'refresh_token_of_other_key',
};

/** For grants whose credential is not bound to a key: device codes, passwords, exchanged tokens. */
export const TOKEN_PROOFS = group([...atToken, REJECTED_FIRST, NOT_SENT]);
export const REFRESH_PROOFS = group([...TOKEN_PROOFS.mistakes, BOUND_TO_OTHER_KEY]);
export const CODE_PROOFS = group([...atToken, REJECTED_FIRST, OTHER_KEY, MISSING]);

/** For a grant that strict rejects before any other check. */
export const PASSWORD_PROOFS = group(
  TOKEN_PROOFS.mistakes.map((mistake) =>
    typeof mistake.expects === 'string'
      ? mistake
      : { ...mistake, expects: { ...mistake.expects, strict: 'grant_not_in_profile' } },
  ),
);

const BOUND = [
  { issue_code: { scope: 'openid' } },
  { token: { grant: 'authorization_code', dpop: true } },
] as const;
const PRESENTED = { headers: { Authorization: 'DPoP {{access_token}}' } } as const;

/** Returns a mistake in a call with a token that is bound to a key. */
const atApi = ({ change, ...mistake }: Mistake): Mistake => ({
  needs: ['interop'],
  before: BOUND,
  ...mistake,
  change: { ...PRESENTED, ...change },
});

/** For an API and a token that is bound to a key (RFC 9449 7). */
export const API_PROOFS = group([
  ...WRONG.map(({ proof, expects, ...words }) =>
    atApi({ ...words, change: { dpop: proof }, expects }),
  ),
  atApi({
    ...REPLAYED,
    change: { dpop: { replay: true } },
    before: [...BOUND, { request: { path: '/userinfo', ...PRESENTED, dpop: true } }],
    expects: 'dpop_replayed',
  }),
  atApi({
    id: 'proof_other_token',
    title: 'Proof for another token',
    sends: 'a proof whose ath is the hash of an empty text',
    section: 'behaviour 10.2, RFC 9449 4.3',
    change: { dpop: { claims: { ath: HASH_OF_NOTHING } } },
    expects: 'dpop_ath_differs',
  }),
  atApi({
    id: 'proof_without_ath',
    title: 'Proof without ath',
    sends: 'a proof for no access token',
    section: 'behaviour 10.2, RFC 9449 4.2',
    change: { dpop: { claims: { ath: null } } },
    expects: 'dpop_claim_missing',
  }),
  atApi({
    id: 'proof_other_key',
    title: 'Proof of another key',
    sends: 'a proof that another key has signed',
    section: 'behaviour 10.7, RFC 9449 7.1',
    change: { dpop: { key: 'another key' } },
    expects: 'access_token_of_other_key',
  }),
  atApi({
    id: 'proof_missing',
    title: 'No proof',
    sends: 'the token with the scheme DPoP, but no DPoP header',
    section: 'behaviour 10.7, RFC 9449 7.1',
    expects: 'dpop_missing',
  }),
  atApi({
    id: 'as_bearer',
    title: 'Bound token as Bearer',
    sends: 'the token as if it were not bound to a key',
    section: 'behaviour 10.7, RFC 9449 7.1',
    change: { headers: { Authorization: 'Bearer {{access_token}}' } },
    expects: 'access_token_bound',
  }),
]);
