// Check 6, for a client that signs assertions (private_key_jwt: RFC 7523 3, OpenID Connect Core 9).

import type { CheckId, MoreOfRefusal, Refusal, RefusalFacts, Words } from './refusal.ts';
import { clockTime } from './refusal.ts';

const refused = (
  check: CheckId,
  description: Words,
  summary: Words,
  more: MoreOfRefusal = {},
): Refusal => ({
  check,
  error: 'invalid_client',
  description,
  summary,
  ...more,
});

const unproven = (description: Words, summary: Words, more?: MoreOfRefusal): Refusal =>
  refused('client_secret', description, summary, more);

const claim = (facts: RefusalFacts) => facts.field ?? 'a claim';

const named = (name: string) => (facts: RefusalFacts) =>
  `${name} is ${facts.got ?? 'missing'}, expected ${facts.expected ?? 'another'}`;

const compared = (name: string) => ({
  compared_with: 'expected' as const,
  detail: named(name),
});

const SANDBOX_CLOCK = "What counts is the sandbox clock: compare it with the client's.";

export const ASSERTION_REFUSALS = {
  client_assertion_not_allowed: refused(
    'authorization_header',
    'client_id and client_secret must be sent in the body; client_assertion is not accepted here',
    'The client authenticates with a signed assertion, which only the interop profile takes.',
    {
      advice:
        'Send client_id and client_secret in the body, or give the client the interop profile.',
    },
  ),
  client_assertion_incomplete: {
    check: 'authorization_header',
    error: 'invalid_request',
    description: 'client_assertion and client_assertion_type must be sent together (RFC 7521 4.2)',
    summary: 'Of client_assertion and client_assertion_type only one came.',
    detail: (facts) => `only ${facts.got ?? 'one of them'} came`,
    advice: 'Send both, neither of them empty.',
  },
  client_assertion_type_unsupported: refused(
    'authorization_header',
    'client_assertion_type must be the jwt-bearer type of RFC 7523 2.2',
    'The assertion is announced as another kind than a JWT.',
    { advice: (facts) => `Send client_assertion_type=${facts.expected ?? ''}.` },
  ),
  client_assertion_malformed: refused(
    'authorization_header',
    'client_assertion must be a signed JWT (RFC 7523 3)',
    'The assertion cannot be read as a signed JWT.',
    { advice: 'Send a compact JWS whose header has alg and no crit, and whose claims are JSON.' },
  ),

  client_assertion_missing: unproven(
    'client_assertion is required of a client registered for private_key_jwt',
    'The client is registered to sign assertions, and none came.',
    { advice: 'Send client_assertion and client_assertion_type.' },
  ),
  client_assertion_unregistered: unproven(
    'client_assertion must not be sent by a client that is not registered for private_key_jwt',
    'An assertion came from a client that is not registered to sign any.',
    {
      detail: (facts) => `registered for ${facts.expected ?? 'another method'}`,
      advice: 'Register the client for private_key_jwt with its public keys.',
    },
  ),
  client_assertion_sub_differs: unproven(
    'sub of the client_assertion must be the client_id (RFC 7523 3)',
    'The assertion is about another client than the one the request names.',
    { ...compared('sub'), advice: 'Put the client_id into sub, and into iss.' },
  ),
  client_assertion_iss_differs: unproven(
    'iss of the client_assertion must be the client_id (RFC 7523 3)',
    'The assertion was not issued by the client it is about.',
    { ...compared('iss'), advice: 'Put the client_id into iss, and into sub.' },
  ),
  client_assertion_alg_refused: unproven(
    'client_assertion must be signed with RS, PS, ES or EdDSA',
    'The assertion is not signed, or with an algorithm that is not taken.',
    { detail: named('alg'), advice: 'Sign with the private key of a registered public key.' },
  ),
  client_assertion_key_unknown: unproven(
    'client_assertion must be signed by a key that the client registered',
    'The assertion names a key that the client did not register.',
    {
      detail: (facts) =>
        `signed by key ${facts.got ?? '?'}, registered: ${facts.expected ?? 'none'}`,
      advice: 'Add the public key to the jwks of the client, or send its kid.',
    },
  ),
  client_assertion_key_unfit: unproven(
    'client_assertion must be signed by a key that the client registered',
    'None of the keys that the client registered is meant for the algorithm.',
    {
      detail: (facts) => `no registered key is for ${facts.got ?? 'it'}`,
      advice: 'Compare alg with kty, crv, alg and use of the registered keys.',
    },
  ),
  client_assertion_key_unreadable: unproven(
    'client_assertion must be signed by a key that the client registered',
    'The key that the client registered is not a usable public key.',
    { advice: 'Register it anew: RSA keys need 2048 bits, the others both coordinates.' },
  ),
  client_assertion_signature_wrong: unproven(
    'the signature of the client_assertion does not fit',
    'The assertion was not signed by a key that the client registered, or was changed.',
    { advice: 'Check which private key the client signs with.' },
  ),
  client_assertion_claim_missing: unproven(
    (facts) => `${claim(facts)} of the client_assertion is required (RFC 7523 3)`,
    (facts) => `The assertion has no ${claim(facts)}.`,
    { advice: 'An assertion has iss, sub, aud, exp and jti.' },
  ),
  client_assertion_claim_malformed: unproven(
    (facts) => `${claim(facts)} of the client_assertion is not of the right kind (RFC 7519 4.1)`,
    (facts) => `The claim ${claim(facts)} of the assertion is not of the right kind.`,
    { detail: (facts) => `${claim(facts)} must be ${facts.expected ?? 'another kind of value'}` },
  ),
  client_assertion_aud_differs: unproven(
    'aud of the client_assertion must be the issuer or the token endpoint (RFC 7523 3)',
    'The assertion is meant for another server.',
    { ...compared('aud'), advice: 'Put the issuer into aud, exactly as the metadata has it.' },
  ),
  client_assertion_expired: unproven(
    'the client_assertion has expired',
    'The assertion has expired.',
    {
      detail: (facts) => `expired ${facts.seconds ?? 0} s ago`,
      advice: `Make a new one for each request. ${SANDBOX_CLOCK}`,
    },
  ),
  client_assertion_too_long: unproven(
    (facts) => `exp of the client_assertion must be at most ${facts.expected ?? '3600'} s away`,
    'The assertion is good for longer than is taken.',
    {
      detail: (facts) => `exp is ${facts.seconds ?? '?'} s away`,
      advice: `Let it live for a minute. ${SANDBOX_CLOCK}`,
    },
  ),
  client_assertion_too_early: unproven(
    (facts) => `${claim(facts)} of the client_assertion lies in the future`,
    (facts) => `The claim ${claim(facts)} of the assertion lies in the future.`,
    {
      detail: (facts) => `${claim(facts)} is ${facts.seconds ?? '?'} s ahead`,
      advice: SANDBOX_CLOCK,
    },
  ),
  client_assertion_replayed: unproven(
    'jti of the client_assertion must be new: an assertion can be used once',
    'The assertion was used before.',
    {
      detail: (facts) => `used at ${clockTime(facts.at)} by exchange ${facts.exchange ?? '?'}`,
      advice: 'Make a new assertion with a new jti for each request, repeated ones too.',
    },
  ),
} satisfies Record<string, Refusal>;
