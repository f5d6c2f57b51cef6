// Every deliberate mistake gets the response that it declares and that the table below lists. The table uses nothing
// of core: compare it with behaviour 3, and do not generate it from the responses of the service.

import { describe, expect, test } from 'vitest';
import { MISTAKE_GRANTS } from '../../src/cli/commands/mistakes.ts';
import type { ControlClient } from '../../src/control/contract.ts';
import type { Dialect, Profile } from '../../src/control/schemas.ts';
import { CLIENT_GRANTS, PROFILES, PROVIDERS } from '../../src/control/names.ts';
import { createProofKey } from '../../src/oauth/dpop.ts';
import type { Run } from '../../src/scenario/actions/action.ts';
import { expectedAnswer, expectedIn } from '../../src/scenario/mistakes/mistake.ts';
import { mistakesAt, PLACES } from '../../src/scenario/mistakes/index.ts';
import {
  makeMistake,
  type MistakeResult,
  obstacleTo,
  stepsOf,
} from '../../src/scenario/mistakes/run-mistakes.ts';
import type { Requester } from '../../src/scenario/mistakes/needs.ts';
import type { ScenarioSandbox } from '../../src/scenario/runner/scenario-sandbox.ts';
import { apiForMistakes } from '../../src/scenario/protected-apis.ts';
import { createRun } from '../../src/scenario/runner/create-run.ts';
import { MissingValueError } from '../../src/scenario/actions/variables.ts';
import { sendOverControl } from '../../src/scenario/runner/over-control.ts';
import { givenWorkspace, startEngine } from '../support/engine.ts';

/** The proofs that a service which reads proofs rejects. */
const WRONG_PROOFS =
  'proof_other_uri proof_other_method proof_stale proof_without_jti proof_unsigned proof_other_type proof_replayed';

/** Of the credentials in a body, at each step that sends them. */
const SECRET = `  wrong_secret missing_secret unknown_client: 401 invalid_client | auth0 401 access_denied
  missing_client_id: 400 invalid_request
  secret_in_header: 401 invalid_client | interop 200 | auth0 401 access_denied
  secret_in_query: 200 | strict 400 invalid_request`;

/** Of the form of a token request. */
const FORM = `  json_body: 200 | strict 400 invalid_request
  text_plain other_charset empty_body: 400 invalid_request
  get: 405 method_not_allowed`;

/** Of a client that authenticates with an assertion, at each step that has these mistakes. */
const ASSERTION = `  client_expired client_future client_long client_missing_exp client_wrong_aud client_missing_aud
  client_wrong_iss client_missing_sub client_other_key client_unknown_kid client_alg_none client_wrong_sub
  client_missing_jti client_used_assertion client_no_jwt client_other_type
  client_missing_assertion: skipped | interop 401 invalid_client | auth0 interop 401 access_denied
  client_other_secret: skipped
  client_missing_type client_assertion_and_secret: skipped | interop 400 invalid_request
  client_unregistered_method: 401 invalid_client | auth0 401 access_denied`;

/**
 * Status and error code in the documented profile and the dialect rfc6749, then where another profile or the dialect
 * auth0 differs. `skipped`: the profile has no such thing.
 */
const ON_THE_WIRE = `
code
  unregistered_redirect redirect_fragment repeated_client form_twice other_browser: 400 invalid_request
  pushed_request_uri pushed_redirect: 400 invalid_request
  unknown_client: 400 invalid_client
  unknown_request_uri: 400 invalid_request_uri
  implicit: 302 unsupported_response_type
  no_nonce id_token_in_query: skipped | interop 302 invalid_request
  missing_response_type challenge_method malformed_claims: 302 invalid_request
  unmet_acr: 302 unmet_authentication_requirements
  unknown_audience: 302 invalid_target
  unknown_scope: 302 invalid_scope | interop 200
  silent: 302 login_required
  deny: 303 access_denied
  login_required: 303 login_required
  server_error: 303 server_error
  temporarily_unavailable: 303 temporarily_unavailable
  request_other_key request_unsigned request_expired request_other_aud request_other_client request_nested
  request_no_jwt: 302 request_not_supported | interop 302 invalid_request_object
exchange
${SECRET}
  redirect_slash redirect_case: 400 invalid_grant | auth0 403 unauthorized_client
  used_code expired_code unknown_code other_client: 400 invalid_grant | auth0 403 invalid_grant
  wrong_verifier missing_verifier: 400 invalid_grant | auth0 403 invalid_grant
  empty_code: 400 invalid_request
  other_audience: 400 invalid_target
  missing_audience: 400 invalid_request | interop 200
  wrong_grant_type: 400 unsupported_grant_type
  form_body: 200 | strict 400 invalid_request
  repeated_field broken_json json_array number_value text_plain other_charset empty_body: 400 invalid_request
  get: 405 method_not_allowed
${ASSERTION}
  ${WRONG_PROOFS}: 200 | interop 400 invalid_dpop_proof
  proof_other_key: skipped | interop 400 invalid_grant | auth0 interop 403 invalid_grant
  proof_missing: skipped | interop 400 invalid_dpop_proof
refresh
${SECRET}
  unknown_token access_token revoked_token expired_token: 400 invalid_grant | auth0 403 invalid_grant
  other_client: 400 invalid_grant | auth0 403 invalid_grant
  missing_token empty_token repeated_field bad_escape: 400 invalid_request
  wide_scope: 400 invalid_scope | interop 200
  wrong_grant_type: 400 unsupported_grant_type
${FORM}
  ${WRONG_PROOFS}: 200 | interop 400 invalid_dpop_proof
  proof_missing proof_other_key: skipped
password
${SECRET}
  unknown_user wrong_password: 400 invalid_grant | strict 400 unauthorized_client | auth0 403 invalid_grant | auth0 strict 403 unauthorized_client
  missing_username missing_password: 400 invalid_request | strict 400 unauthorized_client | auth0 strict 403 unauthorized_client
  unknown_audience: 400 invalid_target | strict 400 unauthorized_client | auth0 strict 403 unauthorized_client
  repeated_field: 400 invalid_request
${FORM}
  ${WRONG_PROOFS}: 200 | strict 400 unauthorized_client | interop 400 invalid_dpop_proof | auth0 strict 403 unauthorized_client
  proof_missing: skipped
client_credentials
${SECRET}
  unknown_audience: 400 invalid_target
  unknown_scope: 400 invalid_scope | interop 200
${FORM}
${ASSERTION}
  ${WRONG_PROOFS}: 200 | interop 400 invalid_dpop_proof
  proof_missing: skipped
device
${SECRET}
  unknown_audience: 400 invalid_target
  unknown_scope: 400 invalid_scope | interop 200
  malformed_scope: 400 invalid_scope
  get: 405 method_not_allowed
decide
  mistyped empty expired decided: 400 invalid_request
poll
${SECRET}
  before_decision: 400 authorization_pending | auth0 403 authorization_pending
  too_fast: 400 slow_down | auth0 429 slow_down
  denied: 400 access_denied | auth0 403 access_denied
  expired: 400 expired_token | auth0 403 expired_token
  twice other_client user_code unknown: 400 invalid_grant | auth0 403 invalid_grant
  missing: 400 invalid_request
${FORM}
  ${WRONG_PROOFS}: 200 | interop 400 invalid_dpop_proof
  proof_missing: skipped
swap
${SECRET}
  unknown_token expired_token revoked_token missing_token missing_type other_type unknown_type: 400 invalid_request
  actor_type_alone unknown_actor refresh_token_wanted: 400 invalid_request
  unknown_audience: 400 invalid_target
  unknown_scope: 400 invalid_scope | interop 200
${FORM}
  ${WRONG_PROOFS}: 200 | interop 400 invalid_dpop_proof
  proof_missing: skipped
bearer
${SECRET}
  expired future long missing_exp wrong_aud missing_aud wrong_iss unknown_sub missing_sub: 400 invalid_grant
  other_key unknown_kid alg_none used_assertion no_jwt: 400 invalid_grant
  missing_assertion: 400 invalid_request
  unknown_audience: 400 invalid_target
  unknown_scope: 400 invalid_scope | interop 200
${FORM}
  ${WRONG_PROOFS}: 200 | interop 400 invalid_dpop_proof
  proof_missing: skipped
api
  expired revoked garbled unsigned other_epoch refresh_token no_token empty_bearer other_scheme: 401 invalid_token
  without_openid: 200 | strict 403 insufficient_scope
  in_query: 401 invalid_token | strict 400 invalid_request
  twice: 400 invalid_request
  put: 405 method_not_allowed
  ${WRONG_PROOFS} proof_other_token
  proof_without_ath proof_missing: skipped | interop 401 invalid_dpop_proof
  proof_other_key as_bearer: skipped | interop 401 invalid_token
  api_other_audience api_expired api_no_token: 401 invalid_token
  api_missing_scope: 403 insufficient_scope
  api_in_query: 400 invalid_request
  api_proof_missing api_proof_other_token: skipped | interop 401 invalid_dpop_proof
registration
  no_token wrong_token other_client deleted: 401 invalid_token
  other_client_id other_secret returned_members: 400 invalid_client_metadata
  redirect_fragment: 400 invalid_redirect_uri
  form: 400 invalid_request
  post: 405 method_not_allowed
`;

interface Wire {
  readonly usual: string;
  readonly others: ReadonlyMap<string, string>;
}

function readAnswers(text: string): Wire {
  const [usual = '', ...rest] = text.split(' | ');
  const others = rest.map((part) => {
    const [, when = '', answer = ''] =
      /^((?:auth0 )?(?:strict|interop)|auth0) (.*)$/.exec(part) ?? [];
    return [when, answer] as const;
  });
  return { usual, others: new Map(others) };
}

function readTable(): ReadonlyMap<string, Wire> {
  const found = new Map<string, Wire>();
  for (const section of ON_THE_WIRE.trim().split(/\n(?=\w)/)) {
    const [place = ''] = section.split('\n', 1);
    for (const [, ids = '', answers = ''] of section.matchAll(/^ {2}([\w\s]+): (.*)$/gm)) {
      for (const id of ids.split(/\s+/)) found.set(`${place} ${id}`, readAnswers(answers));
    }
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
  const { control, issuer } = await startEngine(await givenWorkspace(members));
  return { control, issuer, key };
}

interface Offender {
  readonly requester: Requester;
  readonly run: Run;
}

/** The first client of the sandbox as the requester, and its run. */
async function offenderIn(
  { control, issuer, key }: Sandbox,
  change: Partial<Requester> = {},
  more: Partial<ScenarioSandbox> = {},
): Promise<Offender> {
  const { clients, users, apis = [], settings } = await control.workspace.get();
  const [client, other_client = null, signing_client = null] = clients;
  if (client === undefined) throw new Error('There is no client.');
  const [user] = users;
  const requester: Requester = {
    client,
    user: user === undefined ? null : { sub: user.sub, has_password: user.password !== null },
    proves: client.dpop_bound_access_tokens,
    pushes: settings.require_pushed_authorization_requests,
    other_client,
    signing_client,
    other_audience: 'https://orders.example/api',
    profile: settings.profile,
    settings,
    former_token: null,
    api: apiForMistakes(apis, issuer),
    ...change,
  };
  const run = createRun({
    control,
    issuer,
    clients,
    users,
    send: sendOverControl(control, 'scenario'),
    assertionKey: () => Promise.resolve(key),
    close: () => Promise.resolve(),
    ...more,
  });
  return { requester, run };
}

const ALL = PLACES.flatMap((place) =>
  mistakesAt(place).map((mistake) => ({ name: `${place.id} ${mistake.id}`, place, mistake })),
);

type Named = (typeof ALL)[number];

function mistakeNamed(name: string): Named {
  const found = ALL.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no mistake ${name}.`);
  return found;
}

/** Makes the mistakes, one after the other. */
async function makeEach({ requester, run }: Offender, mistakes: readonly Named[] = ALL) {
  const made: (Named & { readonly result: MistakeResult })[] = [];
  for (const one of mistakes) {
    made.push({ ...one, result: await makeMistake(one.place, one.mistake, requester, run) });
  }
  return made;
}

type Made = Awaited<ReturnType<typeof makeEach>>;

/** The mistakes that were made and got another response than expected. */
const surprisesIn = (made: Made) =>
  made.flatMap(({ result }) => (result.passed || result.skipped !== null ? [] : [result]));

const wireIn = ({ actual }: MistakeResult): string => {
  const { status = 0, error = null } = actual ?? {};
  return error === null ? String(status) : `${status} ${error}`;
};

/** A value of each mistake, by its name. */
const byName = <T extends Named>(mistakes: readonly T[], valueOf: (one: T) => unknown) =>
  Object.fromEntries(mistakes.map((one) => [one.name, valueOf(one)]));

describe.each(PROFILES)('in the %s profile', (profile) => {
  test.each(['rfc6749', 'auth0'] as const)(
    'behaviour 3.10: each mistake is answered with its refusal, in the dialect %s',
    async (dialect) => {
      const sandbox = await openSandbox({ profile, dialect });
      const { access_token: former_token } = await sandbox.control.tokens.mint({
        client_id: 'app',
        scope: 'openid',
      });
      await sandbox.control.reset({});
      const made = await makeEach(await offenderIn(sandbox, { former_token }));
      const listed = ({ name }: Named) => wireOf(name, profile, dialect);
      expect(
        byName(made, ({ result }) => (result.skipped === null ? wireIn(result) : 'skipped')),
      ).toEqual(byName(ALL, listed));
      expect(surprisesIn(made)).toEqual([]);

      const { items: refusals } = await sandbox.control.refusals.list();
      const refused = made.filter(
        ({ result }) => result.skipped === null && result.expected !== 'accepted',
      );
      expect(
        byName(refused, ({ place, mistake }) => expectedAnswer(place, mistake, profile, refusals)),
      ).toEqual(byName(refused, listed));
    },
  );
});

/** The mistakes with an authorization, which the setting authorize may decide, and the first mistake of each step. */
const ON_AUTHORIZATION = ALL.filter(
  ({ place, mistake }) =>
    [...place.prepare, ...(mistake.before ?? []), mistake.instead ?? place.step].some(
      (step) => 'authorize' in step || 'authorize_device' in step,
    ) || mistake === mistakesAt(place)[0],
);

describe.each(['auto', 'deny'] as const)('with authorize: %s', (authorize) => {
  test.each(PROFILES)(
    'in the %s profile each mistake gets the expected response or says why it cannot be made',
    async (profile) => {
      const offender = await offenderIn(await openSandbox({ profile, authorize }));
      const made = await makeEach(offender, ON_AUTHORIZATION);
      expect(surprisesIn(made)).toEqual([]);
      const skipped = byName(made, ({ result }) => result.skipped);
      expect(skipped).toEqual(
        byName(made, ({ place, mistake }) => obstacleTo(place, mistake, offender.requester)),
      );
      expect(skipped).toMatchObject({ 'poll wrong_secret': null, 'exchange wrong_secret': null });
    },
  );
});

test.each(PROVIDERS)(
  'behaviour 17.4: under the shape of %s each mistake has the status and error in the list of refusals',
  async (provider) => {
    const sandbox = await openSandbox({ profile: 'interop' });
    await sandbox.control.shape.set({ provider });
    const { issuer, endpoints } = await sandbox.control.server.get();
    const { items: refusals } = await sandbox.control.refusals.list();
    const listed = ({ place, mistake }: Named) =>
      expectedAnswer(place, mistake, 'interop', refusals);
    const refusalOf = (one: Named) =>
      `${one.place.id} ${expectedIn(one.mistake, 'interop')} ${listed(one)}`;
    // One mistake for each refusal at each step.
    const different = new Map(ALL.map((one) => [refusalOf(one), one]));
    const offender = await offenderIn(sandbox, {}, { issuer, endpoints });
    const made = await makeEach(offender, [...different.values()]);
    const refused = made.filter(
      ({ result }) => result.actual !== null && result.expected !== 'accepted',
    );
    expect(refused.length).toBeGreaterThan(100);
    expect(byName(refused, ({ result }) => wireIn(result))).toEqual(byName(refused, listed));
  },
);

test('behaviour 7.12, 7.18: each mistake is made below the path of the issuer, and pushed where that is required', async () => {
  const sandbox = await openSandbox({
    profile: 'interop',
    issuer: 'https://login.example/tenant',
    require_pushed_authorization_requests: true,
  });
  expect(surprisesIn(await makeEach(await offenderIn(sandbox)))).toEqual([]);
});

test('the command line offers every grant with mistakes', () => {
  const grants = new Set(PLACES.flatMap((place) => place.grants));
  expect([...MISTAKE_GRANTS].sort()).toEqual([...grants].sort());
});

test('the table contains every mistake', () => {
  expect([...TABLE.keys()].sort()).toEqual(ALL.map(({ name }) => name).sort());
});

test('every mistake describes its request and the violated rule', () => {
  const unsaid = ALL.filter(
    ({ mistake: { title, sends, section } }) => title === '' || sends === '' || section === '',
  );
  expect(unsaid).toEqual([]);
});

test('behaviour 10.6: a client that must bind its tokens is rejected without a proof at each grant, and its other mistakes have proofs', async () => {
  const sandbox = await openSandbox({ profile: 'interop' }, { dpop_bound_access_tokens: true });
  const made = await makeEach(await offenderIn(sandbox));
  expect(surprisesIn(made)).toEqual([]);
  const unproved = made.filter(({ mistake }) => mistake.needs?.includes('required_proof') === true);
  expect(unproved.map(({ result }) => [result.step, result.actual?.reason])).toEqual(
    ['refresh', 'password', 'client_credentials', 'poll', 'swap', 'bearer'].map((step) => [
      step,
      'dpop_required',
    ]),
  );
});

test.each(['private_key_jwt', 'client_secret_jwt'])(
  'behaviour 1.8: a client with %s makes the mistakes of its assertions, and authenticates in all others',
  async (token_endpoint_auth_method) => {
    const isSecret = token_endpoint_auth_method === 'client_secret_jwt';
    const method = { token_endpoint_auth_method, client_secret: isSecret ? 's'.repeat(32) : null };
    const sandbox = await openSandbox({ profile: 'interop' }, method, SENDS_SECRET);
    const { client, signing_client: other_client } = (await offenderIn(sandbox)).requester;
    const made = await makeEach(
      await offenderIn(sandbox, { other_client, signing_client: client }),
    );
    expect(surprisesIn(made)).toEqual([]);
    const notMade = made.filter(
      ({ name, result }) => name.startsWith('exchange client_') && result.skipped !== null,
    );
    expect(notMade.map(({ mistake }) => mistake.id)).toEqual(
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
  const before = await sandbox.control.clients.list({});
  const mistakes = ALL.filter(({ place }) => place.id === 'registration');
  const made = await makeEach(await offenderIn(sandbox), mistakes);
  expect(made.filter(({ result }) => !result.passed)).toEqual([]);
  expect(made).toHaveLength(10);
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
  const mistakes = [mistakeNamed('refresh proof_other_key')];
  const [made] = await makeEach(await offenderIn(sandbox), mistakes);
  expect(made?.result).toMatchObject({
    passed: true,
    actual: { reason: 'refresh_token_of_other_key' },
  });
});

test('a mistake without its prerequisites reports them and sends nothing', async () => {
  const sandbox = await openSandbox({ authorize: 'auto' });
  const { requester: whole, run } = await offenderIn(sandbox);
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
  const impossible = ALL.filter(
    ({ place, mistake }) => obstacleTo(place, mistake, requester) !== null,
  );
  const made = await makeEach({ requester, run }, impossible);
  expect(byName(made, ({ result }) => result.skipped)).toEqual(
    byName(impossible, ({ place, mistake }) => obstacleTo(place, mistake, requester)),
  );
  expect(made.length).toBeGreaterThan(50);
  const { items } = await sandbox.control.exchanges.list({});
  expect(items).toEqual([]);
});

test('a mistake obtains its own credentials and leaves the variables of the run unchanged', async () => {
  const offender = await offenderIn(await openSandbox({}));
  const { variables } = offender.run;
  variables.set('code', 'the code of somebody else');
  const [made] = await makeEach(offender, [mistakeNamed('exchange used_code')]);
  expect(made?.result).toMatchObject({ passed: true });
  expect(variables.filled('{{code}}')).toBe('the code of somebody else');
});

test('a mistake that cannot be made is skipped with the reason, and other errors are passed on', async () => {
  const sandbox = await openSandbox({});
  const failing = async (error: unknown) => {
    const send = () => {
      throw error;
    };
    const mistakes = [mistakeNamed('exchange wrong_secret')];
    const [made] = await makeEach(await offenderIn(sandbox, {}, { send }), mistakes);
    return made?.result;
  };
  const ofControl = Object.assign(new Error('The server is stopped'), { code: 'not_running' });
  expect((await failing(ofControl))?.skipped).toBe('The server is stopped.');
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
  const { requester } = await offenderIn(await openSandbox({}));
  const { place, mistake } = mistakeNamed('exchange other_client');
  expect(stepsOf(place, mistake, requester)).toEqual({
    before: [{ issue_code: { client: 'app', user: 'ada', scope: 'openid', pkce: 'S256' } }],
    main: { token: { client: 'other', user: 'ada', grant: 'authorization_code' } },
  });
});
