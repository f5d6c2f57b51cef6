// DPoP in the Flow view (RFC 9449): every mistake in a proof gets the expected response, and walks with proofs are
// recorded as scenarios that pass.

import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/control/schemas.ts';
import { createProofKey, createProver, type ProofOrder } from '../../src/oauth/dpop.ts';
import { tokenRequest } from '../../src/oauth/token-request.ts';
import type { HttpRequest } from '../../src/oauth/fields.ts';
import { redirectAnswerOf, tokenAnswerOf, boundKeys } from '../../src/renderer/exchange/answer.ts';
import type { FlowEvent } from '../../src/renderer/views/flow/flow-state.ts';
import { requestUriOf } from '../../src/renderer/recording/recording.ts';
import { recordScenario } from '../../src/renderer/recording/scenario.ts';
import {
  authorizeRequest,
  fieldsOf,
  pushRequest,
  userinfoRequest,
} from '../support/client-requests.ts';
import { givenWorkspace, startEngine } from '../support/engine.ts';
import { expectPasses } from '../support/scenarios.ts';

const REDIRECT = 'http://localhost:3000/callback';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
} as const;

const CLIENTS = {
  public: { client_id: 'spa', token_endpoint_auth_method: 'none' },
  confidential: { client_id: 'spa', client_secret: 'secret-of-spa' },
} as const;

interface WalkOptions {
  readonly kind?: keyof typeof CLIENTS;
  readonly settings?: object;
}

/** A user of the Flow view with “Bind tokens with DPoP” on. */
async function walker({ kind = 'public', settings = {} }: WalkOptions = {}) {
  const members = {
    clients: [{ ...CLIENTS[kind], redirect_uris: [REDIRECT] }],
    settings: { profile: 'interop', authorize: 'auto', ...settings },
  };
  const { control, issuer } = await startEngine(await givenWorkspace(members));
  const events: FlowEvent[] = [];
  const draw = async (request: HttpRequest): Promise<Exchange> => {
    const exchange = await control.requests.send({ ...request, secrets: true });
    events.push({ id: events.length + 1, kind: 'exchange', step: 'api', exchange, verdict: null });
    return exchange;
  };
  const prover = createProver({
    now: async () => Date.parse((await control.clock.get()).now),
    uriOf: (path) => new URL(issuer).origin + path,
  });
  const responseOf = ({ error, response }: Exchange) => ({ error, headers: response.headers });
  const send = (request: HttpRequest, order: ProofOrder | 'none' = {}) =>
    order === 'none' ? draw(request) : prover.send(request, order, { send: draw, responseOf });
  const credentials = {
    client_id: 'spa',
    client_secret: kind === 'public' ? null : CLIENTS.confidential.client_secret,
  };
  const asked = () =>
    fieldsOf({
      response_type: 'code',
      client_id: 'spa',
      redirect_uri: REDIRECT,
      scope: 'openid',
      audience: issuer,
      state: 'f00d',
      ...CHALLENGE,
      login_hint: 'ada',
    });
  const codeOf = (exchange: Exchange) => redirectAnswerOf(exchange)?.get('code') ?? '';
  const codeFields = (code: string) =>
    fieldsOf({
      grant_type: 'authorization_code',
      ...credentials,
      audience: issuer,
      redirect_uri: REDIRECT,
      code,
      code_verifier: VERIFIER,
    });
  const refreshing = (refresh_token: string) =>
    fieldsOf({ grant_type: 'refresh_token', ...credentials, refresh_token });
  return {
    events,
    prover,
    send,
    refreshing,
    authorize: async (): Promise<string> => {
      const { jkt } = await prover.key();
      return codeOf(await draw(authorizeRequest([...asked(), ['dpop_jkt', jkt]])));
    },
    push: async (): Promise<string> => {
      const pushed = await send(pushRequest(asked(), credentials));
      const request_uri = requestUriOf(pushed) ?? '';
      return codeOf(await draw(authorizeRequest(fieldsOf({ client_id: 'spa', request_uri }))));
    },
    exchange: (code: string, order?: ProofOrder | 'none') =>
      send(tokenRequest(codeFields(code)), order),
    record: async (with_workspace = true) => {
      const sandbox = { issuer, ...(await control.workspace.get()) };
      const proof_key = (await prover.key()).public_jwk;
      return recordScenario({ name: 'With proofs', events, sandbox, with_workspace, proof_key });
    },
  };
}

type Walker = Awaited<ReturnType<typeof walker>>;

async function expectRunsGreen(walk: Walker) {
  const scenario = await walk.record();
  const text = JSON.stringify(scenario, null, 2);
  expect(text).not.toMatch(/eyJ[\w-]+\./);
  await expectPasses(text);
  return scenario;
}

const dpopOf = ({ steps }: Awaited<ReturnType<typeof expectRunsGreen>>) =>
  steps.flatMap(({ authorize, token, request }) => (authorize ?? token ?? request)?.dpop ?? []);

describe('a walk with proofs', () => {
  test('is recorded with dpop: true, including a required nonce, and binds the code', async () => {
    const walk = await walker({ settings: { dpop: { require_nonce: true } } });
    const tokens = tokenAnswerOf(await walk.exchange(await walk.authorize()));
    await walk.send(tokenRequest(walk.refreshing(tokens?.refresh_token ?? '')));
    const answered = await walk.send(userinfoRequest(tokens?.access_token ?? '', 'header', 'DPoP'));
    expect(answered.status).toBe(200);
    const demanded = walk.events.filter(
      (event) => event.kind === 'exchange' && event.exchange.error === 'use_dpop_nonce',
    );
    expect(demanded).toHaveLength(1);
    const scenario = await expectRunsGreen(walk);
    expect(dpopOf(scenario)).toEqual([true, true, true, true]);
    expect(JSON.stringify(scenario)).not.toContain('dpop_jkt');
  });

  test('sends the proof with the pushed request', async () => {
    const walk = await walker({ kind: 'confidential' });
    const stolen = await walk.exchange(await walk.push(), 'none');
    expect(stolen.error).toBe('invalid_dpop_proof');
    const scenario = await expectRunsGreen(walk);
    expect(scenario.steps.find(({ authorize }) => authorize)?.authorize).toMatchObject({
      push: true,
      dpop: true,
    });
  });

  test('is recorded with its own key when it begins with a mistake that uses another key', async () => {
    const walk = await walker();
    const refused = await walk.exchange(await walk.authorize(), { key: 'thief' });
    expect(refused.error).toBe('invalid_grant');
    expect(dpopOf(await expectRunsGreen(walk))).toEqual([true, { key: 'key 2' }]);
  });

  test('is recorded with the other key when a public client refreshes with one', async () => {
    const walk = await walker();
    const tokens = tokenAnswerOf(await walk.exchange(await walk.authorize()));
    const refresh = tokenRequest(walk.refreshing(tokens?.refresh_token ?? ''));
    expect((await walk.send(refresh, { key: 'thief' })).error).toBe('invalid_grant');
    expect(dpopOf(await expectRunsGreen(walk))).toEqual([true, true, { key: 'key 2' }]);
  });

  test('names the keys that tokens are bound to', async () => {
    const walk = await walker();
    const exchange = await walk.exchange(await walk.authorize());
    const { jkt } = await walk.prover.key();
    expect(boundKeys(exchange)).toEqual([{ what: 'The access token in the response', jkt }]);
    const { access_token = '' } = tokenAnswerOf(exchange) ?? {};
    const called = await walk.send(userinfoRequest(access_token, 'header', 'DPoP'));
    expect(boundKeys(called)).toEqual([{ what: 'The presented access token', jkt }]);
    expect((await createProofKey()).jkt).not.toBe(jkt);
  });

  test('a saved flow runs in the current sandbox and contains neither a proof nor a token', async () => {
    const walk = await walker();
    const tokens = tokenAnswerOf(await walk.exchange(await walk.authorize()));
    await walk.send(userinfoRequest(tokens?.access_token ?? '', 'header', 'DPoP'));
    const text = JSON.stringify(await walk.record(false));
    expect(text).not.toMatch(/eyJ|workspace/);
    expect(text).toContain('"authorization":"DPoP {{access_token}}"');
  });
});
