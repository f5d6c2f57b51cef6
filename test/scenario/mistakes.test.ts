// Every deliberate mistake gets the response that it declares and that the table below lists. The table uses nothing
// of core: compare it with behaviour 3, and do not generate it from the responses of the service.

import { describe, expect, onTestFinished, test } from 'vitest';
import { MISTAKE_GRANTS } from '../../src/cli/commands/mistakes.ts';
import type { ControlClient } from '../../src/control/client.ts';
import type { Dialect, Profile } from '../../src/control/schemas.ts';
import { CLIENT_GRANTS, PROFILES, PROVIDERS } from '../../src/control/names.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { takeGivenWorkspace } from '../../src/engine/workspace/given.ts';
import { createProofKey } from '../../src/oauth/dpop.ts';
import { expectedAnswer } from '../../src/scenario/mistakes/mistake.ts';
import { mistakesAt, PLACES } from '../../src/scenario/mistakes/index.ts';
import {
  makeMistake,
  type MistakeResult,
  obstacleTo,
  stepsOf,
  type Requester,
} from '../../src/scenario/mistakes/run-mistakes.ts';
import type { ScenarioSandbox } from '../../src/scenario/runner/sandbox.ts';
import { apiForMistakes } from '../../src/scenario/protected-apis.ts';
import { createRun } from '../../src/scenario/runner/create-run.ts';
import { MissingValueError } from '../../src/scenario/actions/variables.ts';
import { sendOverControl } from '../../src/scenario/runner/over-control.ts';

/** Of a client that authenticates with an assertion, at each step that has these mistakes. */
const ASSERTION = `  client_expired: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_future: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_long: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_missing_exp: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_wrong_aud: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_missing_aud: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_wrong_iss: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_missing_sub: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_other_key: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_unknown_kid: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_alg_none: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_other_secret: skipped
  client_wrong_sub: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_missing_jti: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_used_assertion: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_no_jwt: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_missing_type: skipped | interop 400 invalid_request
  client_other_type: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_assertion_and_secret: skipped | interop 400 invalid_request
  client_missing_assertion: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_unregistered_method: 401 invalid_client | auth0 401 access_denied`;

/**
 * Status and error code in the documented profile and the dialect rfc6749, then where another profile or the dialect
 * auth0 differs. `skipped`: the profile has no such thing.
 */
const ON_THE_WIRE = `
code
  unregistered_redirect: 400 invalid_request
  redirect_fragment: 400 invalid_request
  unknown_client: 400 invalid_client
  repeated_client: 400 invalid_request
  implicit: 302 unsupported_response_type
  no_nonce: skipped | interop 302 invalid_request
  id_token_in_query: skipped | interop 302 invalid_request
  missing_response_type: 302 invalid_request
  challenge_method: 302 invalid_request
  malformed_claims: 302 invalid_request
  unmet_acr: 302 unmet_authentication_requirements
  unknown_audience: 302 invalid_target
  unknown_scope: 302 invalid_scope | interop 200
  silent: 302 login_required
  deny: 303 access_denied
  login_required: 303 login_required
  server_error: 303 server_error
  temporarily_unavailable: 303 temporarily_unavailable
  form_twice: 400 invalid_request
  other_browser: 400 invalid_request
  unknown_request_uri: 400 invalid_request_uri
  pushed_request_uri: 400 invalid_request
  pushed_redirect: 400 invalid_request
  request_other_key: 302 request_not_supported | interop 302 invalid_request_object
  request_unsigned: 302 request_not_supported | interop 302 invalid_request_object
  request_expired: 302 request_not_supported | interop 302 invalid_request_object
  request_other_aud: 302 request_not_supported | interop 302 invalid_request_object
  request_other_client: 302 request_not_supported | interop 302 invalid_request_object
  request_nested: 302 request_not_supported | interop 302 invalid_request_object
  request_no_jwt: 302 request_not_supported | interop 302 invalid_request_object
exchange
  wrong_secret: 401 invalid_client | auth0 401 access_denied
  missing_secret: 401 invalid_client | auth0 401 access_denied
  unknown_client: 401 invalid_client | auth0 401 access_denied
  missing_client_id: 400 invalid_request
  secret_in_header: 401 invalid_client | interop 200 | auth0 401 access_denied
  secret_in_query: 200 | strict 400 invalid_request
  redirect_slash: 400 invalid_grant | auth0 403 unauthorized_client
  redirect_case: 400 invalid_grant | auth0 403 unauthorized_client
  used_code: 400 invalid_grant | auth0 403 invalid_grant
  expired_code: 400 invalid_grant | auth0 403 invalid_grant
  unknown_code: 400 invalid_grant | auth0 403 invalid_grant
  empty_code: 400 invalid_request
  other_client: 400 invalid_grant | auth0 403 invalid_grant
  wrong_verifier: 400 invalid_grant | auth0 403 invalid_grant
  missing_verifier: 400 invalid_grant | auth0 403 invalid_grant
  other_audience: 400 invalid_target
  missing_audience: 400 invalid_request | interop 200
  wrong_grant_type: 400 unsupported_grant_type
  form_body: 200 | strict 400 invalid_request
  repeated_field: 400 invalid_request
  broken_json: 400 invalid_request
  json_array: 400 invalid_request
  number_value: 400 invalid_request
  text_plain: 400 invalid_request
  other_charset: 400 invalid_request
  empty_body: 400 invalid_request
  get: 405 method_not_allowed
${ASSERTION}
  proof_other_uri: 200 | interop 400 invalid_dpop_proof
  proof_other_method: 200 | interop 400 invalid_dpop_proof
  proof_stale: 200 | interop 400 invalid_dpop_proof
  proof_without_jti: 200 | interop 400 invalid_dpop_proof
  proof_unsigned: 200 | interop 400 invalid_dpop_proof
  proof_other_type: 200 | interop 400 invalid_dpop_proof
  proof_replayed: 200 | interop 400 invalid_dpop_proof
  proof_other_key: skipped | interop 400 invalid_grant | auth0 interop 403 invalid_grant
  proof_missing: skipped | interop 400 invalid_dpop_proof
refresh
  wrong_secret: 401 invalid_client | auth0 401 access_denied
  missing_secret: 401 invalid_client | auth0 401 access_denied
  unknown_client: 401 invalid_client | auth0 401 access_denied
  missing_client_id: 400 invalid_request
  secret_in_header: 401 invalid_client | interop 200 | auth0 401 access_denied
  secret_in_query: 200 | strict 400 invalid_request
  unknown_token: 400 invalid_grant | auth0 403 invalid_grant
  access_token: 400 invalid_grant | auth0 403 invalid_grant
  revoked_token: 400 invalid_grant | auth0 403 invalid_grant
  expired_token: 400 invalid_grant | auth0 403 invalid_grant
  missing_token: 400 invalid_request
  empty_token: 400 invalid_request
  other_client: 400 invalid_grant | auth0 403 invalid_grant
  wide_scope: 400 invalid_scope | interop 200
  wrong_grant_type: 400 unsupported_grant_type
  json_body: 200 | strict 400 invalid_request
  repeated_field: 400 invalid_request
  bad_escape: 400 invalid_request
  text_plain: 400 invalid_request
  other_charset: 400 invalid_request
  empty_body: 400 invalid_request
  get: 405 method_not_allowed
  proof_other_uri: 200 | interop 400 invalid_dpop_proof
  proof_other_method: 200 | interop 400 invalid_dpop_proof
  proof_stale: 200 | interop 400 invalid_dpop_proof
  proof_without_jti: 200 | interop 400 invalid_dpop_proof
  proof_unsigned: 200 | interop 400 invalid_dpop_proof
  proof_other_type: 200 | interop 400 invalid_dpop_proof
  proof_replayed: 200 | interop 400 invalid_dpop_proof
  proof_missing: skipped
  proof_other_key: skipped
password
  wrong_secret: 401 invalid_client | auth0 401 access_denied
  missing_secret: 401 invalid_client | auth0 401 access_denied
  unknown_client: 401 invalid_client | auth0 401 access_denied
  missing_client_id: 400 invalid_request
  secret_in_header: 401 invalid_client | interop 200 | auth0 401 access_denied
  secret_in_query: 200 | strict 400 invalid_request
  unknown_user: 400 invalid_grant | strict 400 unauthorized_client | auth0 403 invalid_grant | auth0 strict 403 unauthorized_client
  wrong_password: 400 invalid_grant | strict 400 unauthorized_client | auth0 403 invalid_grant | auth0 strict 403 unauthorized_client
  missing_username: 400 invalid_request | strict 400 unauthorized_client | auth0 strict 403 unauthorized_client
  missing_password: 400 invalid_request | strict 400 unauthorized_client | auth0 strict 403 unauthorized_client
  unknown_audience: 400 invalid_target | strict 400 unauthorized_client | auth0 strict 403 unauthorized_client
  json_body: 200 | strict 400 invalid_request
  repeated_field: 400 invalid_request
  text_plain: 400 invalid_request
  other_charset: 400 invalid_request
  empty_body: 400 invalid_request
  get: 405 method_not_allowed
  proof_other_uri: 200 | strict 400 unauthorized_client | interop 400 invalid_dpop_proof | auth0 strict 403 unauthorized_client
  proof_other_method: 200 | strict 400 unauthorized_client | interop 400 invalid_dpop_proof | auth0 strict 403 unauthorized_client
  proof_stale: 200 | strict 400 unauthorized_client | interop 400 invalid_dpop_proof | auth0 strict 403 unauthorized_client
  proof_without_jti: 200 | strict 400 unauthorized_client | interop 400 invalid_dpop_proof | auth0 strict 403 unauthorized_client
  proof_unsigned: 200 | strict 400 unauthorized_client | interop 400 invalid_dpop_proof | auth0 strict 403 unauthorized_client
  proof_other_type: 200 | strict 400 unauthorized_client | interop 400 invalid_dpop_proof | auth0 strict 403 unauthorized_client
  proof_replayed: 200 | strict 400 unauthorized_client | interop 400 invalid_dpop_proof | auth0 strict 403 unauthorized_client
  proof_missing: skipped
client_credentials
  wrong_secret: 401 invalid_client | auth0 401 access_denied
  missing_secret: 401 invalid_client | auth0 401 access_denied
  unknown_client: 401 invalid_client | auth0 401 access_denied
  missing_client_id: 400 invalid_request
  secret_in_header: 401 invalid_client | interop 200 | auth0 401 access_denied
  secret_in_query: 200 | strict 400 invalid_request
  unknown_audience: 400 invalid_target
  unknown_scope: 400 invalid_scope | interop 200
  json_body: 200 | strict 400 invalid_request
  text_plain: 400 invalid_request
  other_charset: 400 invalid_request
  empty_body: 400 invalid_request
  get: 405 method_not_allowed
${ASSERTION}
  proof_other_uri: 200 | interop 400 invalid_dpop_proof
  proof_other_method: 200 | interop 400 invalid_dpop_proof
  proof_stale: 200 | interop 400 invalid_dpop_proof
  proof_without_jti: 200 | interop 400 invalid_dpop_proof
  proof_unsigned: 200 | interop 400 invalid_dpop_proof
  proof_other_type: 200 | interop 400 invalid_dpop_proof
  proof_replayed: 200 | interop 400 invalid_dpop_proof
  proof_missing: skipped
device
  wrong_secret: 401 invalid_client | auth0 401 access_denied
  missing_secret: 401 invalid_client | auth0 401 access_denied
  unknown_client: 401 invalid_client | auth0 401 access_denied
  missing_client_id: 400 invalid_request
  secret_in_header: 401 invalid_client | interop 200 | auth0 401 access_denied
  secret_in_query: 200 | strict 400 invalid_request
  unknown_audience: 400 invalid_target
  unknown_scope: 400 invalid_scope | interop 200
  malformed_scope: 400 invalid_scope
  get: 405 method_not_allowed
decide
  mistyped: 400 invalid_request
  empty: 400 invalid_request
  expired: 400 invalid_request
  decided: 400 invalid_request
poll
  wrong_secret: 401 invalid_client | auth0 401 access_denied
  missing_secret: 401 invalid_client | auth0 401 access_denied
  unknown_client: 401 invalid_client | auth0 401 access_denied
  missing_client_id: 400 invalid_request
  secret_in_header: 401 invalid_client | interop 200 | auth0 401 access_denied
  secret_in_query: 200 | strict 400 invalid_request
  before_decision: 400 authorization_pending | auth0 403 authorization_pending
  too_fast: 400 slow_down | auth0 429 slow_down
  denied: 400 access_denied | auth0 403 access_denied
  expired: 400 expired_token | auth0 403 expired_token
  twice: 400 invalid_grant | auth0 403 invalid_grant
  other_client: 400 invalid_grant | auth0 403 invalid_grant
  user_code: 400 invalid_grant | auth0 403 invalid_grant
  unknown: 400 invalid_grant | auth0 403 invalid_grant
  missing: 400 invalid_request
  json_body: 200 | strict 400 invalid_request
  text_plain: 400 invalid_request
  other_charset: 400 invalid_request
  empty_body: 400 invalid_request
  get: 405 method_not_allowed
  proof_other_uri: 200 | interop 400 invalid_dpop_proof
  proof_other_method: 200 | interop 400 invalid_dpop_proof
  proof_stale: 200 | interop 400 invalid_dpop_proof
  proof_without_jti: 200 | interop 400 invalid_dpop_proof
  proof_unsigned: 200 | interop 400 invalid_dpop_proof
  proof_other_type: 200 | interop 400 invalid_dpop_proof
  proof_replayed: 200 | interop 400 invalid_dpop_proof
  proof_missing: skipped
swap
  wrong_secret: 401 invalid_client | auth0 401 access_denied
  missing_secret: 401 invalid_client | auth0 401 access_denied
  unknown_client: 401 invalid_client | auth0 401 access_denied
  missing_client_id: 400 invalid_request
  secret_in_header: 401 invalid_client | interop 200 | auth0 401 access_denied
  secret_in_query: 200 | strict 400 invalid_request
  unknown_token: 400 invalid_request
  expired_token: 400 invalid_request
  revoked_token: 400 invalid_request
  missing_token: 400 invalid_request
  missing_type: 400 invalid_request
  other_type: 400 invalid_request
  unknown_type: 400 invalid_request
  actor_type_alone: 400 invalid_request
  unknown_actor: 400 invalid_request
  refresh_token_wanted: 400 invalid_request
  unknown_audience: 400 invalid_target
  unknown_scope: 400 invalid_scope | interop 200
  json_body: 200 | strict 400 invalid_request
  text_plain: 400 invalid_request
  other_charset: 400 invalid_request
  empty_body: 400 invalid_request
  get: 405 method_not_allowed
  proof_other_uri: 200 | interop 400 invalid_dpop_proof
  proof_other_method: 200 | interop 400 invalid_dpop_proof
  proof_stale: 200 | interop 400 invalid_dpop_proof
  proof_without_jti: 200 | interop 400 invalid_dpop_proof
  proof_unsigned: 200 | interop 400 invalid_dpop_proof
  proof_other_type: 200 | interop 400 invalid_dpop_proof
  proof_replayed: 200 | interop 400 invalid_dpop_proof
  proof_missing: skipped
bearer
  wrong_secret: 401 invalid_client | auth0 401 access_denied
  missing_secret: 401 invalid_client | auth0 401 access_denied
  unknown_client: 401 invalid_client | auth0 401 access_denied
  missing_client_id: 400 invalid_request
  secret_in_header: 401 invalid_client | interop 200 | auth0 401 access_denied
  secret_in_query: 200 | strict 400 invalid_request
  expired: 400 invalid_grant
  future: 400 invalid_grant
  long: 400 invalid_grant
  missing_exp: 400 invalid_grant
  wrong_aud: 400 invalid_grant
  missing_aud: 400 invalid_grant
  wrong_iss: 400 invalid_grant
  unknown_sub: 400 invalid_grant
  missing_sub: 400 invalid_grant
  other_key: 400 invalid_grant
  unknown_kid: 400 invalid_grant
  alg_none: 400 invalid_grant
  used_assertion: 400 invalid_grant
  no_jwt: 400 invalid_grant
  missing_assertion: 400 invalid_request
  unknown_audience: 400 invalid_target
  unknown_scope: 400 invalid_scope | interop 200
  json_body: 200 | strict 400 invalid_request
  text_plain: 400 invalid_request
  other_charset: 400 invalid_request
  empty_body: 400 invalid_request
  get: 405 method_not_allowed
  proof_other_uri: 200 | interop 400 invalid_dpop_proof
  proof_other_method: 200 | interop 400 invalid_dpop_proof
  proof_stale: 200 | interop 400 invalid_dpop_proof
  proof_without_jti: 200 | interop 400 invalid_dpop_proof
  proof_unsigned: 200 | interop 400 invalid_dpop_proof
  proof_other_type: 200 | interop 400 invalid_dpop_proof
  proof_replayed: 200 | interop 400 invalid_dpop_proof
  proof_missing: skipped
api
  expired: 401 invalid_token
  revoked: 401 invalid_token
  garbled: 401 invalid_token
  unsigned: 401 invalid_token
  other_epoch: 401 invalid_token
  refresh_token: 401 invalid_token
  without_openid: 200 | strict 403 insufficient_scope
  no_token: 401 invalid_token
  empty_bearer: 401 invalid_token
  other_scheme: 401 invalid_token
  in_query: 401 invalid_token | strict 400 invalid_request
  twice: 400 invalid_request
  put: 405 method_not_allowed
  proof_other_uri: skipped | interop 401 invalid_dpop_proof
  proof_other_method: skipped | interop 401 invalid_dpop_proof
  proof_stale: skipped | interop 401 invalid_dpop_proof
  proof_without_jti: skipped | interop 401 invalid_dpop_proof
  proof_unsigned: skipped | interop 401 invalid_dpop_proof
  proof_other_type: skipped | interop 401 invalid_dpop_proof
  proof_replayed: skipped | interop 401 invalid_dpop_proof
  proof_other_token: skipped | interop 401 invalid_dpop_proof
  proof_without_ath: skipped | interop 401 invalid_dpop_proof
  proof_other_key: skipped | interop 401 invalid_token
  proof_missing: skipped | interop 401 invalid_dpop_proof
  as_bearer: skipped | interop 401 invalid_token
  api_other_audience: 401 invalid_token
  api_expired: 401 invalid_token
  api_missing_scope: 403 insufficient_scope
  api_in_query: 400 invalid_request
  api_no_token: 401 invalid_token
  api_proof_missing: skipped | interop 401 invalid_dpop_proof
  api_proof_other_token: skipped | interop 401 invalid_dpop_proof
registration
  no_token: 401 invalid_token
  wrong_token: 401 invalid_token
  other_client: 401 invalid_token
  deleted: 401 invalid_token
  other_client_id: 400 invalid_client_metadata
  other_secret: 400 invalid_client_metadata
  returned_members: 400 invalid_client_metadata
  redirect_fragment: 400 invalid_redirect_uri
  form: 400 invalid_request
  post: 405 method_not_allowed
`;

interface Wire {
  readonly usual: string;
  readonly others: ReadonlyMap<string, string>;
}

function readTable(): ReadonlyMap<string, Wire> {
  const found = new Map<string, Wire>();
  let place = '';
  for (const line of ON_THE_WIRE.trim().split('\n')) {
    const [, id, answers = ''] = /^ {2}(\w+): (.*)$/.exec(line) ?? [];
    if (id === undefined) {
      place = line;
      continue;
    }
    const [usual = '', ...rest] = answers.split(' | ');
    const others = rest.map((part) => {
      const [, when = '', answer = ''] =
        /^((?:auth0 )?(?:strict|interop)|auth0) (.*)$/.exec(part) ?? [];
      return [when, answer] as const;
    });
    found.set(`${place} ${id}`, { usual, others: new Map(others) });
  }
  return found;
}

const TABLE = readTable();
const NOT_LISTED: Wire = { usual: 'not in the table', others: new Map() };

function wireOf(name: string, profile: Profile, dialect: Dialect): string {
  const { usual, others } = TABLE.get(name) ?? NOT_LISTED;
  const ofDialect = dialect === 'auth0' ? others.get(`auth0 ${profile}`) : undefined;
  const ofProfile = others.get(profile);
  const plain = dialect === 'auth0' ? others.get('auth0') : undefined;
  return ofDialect ?? ofProfile ?? plain ?? usual;
}

const SENDS_SECRET = { client_secret: 'another', token_endpoint_auth_method: 'client_secret_post' };
const SIGNS_WITH_KEY = { client_secret: null, token_endpoint_auth_method: 'private_key_jwt' };

interface Sandbox {
  readonly control: ControlClient;
  readonly issuer: string;
  readonly key: Awaited<ReturnType<typeof createProofKey>> & { readonly kid: string };
}

/** Three clients that may use every grant, the last of which signs assertions, and a user with a password. */
async function openSandbox(
  settings: Readonly<Record<string, unknown>>,
  client: Readonly<Record<string, unknown>> = {},
  signing: Readonly<Record<string, unknown>> = SIGNS_WITH_KEY,
): Promise<Sandbox> {
  const created = await createProofKey();
  const key = { ...created, kid: 'k1' };
  const each = {
    client_secret: 'secret',
    redirect_uris: ['http://localhost:3000/callback'],
    grant_types: [...CLIENT_GRANTS],
    jwks: { keys: [{ ...created.public_jwk, kty: 'EC', kid: 'k1', alg: key.alg }] },
    ...client,
  };
  const members = {
    clients: [
      ...['app', 'other'].map((client_id) => ({ ...each, client_id })),
      { ...each, ...signing, client_id: 'signing' },
    ],
    users: [{ sub: 'ada', password: 'pw' }],
    audiences: [{ uri: 'https://orders.example/api', scopes: ['orders:read'] }],
    settings: { throttle: { mode: 'off' }, registration: { mode: 'open' }, ...settings },
  };
  const base = await takeGivenWorkspace({ members, signing_alg: 'ES256' }, 'test');
  const engine = await createEngine({ port: 0, version: 'test', base });
  onTestFinished(() => engine.close());
  const { issuer } = await engine.start();
  return { control: await engine.getControl(), issuer, key };
}

async function offenderIn(
  { control, issuer }: Sandbox,
  change: Partial<Requester> = {},
): Promise<Requester> {
  const { clients, users, apis = [], settings } = await control.workspace.get();
  const [client, other_client = null, signing_client] = clients;
  if (client === undefined) throw new Error('There is no client.');
  const [user] = users;
  return {
    client,
    user: user === undefined ? null : { sub: user.sub, has_password: user.password !== null },
    proves: client.dpop_bound_access_tokens,
    pushes: settings.require_pushed_authorization_requests,
    other_client,
    signing_client: signing_client ?? null,
    other_audience: 'https://orders.example/api',
    profile: settings.profile,
    settings,
    former_token: null,
    api: apiForMistakes(apis, issuer),
    ...change,
  };
}

async function runIn({ control, issuer, key }: Sandbox, more: Partial<ScenarioSandbox> = {}) {
  const { clients, users } = await control.workspace.get();
  return createRun({
    control,
    issuer,
    clients,
    users,
    send: sendOverControl(control, 'scenario'),
    assertionKey: () => Promise.resolve(key),
    close: () => Promise.resolve(),
    ...more,
  });
}

describe.each(PROFILES)('in the %s profile', (profile) => {
  test.each(['rfc6749', 'auth0'] as const)(
    'behaviour 3.10: each mistake is answered with its refusal, in the dialect %s',
    async (dialect) => {
      const sandbox = await openSandbox({ profile, dialect });
      const { access_token } = await sandbox.control.tokens.mint({
        client_id: 'app',
        scope: 'openid',
      });
      await sandbox.control.reset({});
      const requester = await offenderIn(sandbox, { former_token: access_token });
      const run = await runIn(sandbox);
      const { items: refusals } = await sandbox.control.refusals.list();
      const expected: Record<string, unknown> = {};
      const actual: Record<string, unknown> = {};
      const foretold: Record<string, unknown> = {};
      for (const place of PLACES) {
        for (const mistake of mistakesAt(place)) {
          const name = `${place.id} ${mistake.id}`;
          const result = await makeMistake(place, mistake, requester, run);
          const { status = 0, error = null } = result.actual ?? {};
          const wire = error === null ? String(status) : `${status} ${error}`;
          expected[name] = { wire: wireOf(name, profile, dialect), failed: false };
          actual[name] = {
            wire: result.skipped === null ? wire : 'skipped',
            failed: !result.passed && result.skipped === null,
          };
          if (result.skipped === null && result.expected !== 'accepted') {
            foretold[name] = expectedAnswer(place, mistake, profile, refusals);
          }
        }
      }
      expect(actual).toEqual(expected);
      const answers = Object.keys(foretold).map((name) => [name, wireOf(name, profile, dialect)]);
      expect(foretold).toEqual(Object.fromEntries(answers));
    },
  );
});

describe.each(['auto', 'deny'] as const)('with authorize: %s', (authorize) => {
  test.each(PROFILES)(
    'in the %s profile each mistake gets the expected response or says why it cannot be made',
    async (profile) => {
      const sandbox = await openSandbox({ profile, authorize });
      const requester = await offenderIn(sandbox);
      const run = await runIn(sandbox);
      const wrong: Record<string, unknown> = {};
      const skipped: Record<string, string | null> = {};
      const obstacles: Record<string, string | null> = {};
      for (const place of PLACES) {
        for (const mistake of mistakesAt(place)) {
          const name = `${place.id} ${mistake.id}`;
          const result = await makeMistake(place, mistake, requester, run);
          if (!result.passed && result.skipped === null) wrong[name] = result.actual;
          skipped[name] = result.skipped;
          obstacles[name] = obstacleTo(place, mistake, requester);
        }
      }
      expect(wrong).toEqual({});
      expect(skipped).toEqual(obstacles);
      expect(skipped).toMatchObject({ 'poll wrong_secret': null, 'exchange used_code': null });
    },
  );
});

test.each(PROVIDERS)(
  'behaviour 17.4: under the shape of %s each mistake has the status and error in the list of refusals',
  async (provider) => {
    const sandbox = await openSandbox({ profile: 'interop' });
    await sandbox.control.shape.set({ provider });
    const { issuer, endpoints } = await sandbox.control.server.get();
    const requester = await offenderIn(sandbox);
    const run = await runIn(sandbox, { issuer, endpoints });
    const { items: refusals } = await sandbox.control.refusals.list();
    const expected: Record<string, unknown> = {};
    const actual: Record<string, unknown> = {};
    for (const place of PLACES) {
      for (const mistake of mistakesAt(place)) {
        const result = await makeMistake(place, mistake, requester, run);
        if (result.actual === null || result.expected === 'accepted') continue;
        const { status, error } = result.actual;
        const name = `${place.id} ${mistake.id}`;
        expected[name] = expectedAnswer(place, mistake, requester.profile, refusals);
        actual[name] = `${status} ${String(error)}`;
      }
    }
    expect(actual).toEqual(expected);
  },
);

test('behaviour 7.12, 7.18: each mistake is made below the path of the issuer, and pushed where that is required', async () => {
  const sandbox = await openSandbox({
    profile: 'interop',
    issuer: 'https://login.example/tenant',
    require_pushed_authorization_requests: true,
  });
  const requester = await offenderIn(sandbox);
  const run = await runIn(sandbox);
  const wrong: Record<string, unknown> = {};
  for (const place of PLACES) {
    for (const mistake of mistakesAt(place)) {
      const { passed, skipped, actual } = await makeMistake(place, mistake, requester, run);
      if (!passed && skipped === null) wrong[`${place.id} ${mistake.id}`] = actual;
    }
  }
  expect(wrong).toEqual({});
});

test('the command line offers every grant with mistakes', () => {
  const grants = new Set(PLACES.flatMap((place) => place.grants));
  expect([...MISTAKE_GRANTS].sort()).toEqual([...grants].sort());
});

test('the table contains every mistake', () => {
  const names = PLACES.flatMap((place) => mistakesAt(place).map(({ id }) => `${place.id} ${id}`));
  expect([...TABLE.keys()].sort()).toEqual([...names].sort());
});

test('every mistake describes its request and the violated rule', () => {
  const unsaid = PLACES.flatMap((place) =>
    mistakesAt(place)
      .filter(({ title, sends, section }) => title === '' || sends === '' || section === '')
      .map(({ id }) => `${place.id} ${id}`),
  );
  expect(unsaid).toEqual([]);
});

test('behaviour 10.6: a client that must bind its tokens is rejected without a proof at each grant', async () => {
  const sandbox = await openSandbox({ profile: 'interop' }, { dpop_bound_access_tokens: true });
  const requester = await offenderIn(sandbox);
  const run = await runIn(sandbox);
  const results = await Promise.all(
    PLACES.flatMap((place) =>
      mistakesAt(place)
        .filter(({ needs }) => needs?.includes('required_proof') === true)
        .map((mistake) => makeMistake(place, mistake, requester, run)),
    ),
  );
  expect(results.map(({ step, actual }) => [step, actual?.reason])).toEqual(
    ['refresh', 'password', 'client_credentials', 'poll', 'swap', 'bearer'].map((step) => [
      step,
      'dpop_required',
    ]),
  );
});

test('behaviour 10.6: for a client that must bind its tokens, the valid requests of a mistake have proofs', async () => {
  const sandbox = await openSandbox({ profile: 'interop' }, { dpop_bound_access_tokens: true });
  const requester = await offenderIn(sandbox);
  const run = await runIn(sandbox);
  const wrong: string[] = [];
  for (const place of PLACES) {
    for (const mistake of mistakesAt(place)) {
      const { passed, skipped, actual } = await makeMistake(place, mistake, requester, run);
      if (!passed && skipped === null) wrong.push(`${place.id} ${mistake.id} ${actual?.reason}`);
    }
  }
  expect(wrong).toEqual([]);
});

test.each(['private_key_jwt', 'client_secret_jwt'])(
  'behaviour 1.8: a client with %s makes the mistakes of its assertions, and authenticates in all others',
  async (token_endpoint_auth_method) => {
    const isSecret = token_endpoint_auth_method === 'client_secret_jwt';
    const method = { token_endpoint_auth_method, client_secret: isSecret ? 's'.repeat(32) : null };
    const sandbox = await openSandbox({ profile: 'interop' }, method, SENDS_SECRET);
    const { client, signing_client: other_client } = await offenderIn(sandbox);
    const requester = await offenderIn(sandbox, { other_client, signing_client: client });
    const run = await runIn(sandbox);
    const results: MistakeResult[] = [];
    for (const place of PLACES) {
      for (const mistake of mistakesAt(place)) {
        results.push(await makeMistake(place, mistake, requester, run));
      }
    }
    const wrong = results.filter(({ passed, skipped }) => !passed && skipped === null);
    expect(wrong).toEqual([]);
    const notMade = results.filter(
      ({ step, id, skipped }) =>
        step === 'exchange' && id.startsWith('client_') && skipped !== null,
    );
    expect(notMade.map(({ id }) => id)).toEqual(
      isSecret
        ? [
            'client_other_key',
            'client_unknown_kid',
            'client_missing_assertion',
            'client_unregistered_method',
          ]
        : ['client_other_secret', 'client_unregistered_method'],
    );
  },
);

test('behaviour 7.29: the mistakes of a registration leave no client behind', async () => {
  const sandbox = await openSandbox({});
  const place = PLACES.find(({ id }) => id === 'registration');
  if (place === undefined) throw new Error('There is no such place.');
  const requester = await offenderIn(sandbox);
  const run = await runIn(sandbox);
  const before = await sandbox.control.clients.list({});
  for (const mistake of mistakesAt(place)) {
    expect(await makeMistake(place, mistake, requester, run)).toMatchObject({ passed: true });
  }
  expect(await sandbox.control.clients.list({})).toEqual(before);
});

test('behaviour 10.6: the refresh token of a public client is rejected with a proof of another key', async () => {
  const sandbox = await openSandbox(
    { profile: 'interop' },
    {
      client_secret: null,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    },
  );
  const place = PLACES.find(({ id }) => id === 'refresh');
  const mistake = place && mistakesAt(place).find(({ id }) => id === 'proof_other_key');
  if (place === undefined || mistake === undefined) throw new Error('There is no such mistake.');
  const result = await makeMistake(place, mistake, await offenderIn(sandbox), await runIn(sandbox));
  expect(result).toMatchObject({ passed: true, actual: { reason: 'refresh_token_of_other_key' } });
});

test('a mistake without its prerequisites reports them and sends nothing', async () => {
  const sandbox = await openSandbox({ authorize: 'auto' });
  const whole = await offenderIn(sandbox);
  const requester: Requester = {
    ...whole,
    client: { ...whole.client, client_secret: null },
    user: null,
    other_client: null,
    signing_client: null,
    settings: {
      ...whole.settings,
      registration: { ...whole.settings.registration, mode: 'token' },
    },
  };
  const run = await runIn(sandbox);
  const reasons = new Set<string | null>();
  for (const place of PLACES) {
    for (const mistake of mistakesAt(place)) {
      if (obstacleTo(place, mistake, requester) === null) continue;
      reasons.add((await makeMistake(place, mistake, requester, run)).skipped);
    }
  }
  expect([...reasons].sort()).toEqual([
    'Needs a client that must bind its tokens, in the interop profile.',
    'Needs a client with the grant implicit, in the interop profile.',
    'Needs a second client that may use the grant.',
    'Needs an access token from before a reset of the sandbox.',
    'Needs open registration; the setting registration is token.',
    'Needs the sign-in page; the setting authorize is auto.',
    'Only the interop profile accepts client assertions.',
    'Only the interop profile binds tokens to a key.',
    'Only the refresh token of a public client is bound to a key, in the interop profile.',
    'This client has no secret.',
    'This user has no password, so any password is accepted.',
  ]);
  const { items } = await sandbox.control.exchanges.list({});
  expect(items).toEqual([]);
});

test('a mistake obtains its own credentials and leaves the variables of the run unchanged', async () => {
  const sandbox = await openSandbox({});
  const run = await runIn(sandbox);
  run.variables.set('code', 'the code of somebody else');
  const requester = await offenderIn(sandbox);
  const place = PLACES.find(({ id }) => id === 'exchange');
  if (place === undefined) throw new Error('There is no such place.');
  for (const mistake of mistakesAt(place)) await makeMistake(place, mistake, requester, run);
  expect(run.variables.filled('{{code}}')).toBe('the code of somebody else');
});

test('a mistake that cannot be made is skipped with the reason, and other errors are passed on', async () => {
  const sandbox = await openSandbox({});
  const requester = await offenderIn(sandbox);
  const place = PLACES.find(({ id }) => id === 'exchange');
  const [mistake] = place === undefined ? [] : mistakesAt(place);
  if (place === undefined || mistake === undefined) throw new Error('There is no such mistake.');
  const failing = async (error: unknown) => {
    const send = () => {
      throw error;
    };
    return makeMistake(place, mistake, requester, await runIn(sandbox, { send }));
  };
  const ofControl = Object.assign(new Error('The server is stopped'), { code: 'not_running' });
  expect((await failing(ofControl)).skipped).toBe('The server is stopped.');
  const missing = new MissingValueError('{{code}} has no value');
  expect(await failing(missing)).toMatchObject({
    actual: null,
    passed: false,
    skipped: '{{code}} has no value.',
  });
  for (const error of [new Error('lost'), { code: 'not_running', message: 'no Error' }]) {
    await expect(failing(error)).rejects.toBe(error);
  }
});

test('a mistake consists of scenario steps with its parties named and its change merged', async () => {
  const sandbox = await openSandbox({});
  const requester = await offenderIn(sandbox);
  const place = PLACES.find(({ id }) => id === 'exchange');
  const mistake = place && mistakesAt(place).find(({ id }) => id === 'other_client');
  if (place === undefined || mistake === undefined) throw new Error('There is no such mistake.');
  expect(stepsOf(place, mistake, requester)).toEqual({
    before: [{ issue_code: { client: 'app', user: 'ada', scope: 'openid', pkce: 'S256' } }],
    main: { token: { client: 'other', user: 'ada', grant: 'authorization_code' } },
  });
});
