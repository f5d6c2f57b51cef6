// Refusals of DPoP proofs (RFC 9449), and of credentials that are bound to a different key.

import { durationInWords } from '../../../words.ts';
import { type RefusalFacts, claim, compared, done, failing, SANDBOX_CLOCK } from './refusal.ts';

const keys = {
  detail: ({ got, expected }: RefusalFacts) =>
    `signed with the key ${got ?? '?'}, bound to the key ${expected ?? '?'}`,
};

export const DPOP_REFUSALS = {
  ...failing('dpop_proof', 'invalid_request', {
    dpop_not_supported: {
      description: 'the client requires DPoP, which the profile does not support',
      summary:
        'The client has dpop_bound_access_tokens, but only the interop profile supports DPoP.',
      advice:
        'Set the profile of the client to interop, or switch dpop_bound_access_tokens off for it.',
    },
  }),
  ...failing('dpop_proof', 'invalid_dpop_proof', {
    dpop_required: {
      description: 'a DPoP proof is required for this client (RFC 9449 5.2)',
      summary: 'The client has dpop_bound_access_tokens, but the request has no DPoP header.',
      advice: 'Send a DPoP proof in the DPoP header of every token request.',
    },
    dpop_missing: {
      description: 'a DPoP proof is required with the scheme DPoP (RFC 9449 7.1)',
      summary:
        'The access token was sent with the scheme DPoP, but the request has no DPoP header.',
      advice: 'Send a DPoP proof with ath in the DPoP header of every request.',
    },
    dpop_repeated: {
      description: 'there must be one DPoP header with one proof (RFC 9449 4.3)',
      summary: 'The request has more than one DPoP proof.',
      advice: 'Send one DPoP header. A proxy may have added another one.',
    },
    dpop_too_long: {
      description: (facts) =>
        `the DPoP proof must be at most ${facts.expected ?? '8192'} characters`,
      summary: 'The DPoP proof is longer than any key requires.',
      advice: 'Send only typ, alg and the public jwk in the header, and the claims of RFC 9449.',
    },
    dpop_malformed: {
      description: 'the DPoP proof must be a signed JWT (RFC 9449 4.2)',
      summary: 'The DPoP proof cannot be read as a signed JWT.',
      advice: 'Send a compact JWS whose header has no crit, and whose claims are JSON.',
    },
    dpop_typ_wrong: {
      description: 'typ of the DPoP proof must be dpop+jwt (RFC 9449 4.2)',
      summary: 'The typ of the proof is not dpop+jwt.',
      ...compared('typ'),
      advice: 'Set typ to dpop+jwt in the header of the proof.',
    },
    dpop_alg_refused: {
      description: 'alg of the DPoP proof must be an asymmetric signature algorithm (RFC 9449 4.2)',
      summary: 'The proof is not signed, or is signed with an unsupported algorithm.',
      detail: ({ got, expected }) => `alg is ${got ?? 'missing'}, supported: ${expected ?? ''}`,
      advice: 'Sign it with a private key, for example with ES256.',
    },
    dpop_jwk_missing: {
      description:
        'the header of the DPoP proof must have a jwk with the public key (RFC 9449 4.2)',
      summary: 'The header of the proof has no jwk.',
      advice: 'Put the public key into the header as jwk.',
    },
    dpop_jwk_private: {
      description: 'jwk of the DPoP proof must not contain a private key (RFC 9449 4.2)',
      summary: 'The jwk of the proof contains members of a private or secret key.',
      detail: (facts) => `jwk has ${facts.got ?? 'private members'}`,
      advice: 'The key is no longer secret: create a new one, and send only its public members.',
    },
    dpop_claim_missing: {
      description: (facts) => `${claim(facts)} of the DPoP proof is required (RFC 9449 4.2)`,
      summary: (facts) => `The proof has no ${claim(facts)}.`,
      advice: 'Send jti, htm, htu and iat; with an access token also ath.',
    },
    dpop_claim_malformed: {
      description: (facts) => `${claim(facts)} of the DPoP proof has the wrong type (RFC 9449 4.2)`,
      summary: (facts) => `The claim ${claim(facts)} of the proof has the wrong type.`,
      detail: (facts) => `${claim(facts)} must be ${facts.expected ?? 'a value of another type'}`,
    },
  }),
  ...failing('dpop_signature', 'invalid_dpop_proof', {
    dpop_key_unfit: {
      description: 'jwk of the DPoP proof must be a key for its alg (RFC 9449 4.3)',
      summary: 'The jwk of the proof cannot be used with its algorithm.',
      detail: (facts) => `it is not a key for ${facts.got ?? 'the algorithm'}`,
      advice: 'Compare alg with kty, crv, alg and use of the jwk.',
    },
    dpop_key_unreadable: {
      description: 'jwk of the DPoP proof must be a usable public key (RFC 9449 4.3)',
      summary: 'The jwk of the proof is not a usable public key.',
      advice: 'RSA keys need n and e with at least 2048 bits, EC keys need crv, x and y.',
    },
    dpop_signature_wrong: {
      description: 'the signature of the DPoP proof is invalid (RFC 9449 4.3)',
      summary: 'The proof was not signed with the key in its header, or was modified.',
      advice: 'Sign with the private key whose public key is in the header.',
    },
  }),
  ...failing('dpop_target', 'invalid_dpop_proof', {
    dpop_htm_differs: {
      description: 'htm of the DPoP proof must be the method of the request (RFC 9449 4.3)',
      summary: 'The proof was created for another method.',
      ...compared('htm'),
      advice: 'Create a new proof for each request.',
    },
    dpop_htu_differs: {
      description: 'htu of the DPoP proof must be the URI of the request (RFC 9449 4.3)',
      summary: 'The proof was created for another URI.',
      ...compared('htu'),
      advice: 'Set htu to the URI of the request, without query and fragment.',
    },
  }),
  ...failing('dpop_nonce', 'use_dpop_nonce', {
    dpop_nonce_missing: {
      description: 'a nonce is required in the DPoP proof: use the one in DPoP-Nonce (RFC 9449 8)',
      summary: 'The settings require a nonce, but the proof has none.',
      advice: 'Send the request again, with the value of DPoP-Nonce as nonce of a new proof.',
    },
    dpop_nonce_unknown: {
      description:
        'the nonce of the DPoP proof is not valid: use the one in DPoP-Nonce (RFC 9449 8)',
      summary:
        'The nonce of the proof was not supplied by this service since its last start or reset.',
      advice: 'Use the value of DPoP-Nonce in the latest response of this service.',
    },
    dpop_nonce_expired: {
      description:
        'the nonce of the DPoP proof has expired: use the one in DPoP-Nonce (RFC 9449 8)',
      summary: 'The nonce of the proof is too old, or the clock was set back.',
      detail: ({ seconds = 0, expected }) =>
        seconds < 0
          ? `issued ${durationInWords(-seconds)} in the future`
          : `issued ${durationInWords(seconds)} ago, valid for ${durationInWords(Number(expected))}`,
      advice: 'Use the value of DPoP-Nonce in the latest response of this service.',
    },
  }),
  ...failing('dpop_time', 'invalid_dpop_proof', {
    dpop_old: {
      description: (facts) =>
        `iat of the DPoP proof must be at most ${facts.expected ?? '60'} s ago`,
      summary: 'The proof is too old.',
      detail: (facts) => `iat is ${durationInWords(facts.seconds ?? 0)} ago`,
      advice: `Create a new proof for each request. ${SANDBOX_CLOCK}`,
    },
    dpop_ahead: {
      description: (facts) =>
        `iat of the DPoP proof must be at most ${facts.expected ?? '60'} s in the future`,
      summary: 'The iat of the proof is in the future.',
      detail: (facts) => `iat is ${durationInWords(facts.seconds ?? 0)} ahead`,
      advice: SANDBOX_CLOCK,
    },
  }),
  ...failing('dpop_unused', 'invalid_dpop_proof', {
    dpop_replayed: {
      description:
        'jti of the DPoP proof must be new: a proof can be used only once (RFC 9449 11.1)',
      summary: 'The proof was already used.',
      detail: done('used'),
      advice: 'Create a new proof with a new jti for each request, including retries.',
    },
  }),
  ...failing('dpop_token', 'invalid_dpop_proof', {
    dpop_ath_differs: {
      description: 'ath of the DPoP proof must be the hash of the access token (RFC 9449 4.2)',
      summary: 'The proof was created for another access token.',
      ...compared('ath'),
      advice: 'Set ath to the base64url-encoded SHA-256 hash of the access token.',
    },
  }),

  ...failing('dpop_key', 'invalid_dpop_proof', {
    dpop_key_unproven: {
      description: (facts) =>
        `a DPoP proof is required: the ${claim(facts)} is bound to a key (RFC 9449 5)`,
      summary: (facts) => `The ${claim(facts)} is bound to a key, but no DPoP proof was validated.`,
      advice: 'Send a proof with the same key as before. This requires the interop profile.',
    },
  }),
  ...failing('dpop_key', 'invalid_grant', {
    code_of_other_key: {
      description: 'the code is bound to another key than that of the DPoP proof (RFC 9449 10)',
      summary: 'The proof is signed with a different key than the one in dpop_jkt.',
      ...keys,
      advice: 'Sign with the key whose thumbprint was sent as dpop_jkt.',
    },
    refresh_token_of_other_key: {
      description:
        'the refresh token is bound to another key than that of the DPoP proof (RFC 9449 5)',
      summary:
        'The proof is signed with a different key than the one that the refresh token is bound to.',
      ...keys,
      advice:
        'Keep the key as long as the refresh token: a public client has no other way to authenticate.',
    },
  }),
  ...failing('dpop_key', 'invalid_token', {
    access_token_bound: {
      description:
        'the access token is bound to a key: send it with the scheme DPoP and a proof (RFC 9449 7.1)',
      summary: 'The access token is bound to a key, but was sent as a bearer token.',
      detail: (facts) => `bound to the key ${facts.expected ?? '?'}`,
      advice: 'Send Authorization: DPoP with the token, and a DPoP header with a proof.',
    },
    access_token_not_bound: {
      description: 'the access token is not bound to a key: send it as Bearer (RFC 9449 7.1)',
      summary: 'The access token was sent with the scheme DPoP, but is a bearer token.',
      advice: 'Send a DPoP proof with the token request, or use the scheme Bearer.',
    },
    access_token_of_other_key: {
      description:
        'the access token is bound to another key than that of the DPoP proof (RFC 9449 7.1)',
      summary:
        'The proof is signed with a different key than the one that the access token is bound to.',
      ...keys,
      advice: 'Sign with the key that the token was requested with.',
    },
  }),
  ...failing('dpop_key', 'invalid_request', {
    dpop_jkt_malformed: {
      description: 'dpop_jkt must be the SHA-256 thumbprint of a key, in base64url (RFC 9449 10)',
      summary: 'The dpop_jkt is not the thumbprint of a key.',
      advice: 'Send the RFC 7638 thumbprint: 43 characters of base64url without padding.',
    },
    dpop_jkt_differs: {
      description: 'dpop_jkt must be the thumbprint of the key of the DPoP proof (RFC 9449 10.1)',
      summary: 'The key in dpop_jkt is not the key of the DPoP proof.',
      compared_with: 'expected',
      detail: ({ got, expected }) =>
        `signed with the key ${got ?? '?'}, dpop_jkt is ${expected ?? '?'}`,
      advice: 'Omit dpop_jkt: a push with a DPoP proof binds the code to its key.',
    },
  }),
};
