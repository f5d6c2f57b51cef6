// Pushed authorization requests (RFC 9126): what is accepted, and how the browser's request_uri is used.

import { describe, expect, test } from 'vitest';
import {
  createPushedRequests,
  type PushResponse,
} from '../../src/core/authorization/pushed-requests.ts';
import { describeDeviation } from '../../src/core/checks/deviations.ts';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import type { ErrorCode, RefusalReason } from '../../src/core/checks/refusals/index.ts';
import type { TokenRequest } from '../../src/core/model/request.ts';
import {
  answerOf,
  authorizationRequest,
  createAuthorizationBench,
  expectPage,
  expectRedirect,
  questionOf,
} from '../support/authorization.ts';
import {
  assertionClaims,
  clientKey,
  JWT_BEARER,
  signAssertion,
  signingClient,
} from '../support/assertion.ts';
import { dpopHeader, proof, type ProofKey, proofKey, type ProofParts } from '../support/dpop.ts';
import {
  admin,
  AS_ADMIN,
  basic,
  client,
  expectRefusal,
  ISSUER,
  ORDERS,
  PUBLIC,
  REDIRECT_URI,
  type RequestParameters,
  seededRandom,
  START,
  type TestServiceOptions,
} from '../support/core.ts';
import { words } from '../support/words.ts';

function createPushBench(options: TestServiceOptions = {}) {
  const bench = createAuthorizationBench({ clients: [client(), admin()], ...options });
  /** Pushes the usual authorization request of the demo client. */
  const pushed = (parameters: RequestParameters = {}, members?: Partial<TokenRequest>) =>
    bench.push(
      { ...Object.fromEntries(authorizationRequest().parameters), ...parameters },
      members,
    );
  const push = async (...sent: Parameters<typeof pushed>): Promise<PushResponse> => {
    const { answer, refusal } = await pushed(...sent);
    if (answer === null) throw new Error(`rejected: ${refusal.reason}`);
    return answer;
  };
  return { ...bench, pushed, push };
}

/** With the request_uri of a pushed request. */
async function withPushed(options?: TestServiceOptions, parameters?: RequestParameters) {
  const bench = createPushBench(options);
  return { ...bench, ...(await bench.push(parameters)) };
}

describe('the push', () => {
  test('behaviour 7.18, RFC 9126 2.2: returns an unguessable request_uri and its lifetime in seconds', async () => {
    const { push } = createPushBench();
    const first = await push();
    expect(first).toEqual({
      request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/) as string,
      expires_in: 60,
    });
    expect((await push()).request_uri).not.toBe(first.request_uri);
  });

  test('behaviour 7.18, RFC 9126 2.2: uses the lifetime in the settings', async () => {
    const { push } = createPushBench({ settings: { lifetimes: { pushed_request: 5 } } });
    expect((await push()).expires_in).toBe(5);
  });

  test.each<[string, RequestParameters, RefusalReason, ErrorCode]>([
    ['a wrong secret', { client_secret: 'x' }, 'client_secret_wrong', 'invalid_client'],
    ['an unknown client', { client_id: 'nobody' }, 'client_unknown', 'invalid_client'],
    ['no client_id', { client_id: undefined }, 'client_id_missing', 'invalid_request'],
    ['a request_uri', { request_uri: 'urn:x' }, 'request_uri_pushed', 'invalid_request'],
    ['a request object', { request: 'e30.e30.' }, 'request_not_supported', 'request_not_supported'],
    [
      'a redirect URI that is not registered',
      { redirect_uri: 'https://evil.example/' },
      'redirect_uri_unregistered',
      'invalid_request',
    ],
    ['no response_type', { response_type: undefined }, 'response_type_missing', 'invalid_request'],
    ['an unknown scope', { scope: 'nothing' }, 'scope_unknown', 'invalid_scope'],
    [
      'an unknown audience',
      { audience: 'https://x.example/' },
      'audience_unknown',
      'invalid_target',
    ],
    ['a malformed challenge', { code_challenge: 'x' }, 'challenge_malformed', 'invalid_request'],
    ['an unknown prompt', { prompt: 'x' }, 'prompt_unknown', 'invalid_request'],
    [
      'a state that is too long',
      { state: 'x'.repeat(8193) },
      'parameter_too_long',
      'invalid_request',
    ],
  ])(
    'behaviour 7.18, RFC 9126 2.3: is rejected with %s',
    async (_name, parameters, reason, error) => {
      const { refusal } = await createPushBench().pushed(parameters);
      expect(refusal && [refusal.reason, refusal.code]).toEqual([reason, error]);
    },
  );

  test('behaviour 1.4, RFC 8707 2: is rejected with more than one resource', async () => {
    const { pushed } = createPushBench({ settings: { profile: 'interop' } });
    const asked = { audience: undefined, resource: ORDERS };
    const { refusal } = await pushed(asked, { repeated: new Set(['resource']) });
    expect(refusal).toMatchObject({ reason: 'resource_repeated', code: 'invalid_target' });
  });

  test('behaviour 7.18, RFC 9126 2.1: requires client_id in the body even with HTTP Basic', async () => {
    const { pushed } = createPushBench({ settings: { profile: 'interop' } });
    const parameters = { client_id: undefined, client_secret: undefined };
    const authorization = basic('demo-app', 'demo-secret');
    const { refusal } = await pushed(parameters, { authorization });
    expect(refusal).toMatchObject({ reason: 'parameter_missing', facts: { field: 'client_id' } });
  });

  test('is rejected from a client that may not use codes', async () => {
    const { pushed } = createPushBench({ clients: [client({ grant_types: ['refresh_token'] })] });
    expectRefusal(await pushed(), 'grant_not_allowed');
  });

  test('behaviour 7.18: is accepted from a public client with its client_id and a challenge', async () => {
    const open = client(PUBLIC);
    const { pushed } = createPushBench({ clients: [open], settings: { profile: 'interop' } });
    const bare = { client_secret: undefined };
    expectRefusal(await pushed(bare), 'challenge_missing');
    const challenged = { ...bare, code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
    expect((await pushed(challenged)).answer).not.toBeNull();
  });

  test.each([ISSUER, `${ISSUER}/oauth/token`, `${ISSUER}/oauth/par`])(
    'behaviour 7.18, RFC 9126 2: accepts an assertion that names the service as %s',
    async (aud) => {
      const key = await clientKey();
      const { pushed } = createPushBench({
        clients: [client(signingClient(key))],
        settings: { profile: 'interop' },
      });
      const parameters = {
        client_secret: undefined,
        client_assertion_type: JWT_BEARER,
        client_assertion: await signAssertion(key, assertionClaims(aud, START)),
      };
      expect((await pushed(parameters)).refusal).toBeNull();
    },
  );

  test('behaviour 3: has a trace with every check of the client and of the request, with its section', async () => {
    const checks = describeChecks((await createPushBench().pushed()).evaluation, false);
    const byServer = ['method', 'content_type', 'body'];
    const made = checks.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id);
    expect([...byServer, ...made]).toEqual(checks.map(({ id }) => id));
    expect(made).toEqual(
      words(
        'grant_content_type query authorization_header client_id client_secret parameters',
        'request_uri redirect_uri response_mode request_object response_type grant_allowed',
        'pkce audience scope prompt id_token_hint',
      ),
    );
  });
});

describe('a push with a DPoP proof', () => {
  const BY_INTEROP = { settings: { profile: 'interop', authorize: 'auto' } } as const;
  const proving = async (key: ProofKey, parts: ProofParts = {}) => {
    const claims = { htu: `${ISSUER}/oauth/par`, ...parts.claims };
    return { dpop: dpopHeader(await proof(key, { ...parts, claims }), { path: '/oauth/par' }) };
  };

  test('behaviour 10.6, RFC 9449 10.1: binds the code to the key of the proof, with or without dpop_jkt', async () => {
    const key = await proofKey();
    const { push, visit, codeOf } = createPushBench(BY_INTEROP);
    for (const asked of [{}, { dpop_jkt: key.jkt }]) {
      const { request_uri } = await push(asked, await proving(key));
      expect((await codeOf(answerOf(await visit(request_uri)))).jkt).toBe(key.jkt);
    }
  });

  test('behaviour 10.6, RFC 9449 10.1: is rejected with a dpop_jkt of another key', async () => {
    const [key, other] = [await proofKey(), await proofKey()];
    const { pushed } = createPushBench(BY_INTEROP);
    const { refusal } = await pushed({ dpop_jkt: other.jkt }, await proving(key));
    expect(refusal).toMatchObject({
      reason: 'dpop_jkt_differs',
      code: 'invalid_request',
      check: 'dpop_key',
      facts: { expected: other.jkt, got: key.jkt },
    });
  });

  test('behaviour 10.6, RFC 9449 10.1: is validated as at the token endpoint, including replay and nonce', async () => {
    const key = await proofKey();
    const { pushed } = createPushBench(BY_INTEROP);
    const forToken = await proving(key, { claims: { htu: `${ISSUER}/oauth/token` } });
    expectRefusal(await pushed({}, forToken), 'dpop_htu_differs');
    const once = await proving(key);
    expect((await pushed({}, once)).refusal).toBeNull();
    expectRefusal(await pushed({}, once), 'dpop_replayed');
    const strictly = createPushBench({
      settings: { ...BY_INTEROP.settings, dpop: { require_nonce: true } },
    });
    const { refusal, evaluation } = await strictly.pushed({}, await proving(key));
    expect(refusal).toMatchObject({ reason: 'dpop_nonce_missing', code: 'use_dpop_nonce' });
    const nonce = evaluation.dpop?.nonce;
    expect(
      (await strictly.pushed({}, await proving(key, { claims: { nonce } }))).refusal,
    ).toBeNull();
  });

  test('behaviour 10.1: is accepted under a profile without DPoP, which ignores and notes the proof', async () => {
    const key = await proofKey();
    const { jkt: dpop_jkt } = key;
    const sent = await createPushBench().pushed({ dpop_jkt }, await proving(key));
    expect(sent.refusal).toBeNull();
    const parameter = { id: 'unknown_parameters', about: 'dpop_jkt' };
    const proof = { id: 'dpop_ignored', about: 'A DPoP proof' };
    expect(sent.evaluation.deviations).toEqual([proof, parameter]);
  });
});

describe('the request_uri', () => {
  test('behaviour 7.18, RFC 9126 4: replaces, with client_id, the whole request', async () => {
    const { request_uri, visit, decide } = await withPushed();
    const asked = await visit(request_uri);
    const { form, scopes, redirect_uri } = questionOf(asked);
    expect({ scopes, redirect_uri }).toEqual({
      scopes: ['openid', 'orders:read'],
      redirect_uri: REDIRECT_URI,
    });
    const { parameters } = answerOf(await decide({ form, scopes }));
    expect(parameters).toMatchObject({ state: 'xyz', code: expect.any(String) as string });
    const passed = describeChecks(asked.evaluation, false).filter(({ id }) =>
      ['request_uri', 'pushed'].includes(id),
    );
    expect(passed.map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
  });

  test('behaviour 7.18, RFC 9101 6.3: makes other parameters ignored, which is noted', async () => {
    const { request_uri, visit } = await withPushed();
    const beside = { scope: 'orders:write', redirect_uri: 'https://evil.example/', hunter2: 'x' };
    const asked = await visit(request_uri, beside);
    expect(questionOf(asked)).toMatchObject({
      scopes: ['openid', 'orders:read'],
      redirect_uri: REDIRECT_URI,
    });
    const [noted] = asked.evaluation.deviations.map(describeDeviation);
    expect(noted).toMatchObject({
      id: 'beside_request_uri',
      text: expect.stringContaining('ignored: scope, redirect_uri, a parameter.') as string,
    });
  });

  test('behaviour 7.18, RFC 9126 4: is used up once a code was issued, and the trace names the exchange', async () => {
    const { request_uri, visit, decide } = await withPushed();
    const first = questionOf(await visit(request_uri));
    const second = questionOf(await visit(request_uri));
    const done = await decide({ form: first.form });
    answerOf(done);
    const detail = `answered at 2026-11-21T10:00:00Z by exchange ${done.evaluation.exchange}`;
    const { code } = expectPage(await visit(request_uri), 'request_uri_used', detail);
    expect(code).toBe('invalid_request_uri');
    expectPage(await decide({ form: second.form }), 'request_uri_used');
  });

  test('RFC 9126 4: is used up by an error response too', async () => {
    const { request_uri, visit } = await withPushed({}, { prompt: 'none' });
    expectRedirect(await visit(request_uri), 'sign_in_missing');
    expectPage(await visit(request_uri), 'request_uri_used');
  });

  test('behaviour 7.18: gives exactly one code to simultaneous requests', async () => {
    const { request_uri, visit, stores, clock } = await withPushed({
      settings: { authorize: 'auto' },
    });
    const crowd = await Promise.all(Array.from({ length: 30 }, () => visit(request_uri)));
    const codes = crowd.filter(({ refusal }) => refusal === null);
    expect(codes).toHaveLength(1);
    expect(new Set(crowd.map(({ refusal }) => refusal?.reason))).toEqual(
      new Set([undefined, 'request_uri_used']),
    );
    expect(stores.liveCount(clock.now())).toBe(1);
  });

  test('behaviour 7.18, RFC 9126 4: expires by the sandbox clock, and stays expired when the clock is set back', async () => {
    const { request_uri, visit, advance } = await withPushed();
    advance(60);
    expectPage(await visit(request_uri), 'request_uri_expired', 'expired 0 s ago');
    advance(-60);
    expectPage(await visit(request_uri), 'request_uri_expired');
  });

  test('may expire while its page is open, which can still be submitted', async () => {
    const { request_uri, visit, decide, advance } = await withPushed();
    const { form } = questionOf(await visit(request_uri));
    advance(300);
    answerOf(await decide({ form }));
  });

  test('behaviour 7.18, RFC 9126 2.2: is bound to the client that pushed it', async () => {
    const { request_uri, visit } = await withPushed();
    const stolen = await visit(request_uri, { client_id: AS_ADMIN.client_id });
    const detail = /issued to client demo-app/;
    const { description } = expectPage(stolen, 'request_uri_of_other_client', detail);
    expect(description).not.toContain('demo-app');
    questionOf(await visit(request_uri));
  });

  test('requires client_id, and neither may be repeated', async () => {
    const { request_uri, visit, send } = await withPushed();
    expectPage(await visit(request_uri, { client_id: undefined }), 'authorization_client_missing');
    const parameters = new Map([
      ['client_id', 'demo-app'],
      ['request_uri', request_uri],
    ]);
    const repeated = await send({ parameters, repeated: new Set(['request_uri']) });
    expectPage(repeated, 'target_parameter_repeated');
  });

  test('is not a pushed request when it has another form', async () => {
    const { ask } = createAuthorizationBench();
    expectRedirect(
      await ask({ request_uri: 'https://app.example/request.jwt' }),
      'request_uri_not_supported',
    );
  });

  test('behaviour 7.18, RFC 9126 4: is validated again when it is used, and removed with its client or by a reset', async () => {
    const { push, request_uri, visit, service } = await withPushed();
    const { clients } = service.registry;
    clients.put(client({ redirect_uris: ['https://elsewhere.example/'] }));
    expectPage(await visit(request_uri), 'redirect_uri_unregistered');
    clients.remove('demo-app');
    clients.put(client());
    expectPage(await visit(request_uri), 'request_uri_unknown');
    const next = await push();
    service.reset();
    expectPage(await visit(next.request_uri), 'request_uri_unknown');
  });
});

describe('required pushed requests', () => {
  const REQUIRED = { require_pushed_authorization_requests: true };

  test.each<[string, TestServiceOptions, string]>([
    ['the settings', { settings: REQUIRED }, 'the settings require it'],
    ['the client', { clients: [client(REQUIRED)] }, 'client demo-app requires it'],
  ])(
    'behaviour 7.18, RFC 9126 4: a request that was not pushed is invalid_request when %s requires it',
    async (_by, options, detail) => {
      const { ask, push, visit } = createPushBench(options);
      expectRedirect(await ask(), 'push_required', detail);
      questionOf(await visit((await push()).request_uri));
    },
  );

  test("a client's own requirement does not affect other clients", async () => {
    questionOf(await createPushBench({ clients: [client(), admin(REQUIRED)] }).ask());
  });
});

describe('memory', () => {
  test('pushed requests are bounded, and the oldest is removed first', () => {
    const pushed = createPushedRequests(seededRandom(), { entries: 2, bytes: Infinity });
    const push = () => pushed.push(authorizationRequest(), 'demo-app', 1000);
    const [oldest, ...newer] = [push(), push(), push()];
    expect(() => pushed.find(oldest, 'demo-app', 0)).toThrow('request_uri_unknown');
    for (const request_uri of newer) pushed.find(request_uri, 'demo-app', 0);
  });

  test('secrets, ignored parameters and finished requests are not kept', () => {
    const pushed = createPushedRequests(seededRandom());
    const parameters = new Map([
      ['state', 'x'.repeat(1000)],
      ['unread', 'x'.repeat(50_000)],
    ]);
    const request_uri = pushed.push({ parameters, repeated: new Set() }, 'demo-app', 1000);
    expect(pushed.fill.bytes).toBeLessThan(3000);
    pushed.use(request_uri, { at: 0, exchange: 1 });
    expect(pushed.fill.bytes).toBeLessThan(1000);
  });
});
