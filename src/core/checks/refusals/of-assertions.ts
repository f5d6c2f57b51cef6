// Check 6 for a client that signs assertions (private_key_jwt: RFC 7523 3, OpenID Connect Core 9), checks 10 to 13 for
// an assertion that is the grant (RFC 7523 2.1), and the request object of an authorization request (RFC 9101). Their
// common refusals are defined once.

import { durationInWords } from '../../../words.ts';
import type { CheckId, ErrorCode, RefusalFacts } from './refusal.ts';
import { claim, compared, done, failing, SANDBOX_CLOCK } from './refusal.ts';

/** The parameter of an assertion, and the checks of its refusals. */
interface Place<Kind extends string> {
  readonly kind: Kind;
  /** The name of the parameter in texts. */
  readonly called: string;
  readonly noun: string;
  readonly section: string;
  readonly error: ErrorCode;
  readonly form: CheckId;
  readonly signer: CheckId;
  readonly claims: CheckId;
  readonly use: CheckId;
  readonly needed: string;
  /** The claims that must be the client_id. */
  readonly names: string;
}

/** Whether the expected algorithms are those of client_secret_jwt. */
const isBySecret = (expected = '') => expected.startsWith('HS');

const signing = ({ called, noun, section, error, signer, form, names }: Place<string>) => {
  const registered = `${called} must be signed by a key that the client registered`;
  return {
    ...failing(form, error, {
      malformed: {
        description: `${called} must be a signed JWT (${section})`,
        summary: `The ${noun} cannot be read as a signed JWT.`,
        advice: 'Send a compact JWS whose header has alg and no crit, and whose claims are JSON.',
      },
    }),
    ...failing(signer, error, {
      iss_differs: {
        description: `iss of the ${called} must be the client_id (${section})`,
        summary: `The iss of the ${noun} is not the client_id.`,
        ...compared('iss'),
        advice: `Set ${names} to the client_id.`,
      },
      alg_refused: {
        description: ({ expected }) =>
          `${called} must be signed with ${isBySecret(expected) ? 'HS256, HS384 or HS512' : 'RS, PS, ES or EdDSA'}`,
        summary: `The ${noun} is not signed, or is signed with an unsupported algorithm.`,
        detail: compared('alg').detail,
        advice: ({ expected }) =>
          isBySecret(expected)
            ? 'Sign it with the client_secret, or register the client for private_key_jwt.'
            : 'Sign it with the private key of a registered public key.',
      },
      keys_unavailable: {
        description: 'the keys of the client cannot be read from its jwks_uri',
        summary: 'The keys of the client could not be fetched from its jwks_uri.',
        detail: ({ got }) => got,
        advice: 'Start the app that serves the JWK Set, or register the keys as jwks.',
      },
      key_unknown: {
        description: registered,
        summary: ({ expected }) =>
          expected === 'none'
            ? 'The client has no registered keys.'
            : `The client has no registered key with the kid of the ${noun}.`,
        detail: (facts) =>
          `signed by key ${facts.got ?? '?'}, registered: ${facts.expected ?? 'none'}`,
        advice: 'Add the public key to the jwks of the client, or send its kid.',
      },
      key_unfit: {
        description: registered,
        summary: 'None of the registered keys of the client can be used with the algorithm.',
        detail: (facts) => `no registered key can be used with ${facts.got ?? 'it'}`,
        advice: 'Compare alg with kty, crv, alg and use of the registered keys.',
      },
      key_unreadable: {
        description: registered,
        summary: 'The registered key of the client is not a usable public key.',
        advice: 'Register the key again: RSA keys need at least 2048 bits, EC keys need x and y.',
      },
      signature_wrong: {
        description: `the signature of the ${called} is invalid`,
        summary: `The ${noun} was not signed with a registered key of the client, or was modified.`,
        advice: 'Check which private key the client signs with.',
      },
    }),
  };
};

const claiming = ({ called, noun, section, error, claims, needed, use }: Place<string>) => ({
  ...failing(claims, error, {
    claim_missing: {
      description: (facts) => `${claim(facts)} of the ${called} is required (${section})`,
      summary: (facts) => `The ${noun} has no ${claim(facts)}.`,
      advice: `Send an ${noun} with ${needed}.`,
    },
    claim_malformed: {
      description: (facts) => `${claim(facts)} of the ${called} has the wrong type (RFC 7519 4.1)`,
      summary: (facts) => `The claim ${claim(facts)} of the ${noun} has the wrong type.`,
      detail: (facts) => `${claim(facts)} must be ${facts.expected ?? 'a value of another type'}`,
    },
    aud_differs: {
      description: `aud of the ${called} must be the issuer or the token endpoint (${section})`,
      summary: `The ${noun} is intended for another server.`,
      ...compared('aud'),
      advice: 'Set aud to the issuer, exactly as in the metadata.',
    },
    expired: {
      description: `the ${called} has expired`,
      summary: `The ${noun} has expired.`,
      detail: (facts) => `expired ${durationInWords(facts.seconds ?? 0)} ago`,
      advice: `Create a new ${noun} for each request. ${SANDBOX_CLOCK}`,
    },
    too_long: {
      description: (facts) =>
        `exp of the ${called} must be at most ${facts.expected ?? '3600'} s in the future`,
      summary: `The lifetime of the ${noun} is longer than allowed.`,
      detail: ({ seconds = 0, expected }) =>
        `exp is ${durationInWords(seconds - Number(expected))} later than allowed`,
      advice: `Use a lifetime of one minute. ${SANDBOX_CLOCK}`,
    },
    too_early: {
      description: (facts) => `${claim(facts)} of the ${called} is in the future`,
      summary: (facts) => `The claim ${claim(facts)} of the ${noun} is in the future.`,
      detail: (facts) => `${claim(facts)} is ${durationInWords(facts.seconds ?? 0)} ahead`,
      advice: SANDBOX_CLOCK,
    },
  }),
  ...failing(use, error, {
    replayed: {
      description: `jti of the ${called} must be new: an ${noun} can be used only once`,
      summary: `The ${noun} was already used.`,
      detail: done('used'),
      advice: `Create a new ${noun} with a new jti for each request, including retries.`,
    },
  }),
});

const reasonsOf = <Kind extends string, Name extends string, Words>(
  kind: Kind,
  refusals: Readonly<Record<Name, Words>>,
) =>
  Object.fromEntries(
    Object.entries(refusals).map(([name, refusal]) => [`${kind}_${name}`, refusal]),
  ) as Record<`${Kind}_${Name}`, Words>;

/** Refusals of a signature with the client_secret. */
function bySecret<Kind extends string>({ kind, called, noun }: Place<Kind>, whenShort: string) {
  const refusals = {
    secret_wrong: {
      description: `the signature of the ${called} is not one with the client_secret`,
      summary: `The ${noun} was not signed with the secret of the client, or was modified.`,
      advice: 'Use the client_secret as it is, as UTF-8 text, as the key of the HMAC.',
    },
    secret_short: {
      description: `the client_secret is too short for the algorithm of the ${called} (RFC 7518 3.2)`,
      summary: `The secret of the client is too short for the algorithm of the ${noun}.`,
      detail: ({ bytes = 0, expected = '', got = 'it' }: RefusalFacts) =>
        `has ${bytes} bytes, ${got} needs ${expected}`,
      advice: whenShort,
    },
  };
  return reasonsOf(kind, refusals);
}

/** Returns the common refusals, with reasons that begin with the name of the parameter. */
const refusalsOf = <Kind extends string>(place: Place<Kind>) =>
  reasonsOf(place.kind, { ...signing(place), ...claiming(place) });

const CLIENT = {
  kind: 'client_assertion',
  called: 'client_assertion',
  noun: 'assertion',
  section: 'RFC 7523 3',
  error: 'invalid_client',
  form: 'authorization_header',
  signer: 'client_secret',
  claims: 'client_secret',
  use: 'client_secret',
  needed: 'iss, sub, aud, exp and jti',
  names: 'iss and sub',
} as const;

const { client_assertion_malformed, ...ofProof } = refusalsOf(CLIENT);

export const ASSERTION_REFUSALS = {
  ...failing('authorization_header', 'invalid_client', {
    client_assertion_not_allowed: {
      description:
        'client_id and client_secret must be sent in the body; client_assertion is not accepted here',
      summary:
        'The client authenticates with a signed assertion, which only the interop profile accepts.',
      advice: 'Send client_id and client_secret in the body.',
      accepted_by: 'interop',
    },
  }),
  ...failing('authorization_header', 'invalid_request', {
    client_assertion_incomplete: {
      description:
        'client_assertion and client_assertion_type must be sent together (RFC 7521 4.2)',
      summary: 'Only one of client_assertion and client_assertion_type was sent.',
      detail: (facts) => `only ${facts.got ?? 'one of them'} was sent`,
      advice: 'Send both, each with a value.',
    },
  }),
  ...failing('authorization_header', 'invalid_client', {
    client_assertion_type_unsupported: {
      description: 'client_assertion_type must be the jwt-bearer type of RFC 7523 2.2',
      summary: 'The client_assertion_type is not supported.',
      advice: (facts) => `Send client_assertion_type=${facts.expected ?? ''}.`,
    },
  }),
  client_assertion_malformed,
  ...failing('client_secret', 'invalid_client', {
    client_assertion_missing: {
      description: 'client_assertion is required for a client registered for private_key_jwt',
      summary: 'The client is registered for private_key_jwt, but no assertion was sent.',
      advice: 'Send client_assertion and client_assertion_type.',
    },
    client_assertion_unregistered: {
      description:
        'client_assertion must not be sent by a client that is not registered for private_key_jwt or client_secret_jwt',
      summary: 'An assertion was sent by a client that is not registered to sign assertions.',
      detail: (facts) => `registered for ${facts.expected ?? 'another method'}`,
      advice:
        'Register the client for private_key_jwt with its public keys, or for client_secret_jwt.',
    },
    ...bySecret(CLIENT, 'Sign with HS256, or register a longer client_secret.'),
    client_assertion_sub_differs: {
      description: 'sub of the client_assertion must be the client_id (RFC 7523 3)',
      summary: 'The sub of the assertion is not the client_id of the request.',
      ...compared('sub'),
      advice: 'Set sub and iss to the client_id.',
    },
  }),
  ...ofProof,
};

const GRANT = {
  kind: 'assertion',
  called: 'assertion',
  noun: 'assertion',
  section: 'RFC 7523 3',
  error: 'invalid_grant',
  form: 'credential_known',
  signer: 'credential_client',
  claims: 'credential_live',
  use: 'consume',
  needed: 'iss, sub, aud and exp',
  names: 'iss',
} as const;

const { assertion_replayed, ...ofJwt } = refusalsOf(GRANT);

export const ASSERTION_GRANT_REFUSALS = {
  ...ofJwt,
  ...failing('user', 'invalid_grant', {
    assertion_user_unknown: {
      description: 'sub of the assertion must be a user of this service (RFC 7523 3)',
      summary: 'The sub of the assertion is not the sub of a registered user.',
      detail: (facts) => `sub is ${facts.got ?? 'another'}`,
      advice: 'Set sub to the sub of a user, or add the user.',
    },
  }),
  assertion_replayed,
};

const REQUEST_OBJECT = {
  kind: 'request_object',
  called: 'request',
  noun: 'request object',
  section: 'RFC 9101 6',
  error: 'invalid_request_object',
  form: 'request_object',
  signer: 'request_object',
  claims: 'request_object',
  use: 'request_object',
  needed: 'client_id',
  names: 'iss and client_id',
} as const;

const {
  request_object_replayed: _reusable,
  request_object_too_long: _unlimited,
  ...ofObject
} = refusalsOf(REQUEST_OBJECT);

/** Request objects (RFC 9101): they may be used more than once, and need no jti. */
export const REQUEST_OBJECT_REFUSALS = {
  ...failing('request_object', 'invalid_request', {
    request_object_required: {
      description:
        'request is required: the client must send signed request objects (RFC 9101 10.5)',
      summary: 'The client must sign its requests, but sent plain parameters.',
      advice:
        'Send the parameters as the claims of a signed JWT in request, in the interop profile, or register the client without require_signed_request_object.',
    },
  }),
  ...ofObject,
  ...failing('request_object', 'invalid_request_object', {
    request_object_alg_refused: {
      description:
        'request must be signed with a supported algorithm, and the registered one if there is one (RFC 9101 10.2)',
      summary:
        'The request object is not signed, or not with the algorithm that the client registered.',
      detail: compared('alg').detail,
      advice:
        'Sign it with a registered key or the client_secret, or register its algorithm as request_object_signing_alg.',
    },
    request_object_aud_differs: {
      description: 'aud of the request must be the issuer (RFC 9101 4)',
      summary: 'The request object is intended for another server.',
      ...compared('aud'),
      advice: 'Set aud to the issuer, exactly as in the metadata.',
    },
    request_object_claim_missing: {
      description: (facts) => `${claim(facts)} of the request is required (RFC 9101 4)`,
      summary: (facts) => `The request object has no ${claim(facts)}.`,
      advice: 'Add the client_id to the claims: it must be the one beside the request object.',
    },
    request_object_client_differs: {
      description: 'client_id of the request must be the client_id beside it (RFC 9101 6.3)',
      summary: 'The request object is from another client.',
      ...compared('client_id'),
      advice: 'Send the same client_id in the request object and beside it.',
    },
    ...bySecret(
      REQUEST_OBJECT,
      'Sign with HS256, register a longer client_secret, or sign with a private key.',
    ),
    request_object_nested: {
      description: (facts) => `${claim(facts)} must not be in a request object (RFC 9101 4)`,
      summary: 'The request object contains another request object or refers to one.',
      advice: 'Remove request and request_uri from the claims.',
    },
  }),
};

/** Checks 10 of the JWT bearer grant where the assertion is an access token (behaviour 12.21). */
export const ON_BEHALF_OF_REFUSALS = {
  ...failing('credential_known', 'invalid_grant', {
    on_behalf_of_unknown: {
      description: 'the assertion is not an access token of this issuer',
      summary:
        'An on-behalf-of request has an assertion that is not an access token of this issuer.',
      detail: ({ got = 'it is another credential' }) => got,
      advice: 'Send the access token with which the API was called.',
    },
  }),
  ...failing('credential_client', 'invalid_grant', {
    on_behalf_of_audience: {
      description: 'the assertion was not issued for the client that presents it',
      summary: 'The access token in an on-behalf-of request was issued for another API.',
      detail: ({ got = 'another' }) => `its audience is ${got}`,
      advice: 'Have the calling app request a token for this API, and send that one.',
    },
  }),
  ...failing('credential_live', 'invalid_grant', {
    on_behalf_of_ended: {
      description: 'the assertion is no longer valid',
      summary: 'The access token in an on-behalf-of request has expired or was revoked.',
      detail: ({ got = 'it has ended' }) => got,
      advice: 'Answer the caller with 401, so that it gets a new token.',
    },
  }),
  ...failing('user', 'invalid_grant', {
    on_behalf_of_without_user: {
      description: 'the assertion must represent a user',
      summary: 'The access token in an on-behalf-of request represents no registered user.',
      detail: ({ got = 'a client' }) => `it represents ${got}`,
      advice: 'Use client_credentials for what the API does without a user.',
    },
  }),
};
