// Mistakes in assertions (RFC 7523 3): those that name a user, and those with which a client authenticates. The rest of
// the request is correct. Only the interop profile accepts client assertions.

import type { RefusalReason } from '../../core/checks/refusals/index.ts';
import type { Members } from '../actions/action.ts';
import type { ScenarioStep } from '../schema.ts';
import { type Mistake, type MistakeGroup, SIGNING_CLIENT } from './mistake.ts';

const SECTION = 'behaviour 7.20, RFC 7523 3';
const OF_CLIENT = 'behaviour 1.8, RFC 7523 3';

/** A refusal of assertions that client assertions have as `client_…`, too. */
type SharedReason = {
  [R in RefusalReason]: R extends `client_${infer Name extends RefusalReason}` ? Name : never;
}[RefusalReason];

interface WrongAssertion extends Pick<Mistake, 'id' | 'title' | 'sends'> {
  /** The deliberate mistakes of the JWT. */
  readonly order: Members;
  readonly expects: SharedReason;
  /** Whether the mistake needs a key, which a client that signs with its secret does not have. */
  readonly keyed?: true;
}

const WRONG: readonly WrongAssertion[] = [
  {
    id: 'expired',
    title: 'Expired assertion',
    sends: 'an assertion that expired 5 minutes ago',
    order: { age_seconds: 600 },
    expects: 'assertion_expired',
  },
  {
    id: 'future',
    title: 'Issued in the future',
    sends: 'iat ten minutes from now',
    order: { age_seconds: -600 },
    expects: 'assertion_too_early',
  },
  {
    id: 'long',
    title: 'Lifetime too long',
    sends: 'exp two hours from now',
    order: { lifetime_seconds: 7200 },
    expects: 'assertion_too_long',
  },
  {
    id: 'missing_exp',
    title: 'Missing exp',
    sends: 'an assertion that never expires',
    order: { claims: { exp: null } },
    expects: 'assertion_claim_missing',
  },
  {
    id: 'wrong_aud',
    title: 'Wrong audience',
    sends: 'aud of another server',
    order: { claims: { aud: 'https://other.example' } },
    expects: 'assertion_aud_differs',
  },
  {
    id: 'missing_aud',
    title: 'Missing aud',
    sends: 'an assertion without an audience',
    order: { claims: { aud: null } },
    expects: 'assertion_claim_missing',
  },
  {
    id: 'wrong_iss',
    title: 'Wrong issuer',
    sends: 'iss of another client',
    order: { claims: { iss: 'an-unregistered-client' } },
    expects: 'assertion_iss_differs',
  },
  {
    id: 'missing_sub',
    title: 'Missing sub',
    sends: 'an assertion without a subject',
    order: { claims: { sub: null } },
    expects: 'assertion_claim_missing',
  },
  {
    id: 'other_key',
    title: 'Signed with another key',
    sends: 'the kid of the registered key',
    order: { other_key: true },
    expects: 'assertion_signature_wrong',
    keyed: true,
  },
  {
    id: 'unknown_kid',
    title: 'Unknown kid',
    sends: 'a kid that the client has not registered',
    order: { header: { kid: 'an-unregistered-key' } },
    expects: 'assertion_key_unknown',
    keyed: true,
  },
  {
    id: 'alg_none',
    title: 'alg none',
    sends: 'an assertion without a signature',
    order: { header: { alg: 'none' } },
    expects: 'assertion_alg_refused',
  },
];

/** The mistakes of an assertion that names a user (RFC 7523 2.1). */
export const WRONG_ASSERTIONS: readonly Mistake[] = WRONG.map(({ order, keyed: _, ...words }) => ({
  ...words,
  section: SECTION,
  before: [{ sign_assertion: order }],
}));

const authenticating = ({ change, ...mistake }: Omit<Mistake, 'section'>): Mistake => ({
  section: OF_CLIENT,
  needs: ['client_assertion'],
  ...mistake,
  change: { client: SIGNING_CLIENT, ...change },
});

/** Authenticates the client, and is then rejected, so that it redeems nothing. */
const AUTHENTICATED: ScenarioStep = {
  token: {
    grant: 'authorization_code',
    client: SIGNING_CLIENT,
    fields: { code: 'a-code-never-issued' },
  },
};

/** The mistakes of an assertion with which the client authenticates (RFC 7523 2.2). */
export const CLIENT_ASSERTION: MistakeGroup = {
  name: 'Client assertion',
  mistakes: [
    ...WRONG.map(({ id, title, sends, order, expects, keyed }) =>
      authenticating({
        id: `client_${id}`,
        title,
        sends,
        change: { client_assertion: order },
        expects: `client_${expects}`,
        needs: [keyed === true ? 'client_assertion_key' : 'client_assertion'],
      }),
    ),
    authenticating({
      id: 'client_other_secret',
      title: 'Signed with another secret',
      sends: 'an assertion whose HMAC is of another secret',
      change: { client_assertion: { other_key: true } },
      expects: 'client_assertion_secret_wrong',
      needs: ['client_assertion_secret'],
    }),
    authenticating({
      id: 'client_wrong_sub',
      title: 'Wrong subject',
      sends: 'sub of a user',
      change: { client_assertion: { claims: { sub: 'a-user' } } },
      expects: 'client_assertion_sub_differs',
    }),
    authenticating({
      id: 'client_missing_jti',
      title: 'Missing jti',
      sends: 'an assertion without an identifier',
      change: { client_assertion: { claims: { jti: null } } },
      expects: 'client_assertion_claim_missing',
    }),
    authenticating({
      id: 'client_used_assertion',
      title: 'Used assertion',
      sends: 'an assertion that was accepted just before',
      change: {
        client_auth: 'none',
        fields: {
          client_assertion: '{{client_assertion}}',
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        },
      },
      expects: 'client_assertion_replayed',
      before: [AUTHENTICATED],
    }),
    authenticating({
      id: 'client_no_jwt',
      title: 'Not a JWT',
      sends: 'an assertion that is not a JWT',
      change: { fields: { client_assertion: 'not-a-jwt' } },
      expects: 'client_assertion_malformed',
    }),
    authenticating({
      id: 'client_missing_type',
      title: 'Missing client_assertion_type',
      sends: 'client_assertion alone',
      change: { fields: { client_assertion_type: null } },
      expects: 'client_assertion_incomplete',
    }),
    authenticating({
      id: 'client_other_type',
      title: 'SAML assertion type',
      sends: 'client_assertion_type of SAML 2.0',
      change: {
        fields: {
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer',
        },
      },
      expects: 'client_assertion_type_unsupported',
    }),
    authenticating({
      id: 'client_assertion_and_secret',
      title: 'Assertion and secret',
      sends: 'a client_secret beside the assertion',
      change: { fields: { client_secret: 'a-secret-as-well' } },
      expects: 'two_client_authentications',
    }),
    authenticating({
      id: 'client_missing_assertion',
      title: 'Missing assertion',
      sends: 'only the client_id of a client with private_key_jwt',
      change: { client_auth: 'none', fields: { client_id: '{{client.client_id}}' } },
      expects: 'client_assertion_missing',
      needs: ['client_assertion_key', 'client_assertion_only'],
    }),
    {
      id: 'client_unregistered_method',
      title: 'Assertion instead of secret',
      sends: 'an assertion of a client that is registered for its secret',
      section: 'behaviour 1.8, RFC 7591 2',
      needs: ['secret'],
      change: { client_auth: 'client_secret_jwt' },
      expects: {
        interop: 'client_assertion_unregistered',
        otherwise: 'client_assertion_not_allowed',
      },
    },
  ],
};
