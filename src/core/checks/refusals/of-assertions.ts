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

const SANDBOX_CLOCK =
  'Times are compared with the sandbox clock: check the clock of the client against it.';

export const ASSERTION_REFUSALS = {
  client_assertion_not_allowed: refused(
    'authorization_header',
    'client_id and client_secret must be sent in the body; client_assertion is not accepted here',
    'The client authenticates with a signed assertion, which only the interop profile accepts.',
    {
      advice:
        'Send client_id and client_secret in the body, or set the profile of the client to interop.',
    },
  ),
  client_assertion_incomplete: {
    check: 'authorization_header',
    error: 'invalid_request',
    description: 'client_assertion and client_assertion_type must be sent together (RFC 7521 4.2)',
    summary: 'Only one of client_assertion and client_assertion_type was sent.',
    detail: (facts) => `only ${facts.got ?? 'one of them'} was sent`,
    advice: 'Send both, each with a value.',
  },
  client_assertion_type_unsupported: refused(
    'authorization_header',
    'client_assertion_type must be the jwt-bearer type of RFC 7523 2.2',
    'The client_assertion_type is not supported.',
    { advice: (facts) => `Send client_assertion_type=${facts.expected ?? ''}.` },
  ),
  client_assertion_malformed: refused(
    'authorization_header',
    'client_assertion must be a signed JWT (RFC 7523 3)',
    'The assertion cannot be read as a signed JWT.',
    { advice: 'Send a compact JWS whose header has alg and no crit, and whose claims are JSON.' },
  ),

  client_assertion_missing: unproven(
    'client_assertion is required for a client registered for private_key_jwt',
    'The client is registered for private_key_jwt, but no assertion was sent.',
    { advice: 'Send client_assertion and client_assertion_type.' },
  ),
  client_assertion_unregistered: unproven(
    'client_assertion must not be sent by a client that is not registered for private_key_jwt',
    'An assertion was sent by a client that is not registered for private_key_jwt.',
    {
      detail: (facts) => `registered for ${facts.expected ?? 'another method'}`,
      advice: 'Register the client for private_key_jwt with its public keys.',
    },
  ),
  client_assertion_sub_differs: unproven(
    'sub of the client_assertion must be the client_id (RFC 7523 3)',
    'The sub of the assertion is not the client_id of the request.',
    { ...compared('sub'), advice: 'Set sub and iss to the client_id.' },
  ),
  client_assertion_iss_differs: unproven(
    'iss of the client_assertion must be the client_id (RFC 7523 3)',
    'The iss of the assertion is not the client_id.',
    { ...compared('iss'), advice: 'Set iss and sub to the client_id.' },
  ),
  client_assertion_alg_refused: unproven(
    'client_assertion must be signed with RS, PS, ES or EdDSA',
    'The assertion is not signed, or is signed with an unsupported algorithm.',
    { detail: named('alg'), advice: 'Sign it with the private key of a registered public key.' },
  ),
  client_assertion_key_unknown: unproven(
    'client_assertion must be signed by a key that the client registered',
    'The kid of the assertion is not that of a registered key of the client.',
    {
      detail: (facts) =>
        `signed by key ${facts.got ?? '?'}, registered: ${facts.expected ?? 'none'}`,
      advice: 'Add the public key to the jwks of the client, or send its kid.',
    },
  ),
  client_assertion_key_unfit: unproven(
    'client_assertion must be signed by a key that the client registered',
    'None of the registered keys of the client can be used with the algorithm.',
    {
      detail: (facts) => `no registered key can be used with ${facts.got ?? 'it'}`,
      advice: 'Compare alg with kty, crv, alg and use of the registered keys.',
    },
  ),
  client_assertion_key_unreadable: unproven(
    'client_assertion must be signed by a key that the client registered',
    'The registered key of the client is not a usable public key.',
    { advice: 'Register the key again: RSA keys need at least 2048 bits, EC keys need x and y.' },
  ),
  client_assertion_signature_wrong: unproven(
    'the signature of the client_assertion is invalid',
    'The assertion was not signed with a registered key of the client, or was modified.',
    { advice: 'Check which private key the client signs with.' },
  ),
  client_assertion_claim_missing: unproven(
    (facts) => `${claim(facts)} of the client_assertion is required (RFC 7523 3)`,
    (facts) => `The assertion has no ${claim(facts)}.`,
    { advice: 'Send an assertion with iss, sub, aud, exp and jti.' },
  ),
  client_assertion_claim_malformed: unproven(
    (facts) => `${claim(facts)} of the client_assertion has the wrong type (RFC 7519 4.1)`,
    (facts) => `The claim ${claim(facts)} of the assertion has the wrong type.`,
    { detail: (facts) => `${claim(facts)} must be ${facts.expected ?? 'a value of another type'}` },
  ),
  client_assertion_aud_differs: unproven(
    'aud of the client_assertion must be the issuer or the token endpoint (RFC 7523 3)',
    'The assertion is intended for another server.',
    { ...compared('aud'), advice: 'Set aud to the issuer, exactly as in the metadata.' },
  ),
  client_assertion_expired: unproven(
    'the client_assertion has expired',
    'The assertion has expired.',
    {
      detail: (facts) => `expired ${facts.seconds ?? 0} s ago`,
      advice: `Create a new assertion for each request. ${SANDBOX_CLOCK}`,
    },
  ),
  client_assertion_too_long: unproven(
    (facts) =>
      `exp of the client_assertion must be at most ${facts.expected ?? '3600'} s in the future`,
    'The lifetime of the assertion is longer than allowed.',
    {
      detail: (facts) => `exp is ${facts.seconds ?? '?'} s in the future`,
      advice: `Use a lifetime of one minute. ${SANDBOX_CLOCK}`,
    },
  ),
  client_assertion_too_early: unproven(
    (facts) => `${claim(facts)} of the client_assertion is in the future`,
    (facts) => `The claim ${claim(facts)} of the assertion is in the future.`,
    {
      detail: (facts) => `${claim(facts)} is ${facts.seconds ?? '?'} s ahead`,
      advice: SANDBOX_CLOCK,
    },
  ),
  client_assertion_replayed: unproven(
    'jti of the client_assertion must be new: an assertion can be used only once',
    'The assertion was already used.',
    {
      detail: (facts) => `used at ${clockTime(facts.at)} by exchange ${facts.exchange ?? '?'}`,
      advice: 'Create a new assertion with a new jti for each request, including retries.',
    },
  ),
} satisfies Record<string, Refusal>;
