// Mistakes in a call to a protected API, which accepts only tokens that are for it (behaviour 19).

import {
  API_AUDIENCE,
  API_PATH,
  API_SCOPE,
  HASH_OF_NOTHING,
  type Mistake,
  type MistakeGroup,
} from './mistake.ts';

const ISSUED = { issue_tokens: { audience: API_AUDIENCE, scope: API_SCOPE } };
const BEARER = { headers: { Authorization: 'Bearer {{access_token}}' } };
const BOUND_HEADERS = { headers: { Authorization: 'DPoP {{access_token}}' } };

const needs: Mistake['needs'] = ['protected_api'];

/** A GET request to the API; a mistake replaces the call to userinfo with it. */
const call = (members: object) => ({ request: { path: API_PATH, ...members } });

const BOUND = [
  { issue_code: { audience: API_AUDIENCE, scope: API_SCOPE } },
  { token: { grant: 'authorization_code', dpop: true } },
] as const;

export const API_MISTAKES: MistakeGroup = {
  name: 'Protected API',
  mistakes: [
    {
      id: 'api_other_audience',
      title: 'Token for another audience',
      sends: 'a token for the issuer, with which /userinfo could be called',
      section: 'behaviour 19.3, RFC 9068 4',
      needs,
      before: [{ issue_tokens: { audience: '{{issuer}}' } }],
      instead: call(BEARER),
      expects: 'access_token_of_other_audience',
    },
    {
      id: 'api_expired',
      title: 'Expired token for the API',
      sends: 'a token for the API that was expired over the control API',
      section: 'behaviour 19.3, RFC 6750 3.1',
      needs,
      before: [ISSUED, { expire: '{{access_token}}' }],
      instead: call(BEARER),
      expects: 'access_token_expired',
    },
    {
      id: 'api_missing_scope',
      title: 'Missing scope',
      sends: 'a token for the API without the scopes of its rule',
      section: 'behaviour 19.4, RFC 6750 3.1',
      needs,
      before: [{ issue_tokens: { audience: API_AUDIENCE } }],
      instead: call(BEARER),
      expects: 'api_scope_missing',
    },
    {
      id: 'api_in_query',
      title: 'Token for the API in the query string',
      sends: 'access_token in the URL, where logs keep it',
      section: 'behaviour 19.3, RFC 9700 4.3.2',
      needs,
      before: [ISSUED],
      instead: call({ query: { access_token: '{{access_token}}' } }),
      expects: 'access_token_in_query',
    },
    {
      id: 'api_no_token',
      title: 'API without a token',
      sends: 'no Authorization header; the challenge names the required scopes',
      section: 'behaviour 19.4, RFC 6750 3',
      needs,
      instead: call({}),
      expects: 'access_token_missing',
    },
    {
      id: 'api_proof_missing',
      title: 'API without a proof',
      sends: 'a bound token with the scheme DPoP, but no DPoP header',
      section: 'behaviour 19.3, RFC 9449 7.1',
      needs: ['protected_api', 'interop'],
      before: BOUND,
      instead: call(BOUND_HEADERS),
      expects: 'dpop_missing',
    },
    {
      id: 'api_proof_other_token',
      title: 'API with the proof for another token',
      sends: 'a proof whose ath is the hash of an empty text',
      section: 'behaviour 19.3, RFC 9449 4.3',
      needs: ['protected_api', 'interop'],
      before: BOUND,
      instead: call({ ...BOUND_HEADERS, dpop: { claims: { ath: HASH_OF_NOTHING } } }),
      expects: 'dpop_ath_differs',
    },
  ],
};
