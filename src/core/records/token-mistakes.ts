// The deliberate mistakes that a token can have, to test the validation of a resource server: what is wrong with the
// token, and the rule by which it is rejected.

/** The part that a mistake changes. Two mistakes that change the same part exclude each other. */
type TokenPart =
  | `payload.${'exp' | 'nbf' | 'iat' | 'iss' | 'aud' | 'tampered'}`
  | `header.${'typ' | 'kid' | 'alg' | 'crit' | 'jwk'}`
  | 'key'
  | 'signature';

export const MISTAKE_GROUPS = [
  'Times',
  'Issuer and audience',
  'Header',
  'Key',
  'Signature',
] as const;

interface Mistake {
  readonly group: (typeof MISTAKE_GROUPS)[number];
  readonly title: string;
  /** What is wrong with the token. */
  readonly text: string;
  /** What a resource server must do with the token, and the section that says so. */
  readonly rule: string;
  /** Whether no rule requires that it is rejected. */
  readonly optional?: true;
  readonly sets: readonly TokenPart[];
}

const MISTAKES = {
  expired: {
    group: 'Times',
    title: 'Expired',
    text: 'exp is an hour ago.',
    rule: 'A token is accepted only before its exp (RFC 7519 4.1.4).',
    sets: ['payload.exp'],
  },
  not_yet_valid: {
    group: 'Times',
    title: 'Not valid yet',
    text: 'nbf is in an hour.',
    rule: 'A token is not accepted before its nbf (RFC 7519 4.1.5).',
    sets: ['payload.nbf'],
  },
  issued_in_future: {
    group: 'Times',
    title: 'Issued in the future',
    text: 'iat is in an hour.',
    rule: 'iat is the time of issue (RFC 7519 4.1.6). A resource server that limits the age of tokens rejects it; others may accept it.',
    optional: true,
    sets: ['payload.iat'],
  },
  no_exp: {
    group: 'Times',
    title: 'No exp',
    text: 'exp is missing: the token would be valid forever.',
    rule: 'An access token must have exp (RFC 9068 2.2).',
    sets: ['payload.exp'],
  },
  exp_text: {
    group: 'Times',
    title: 'exp is a string',
    text: 'exp has the right time, but as a string.',
    rule: 'exp must be a number (RFC 7519 4.1.4).',
    sets: ['payload.exp'],
  },
  wrong_issuer: {
    group: 'Issuer and audience',
    title: 'Wrong issuer',
    text: 'iss is https://wrong-issuer.invalid.',
    rule: 'iss must be exactly the issuer identifier of the authorization server (RFC 9068 4).',
    sets: ['payload.iss'],
  },
  wrong_audience: {
    group: 'Issuer and audience',
    title: 'Wrong audience',
    text: 'aud is https://wrong-audience.invalid.',
    rule: 'aud must name the resource server itself (RFC 9068 4).',
    sets: ['payload.aud'],
  },
  no_audience: {
    group: 'Issuer and audience',
    title: 'No audience',
    text: 'aud is missing: the token would be for everyone.',
    rule: 'An access token must have aud (RFC 9068 2.2), and it must name the resource server itself.',
    sets: ['payload.aud'],
  },
  wrong_typ: {
    group: 'Header',
    title: 'Wrong typ',
    text: 'typ is that of a different kind of token.',
    rule: 'typ must be at+jwt, or an ID token could pass for an access token (RFC 9068 4).',
    sets: ['header.typ'],
  },
  no_typ: {
    group: 'Header',
    title: 'No typ',
    text: 'typ is missing.',
    rule: 'typ must be at+jwt, or an ID token could pass for an access token (RFC 9068 4).',
    sets: ['header.typ'],
  },
  unknown_kid: {
    group: 'Header',
    title: 'Unknown kid',
    text: 'kid names a key that is not in the JWK Set.',
    rule: 'The key must be a key of the issuer (RFC 8725 3.8).',
    sets: ['header.kid'],
  },
  no_kid: {
    group: 'Header',
    title: 'No kid',
    text: 'kid is missing.',
    rule: 'kid is optional (RFC 7515 4.1.4): a resource server may try the keys of the JWK Set, or reject the token.',
    optional: true,
    sets: ['header.kid'],
  },
  unknown_critical: {
    group: 'Header',
    title: 'Unknown critical member',
    text: 'crit lists a header member that does not exist.',
    rule: 'A token with a critical member that the recipient does not understand is invalid (RFC 7515 4.1.11).',
    sets: ['header.crit'],
  },
  unpublished_key: {
    group: 'Key',
    title: 'Another key, same kid',
    text: 'It is signed with a new key that is not in the JWK Set, but has the kid of a key that is.',
    rule: 'The signature must verify with the key of the issuer (RFC 7515 5.2).',
    sets: ['key'],
  },
  key_in_header: {
    group: 'Key',
    title: 'Key in the header',
    text: 'It is signed with a new key, whose public part is in the header as jwk.',
    rule: 'A key in the token itself is not a key of the issuer (RFC 8725 3.8).',
    sets: ['key', 'header.jwk'],
  },
  retired_key: {
    group: 'Key',
    title: 'Retired key',
    text: 'It is signed with the key that was retired last.',
    rule: 'The key must be a key of the issuer (RFC 8725 3.8). A resource server with an older copy of the JWK Set accepts the token until it fetches the JWK Set again.',
    sets: ['key', 'header.kid'],
  },
  alg_none: {
    group: 'Key',
    title: 'alg: none',
    text: 'alg is none, and the signature is empty.',
    rule: 'A token without a signature must be rejected (RFC 9068 4, RFC 8725 3.2).',
    sets: ['header.alg', 'key', 'signature'],
  },
  hs256_public_key: {
    group: 'Key',
    title: 'HS256 with the public key',
    text: 'alg is HS256, and the secret is the published key as PEM, ending with a line break.',
    rule: 'Only the algorithms that the key is meant for may be accepted (RFC 8725 3.1).',
    sets: ['header.alg', 'key'],
  },
  signature_altered: {
    group: 'Signature',
    title: 'Signature altered',
    text: 'One bit of the signature is flipped.',
    rule: 'The signature must verify (RFC 7515 5.2).',
    sets: ['signature'],
  },
  signature_truncated: {
    group: 'Signature',
    title: 'Signature truncated',
    text: 'The second half of the signature is missing.',
    rule: 'The signature must verify (RFC 7515 5.2).',
    sets: ['signature'],
  },
  payload_altered: {
    group: 'Signature',
    title: 'Payload altered',
    text: 'A claim was added after the token was signed: "tampered": true.',
    rule: 'The signature must verify for this payload (RFC 7515 5.2).',
    sets: ['signature', 'payload.tampered'],
  },
} as const satisfies Record<string, Mistake>;

export type TokenMistake = keyof typeof MISTAKES;

export const TOKEN_MISTAKES: Readonly<Record<TokenMistake, Mistake>> = MISTAKES;

export const TOKEN_MISTAKE_NAMES = Object.keys(MISTAKES) as readonly TokenMistake[] as readonly [
  TokenMistake,
  ...TokenMistake[],
];

/** Returns a mistake and an earlier one that change the same part; null if all can be combined. */
export function conflictOf(
  mistakes: readonly TokenMistake[],
): readonly [TokenMistake, TokenMistake] | null {
  const setBy = new Map<TokenPart, TokenMistake>();
  for (const mistake of mistakes) {
    for (const part of TOKEN_MISTAKES[mistake].sets) {
      const other = setBy.get(part);
      if (other !== undefined) return [other, mistake];
      setBy.set(part, mistake);
    }
  }
  return null;
}
