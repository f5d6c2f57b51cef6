// Requests that the page sends in the current sandbox: once or repeatedly, until all are sent, the user stops or it
// fails.

import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Credential } from '../../src/control/schemas.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { DEVICE_CODE_GRANT, TOKEN_EXCHANGE_GRANT } from '../../src/oauth/token-request.ts';
import { page } from '../../src/renderer/connection/state.ts';
import { chosenParty, pickParty } from '../../src/renderer/sending/chosen-party.ts';
import { liveSandbox } from '../../src/renderer/sending/live-sandbox.ts';
import {
  repeatRequest,
  type Repeated,
  type RepetitionOrder,
} from '../../src/renderer/sending/repeat-request.ts';
import {
  freshTokenStep,
  requestableGrants,
  sameRequest,
  type RequestableGrant,
} from '../../src/renderer/sending/token-steps.ts';
import { replayStep } from '../../src/renderer/views/tokens/token-replay.ts';
import { composeStep, performStep } from '../../src/scenario/actions/index.ts';
import type { Run } from '../../src/scenario/actions/action.ts';
import { createRun } from '../../src/scenario/runner/create-run.ts';
import { client, user } from '../support/core.ts';
import { givenWorkspace, startEngine } from '../support/engine.ts';

const JWKS = { request: { path: '/.well-known/jwks.json' } };

interface Opened {
  readonly run: Run;
  readonly engine: Engine;
  readonly bodies: readonly string[];
}

async function open(settings: object = {}, registered: object = {}): Promise<Opened> {
  const members = { settings: { throttle: { mode: 'off' }, ...settings }, ...registered };
  const base = await givenWorkspace(members);
  const { engine, control, issuer } = await startEngine(base);
  const bodies: string[] = [];
  const run = createRun(
    liveSandbox({
      control,
      issuer,
      clients: base.clients,
      users: [],
      onExchange: ({ request }) => void bodies.push(request.body),
    }),
  );
  return { run, engine, bodies };
}

const { signal } = new AbortController();

const repeated = (
  run: Run,
  order: Partial<RepetitionOrder> & Pick<RepetitionOrder, 'repeat'>,
  step: object = JWKS,
) => repeatRequest({ prepare: () => Promise.resolve({ run, step }), signal, ...order });

test('what a view has picked counts before the flow, unless it was deleted', () => {
  onTestFinished(() => {
    page.setState(page.getInitialState(), true);
    pickParty({ client_id: null, sub: null });
  });
  const clients = ['shop', 'tv'].map((client_id) => client({ client_id }));
  const users = ['ada', 'bob'].map((sub) => ({ ...user({ sub }), has_password: false }));
  page.setState({ clients, users });
  pickParty({ client_id: 'shop', sub: 'ada' });
  const ids = (party: ReturnType<typeof chosenParty>) => [party.client?.client_id, party.user?.sub];
  expect(ids(chosenParty({ client_id: 'tv', sub: 'bob' }))).toEqual(['tv', 'bob']);
  expect(ids(chosenParty({ client_id: 'gone', sub: 'gone' }))).toEqual(['shop', 'ada']);
});

test('a sign-in enters the password of the user, which the page does not have', async () => {
  const { run } = await open(
    { sign_in_page: { authentication: 'password_and_code' } },
    { users: [{ sub: 'ada', password: 'lovelace' }] },
  );
  const answer = await performStep({ authorize: { user: 'ada' } }, run);
  expect(answer?.status).toBe(303);
});

test('a repetition ends when all requests have responses, and counts them', async () => {
  const { run } = await open();
  const shown: Repeated[] = [];
  const onProgress = (now: Repeated) => shown.push(now);
  const ended = repeated(run, { repeat: { times: 25, parallel: 5 }, onProgress });
  expect(shown).toMatchObject([{ goal: 25, state: 'running', took_ms: 0, tally: { sent: 0 } }]);
  const end = await ended;
  expect(end).toMatchObject({ state: 'done', error: null, tally: { sent: 25 } });
  expect(end.tally.outcomes.map(({ status, count }) => [status, count])).toEqual([[200, 25]]);
  expect(end.tally.outcomes[0]?.first.exchange?.number).toBe(1);
  expect(shown.at(-1)).toBe(end);
});

test.each([
  ['a request', {}],
  ['a request with a DPoP proof', { dpop: true }],
])('Stop ends a repetition at once and aborts %s in progress', async (_, proof) => {
  const { run, engine } = await open();
  const { faults } = await engine.getControl();
  const effect = { kind: 'drop' as const };
  const slow = { name: 'slow', when: 'instead' as const, delay_ms: 300_000, effect };
  await faults.create({ ...slow, match: { path: '/oauth/*' }, times: null });
  const stopping = new AbortController();
  const ended = repeated(
    run,
    { repeat: { times: 10_000, parallel: 100 }, signal: stopping.signal },
    { request: { method: 'POST', path: '/oauth/token', ...proof } },
  );
  const hits = async () => (await faults.list({})).items[0]?.hits ?? 0;
  while ((await hits()) < 100) await setImmediate();
  stopping.abort();
  expect(await ended).toMatchObject({ state: 'stopped', tally: { sent: 0 } });
});

test('a response can end a repetition, which aborts all other requests in progress', async () => {
  const { run } = await open();
  const ended = await repeated(run, {
    repeat: { times: 10_000, parallel: 3 },
    onAnswer: (_, place) => place < 7,
  });
  expect(ended).toMatchObject({ state: 'done', tally: { sent: 7 } });
});

test('a repetition fails with the error, and keeps earlier responses', async () => {
  const { run, engine } = await open();
  let stopping: Promise<unknown> = Promise.resolve();
  const { state, error, tally } = await repeated(run, {
    repeat: { times: 10_000 },
    onAnswer: (_, place) => {
      if (place === 3) stopping = engine.stop();
      return true;
    },
  });
  await stopping;
  expect(state).toBe('failed');
  expect(error).toBeInstanceOf(Error);
  expect(tally.sent).toBeGreaterThanOrEqual(3);
});

test('each request is the same, although the responses contain new tokens', async () => {
  const { run, bodies } = await open({ refresh_rotation: { enabled: true, grace_seconds: 60 } });
  const [client] = run.sandbox.clients;
  if (client === undefined) throw new Error('no client');
  const { tally } = await repeatRequest({
    signal,
    repeat: { times: 4 },
    prepare: async () => ({
      run,
      step: sameRequest(await freshTokenStep(client, 'refresh_token', run), run),
    }),
  });
  expect(tally.outcomes.map(({ status, count }) => [status, count])).toEqual([[200, 4]]);
  expect(new Set(bodies).size).toBe(1);
});

test('RFC 9449 4.2: each request of a client that must bind its tokens has a new proof', async () => {
  const bound = client({ client_id: 'bound', dpop_bound_access_tokens: true });
  const settings = { profile: 'interop', throttle: { limit: 4 } };
  const { run } = await open(settings, { clients: [bound] });
  const { tally } = await repeatRequest({
    signal,
    repeat: { times: 14, parallel: 10 },
    prepare: async () => ({
      run,
      step: sameRequest(await freshTokenStep(bound, 'refresh_token', run), run),
    }),
  });
  const counts = tally.outcomes.map(({ status, count }) => [status, count] as const);
  expect(Object.fromEntries(counts)).toEqual({ 200: 4, 429: 10 });
});

test('a request with each grant succeeds with the credential issued for it', async () => {
  const grant_types: RequestableGrant[] = [
    'authorization_code',
    'refresh_token',
    'client_credentials',
    TOKEN_EXCHANGE_GRANT,
    DEVICE_CODE_GRANT,
  ];
  const redirect_uris = ['http://localhost:3000/callback'];
  const any = { client_id: 'any', client_secret: 's', redirect_uris, grant_types };
  const { run } = await open({}, { clients: [any] });
  const [client] = run.sandbox.clients;
  if (client === undefined) throw new Error('no client');
  expect(new Set(requestableGrants(client))).toEqual(new Set(grant_types));
  for (const grant of grant_types) {
    const answer = await performStep(await freshTokenStep(client, grant, run), run);
    expect(answer, grant).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
  }
});

test('spec 4.1: a code or refresh token is sent again in the documented request', async () => {
  const any = client({ client_id: 'any', client_secret: 's', default_audience: null });
  const { run } = await open({}, { clients: [any] });
  const of = { redirect_uri: 'http://a.test/cb', audience: null } as Credential;
  const code = composeStep(replayStep({ ...of, kind: 'code' }, 'the-code', any), run);
  expect(code).toMatchObject({ method: 'POST', path: '/oauth/token' });
  expect(JSON.parse(String(code?.body))).toEqual({
    grant_type: 'authorization_code',
    client_id: 'any',
    client_secret: 's',
    audience: run.sandbox.issuer,
    redirect_uri: 'http://a.test/cb',
    code: 'the-code',
  });
  const token = composeStep(replayStep({ ...of, kind: 'refresh_token' }, 'the-token', any), run);
  expect(Object.fromEntries(new URLSearchParams(String(token?.body)))).toEqual({
    grant_type: 'refresh_token',
    client_id: 'any',
    client_secret: 's',
    refresh_token: 'the-token',
  });
});
