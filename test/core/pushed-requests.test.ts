// Pushed authorization requests (RFC 9126): what is taken in, and what the browser's request_uri is good for.

import { describe, expect, test } from 'vitest';
import {
  createPushedRequests,
  type PushResponse,
} from '../../src/core/authorization/pushed-requests.ts';
import { describeDeviation } from '../../src/core/checks/deviations.ts';
import { describeCause } from '../../src/core/checks/refusals/describe-cause.ts';
import { describeChecks } from '../../src/core/checks/explain.ts';
import type { ErrorCode, RefusalReason } from '../../src/core/checks/refusals/index.ts';
import type { TokenRequest } from '../../src/core/model/request.ts';
import { createEvaluation } from '../../src/core/checks/trace.ts';
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
  evaluated,
  ISSUER,
  REDIRECT_URI,
  type RequestParameters,
  seededRandom,
  START,
  type TestServiceOptions,
  tokenRequest,
} from '../support/core.ts';

const SECRET = { client_id: 'demo-app', client_secret: 'demo-secret' };

function createPushBench(options: TestServiceOptions = {}) {
  const bench = createAuthorizationBench({ clients: [client(), admin()], ...options });
  let exchanges = 500;
  /** Pushes the usual authorization request of the demo client. */
  const pushed = async (
    parameters: RequestParameters = {},
    members: Partial<TokenRequest> = {},
  ) => {
    const evaluation = createEvaluation(++exchanges);
    const asked = Object.fromEntries(authorizationRequest().parameters);
    const none = { audience: undefined, grant_type: undefined, redirect_uri: undefined };
    const body = tokenRequest(
      { ...none, ...asked, ...SECRET, ...parameters },
      { content_type: 'form', ...members },
    );
    return evaluated(evaluation, () => bench.service.userAuthorization.push(body, evaluation));
  };
  const push = async (...sent: Parameters<typeof pushed>): Promise<PushResponse> => {
    const { answer, refusal } = await pushed(...sent);
    if (answer === null) throw new Error(`refused: ${refusal.reason}`);
    return answer;
  };
  /** Brings the request_uri to /authorize, and nothing beside it. */
  const visit = (request_uri: string, more: RequestParameters = {}) => {
    const all: RequestParameters = { client_id: 'demo-app', request_uri, ...more };
    const given = Object.entries(all).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const parameters = new Map(given);
    return bench.send({ parameters, repeated: new Set() });
  };
  return { ...bench, pushed, push, visit };
}

describe('the push', () => {
  test('behaviour 7.18, RFC 9126 2.2: it is answered with an unguessable request_uri and its lifetime in seconds', async () => {
    const { push } = createPushBench();
    const first = await push();
    expect(first).toEqual({
      request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/) as string,
      expires_in: 60,
    });
    expect((await push()).request_uri).not.toBe(first.request_uri);
  });

  test('behaviour 7.18, RFC 9126 2.2: the lifetime is that of the settings', async () => {
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
  ])('behaviour 7.18, RFC 9126 2.3: %s is refused', async (_name, parameters, reason, error) => {
    const { pushed } = createPushBench();
    const { refusal } = await pushed(parameters);
    expect(refusal && [refusal.reason, refusal.code]).toEqual([reason, error]);
  });

  test('behaviour 7.18, RFC 9126 2.1: client_id is required in the body also beside HTTP Basic', async () => {
    const { pushed } = createPushBench({ settings: { profile: 'interop' } });
    const parameters = { client_id: undefined, client_secret: undefined };
    const authorization = basic('demo-app', 'demo-secret');
    const { refusal } = await pushed(parameters, { authorization });
    expect(refusal).toMatchObject({ reason: 'parameter_missing', facts: { field: 'client_id' } });
  });

  test('a client that may not use codes may not push', async () => {
    const { pushed } = createPushBench({ clients: [client({ grant_types: ['refresh_token'] })] });
    expect((await pushed()).refusal?.reason).toBe('grant_not_allowed');
  });

  test('behaviour 7.18: a public client pushes with its client_id and a challenge', async () => {
    const open = client({ client_secret: null, token_endpoint_auth_method: 'none' });
    const { pushed } = createPushBench({ clients: [open], settings: { profile: 'interop' } });
    const bare = { client_secret: undefined };
    expect((await pushed(bare)).refusal?.reason).toBe('challenge_missing');
    const challenged = { ...bare, code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
    expect((await pushed(challenged)).answer).not.toBeNull();
  });

  test.each([ISSUER, `${ISSUER}/oauth/token`, `${ISSUER}/oauth/par`])(
    'behaviour 7.18, RFC 9126 2: an assertion may name the service as %s',
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

  test('behaviour 3: the trace has every check of the client and of the request, with its section', async () => {
    const { pushed } = createPushBench();
    const checks = describeChecks((await pushed()).evaluation, false);
    const byServer = ['method', 'content_type', 'body'];
    const made = checks.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id);
    expect([...byServer, ...made]).toEqual(checks.map(({ id }) => id));
    expect(made).toEqual([
      ...['grant_content_type', 'query', 'authorization_header', 'client_id', 'client_secret'],
      ...['parameters', 'request_uri', 'redirect_uri', 'response_mode', 'request_object'],
      ...['response_type', 'grant_allowed', 'pkce', 'audience', 'scope', 'prompt', 'id_token_hint'],
    ]);
  });
});

describe('a push with a DPoP proof', () => {
  const BY_INTEROP = { settings: { profile: 'interop', authorize: 'auto' } } as const;
  const proving = async (key: ProofKey, parts: ProofParts = {}) => {
    const claims = { htu: `${ISSUER}/oauth/par`, ...parts.claims };
    return { dpop: dpopHeader(await proof(key, { ...parts, claims }), { path: '/oauth/par' }) };
  };

  test('behaviour 10.6, RFC 9449 10.1: the code is bound to the key of the proof, with or without dpop_jkt', async () => {
    const key = await proofKey();
    const { push, visit, stores, clock } = createPushBench(BY_INTEROP);
    for (const asked of [{}, { dpop_jkt: key.jkt }]) {
      const { request_uri } = await push(asked, await proving(key));
      const { parameters } = answerOf(await visit(request_uri));
      const code = parameters['code'] ?? '';
      expect(await stores.findCode(code, clock.now())).toMatchObject({ jkt: key.jkt });
    }
  });

  test('behaviour 10.6, RFC 9449 10.1: a dpop_jkt of another key is refused', async () => {
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

  test('behaviour 10.6, RFC 9449 10.1: the proof is validated as at the token endpoint, replay and nonce included', async () => {
    const key = await proofKey();
    const { pushed } = createPushBench(BY_INTEROP);
    const forToken = await proving(key, { claims: { htu: `${ISSUER}/oauth/token` } });
    expect((await pushed({}, forToken)).refusal?.reason).toBe('dpop_htu_differs');
    const once = await proving(key);
    expect((await pushed({}, once)).refusal).toBeNull();
    expect((await pushed({}, once)).refusal?.reason).toBe('dpop_replayed');
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

  test('behaviour 10.1: where the profile has no DPoP, the proof is ignored and noted', async () => {
    const key = await proofKey();
    const { pushed } = createPushBench();
    const { refusal, evaluation } = await pushed({}, await proving(key));
    expect(refusal).toBeNull();
    expect(evaluation.deviations.map(({ id }) => id)).toContain('dpop_ignored');
  });
});

describe('the request_uri', () => {
  test('behaviour 7.18, RFC 9126 4: client_id and request_uri stand for the whole request', async () => {
    const { push, visit, decide } = createPushBench();
    const { request_uri } = await push();
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

  test('behaviour 7.18, RFC 9101 6.3: what is sent beside it is ignored and noted', async () => {
    const { push, visit } = createPushBench();
    const { request_uri } = await push();
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

  test('behaviour 7.18: while nobody has answered, the sign-in page can be reloaded', async () => {
    const { push, visit, decide } = createPushBench();
    const { request_uri } = await push();
    questionOf(await visit(request_uri));
    const { form } = questionOf(await visit(request_uri));
    answerOf(await decide({ form }));
  });

  test('behaviour 7.18, RFC 9126 4: once it was answered with a code it is used, and the trace says by which exchange', async () => {
    const { push, visit, decide } = createPushBench();
    const { request_uri } = await push();
    const first = questionOf(await visit(request_uri));
    const second = questionOf(await visit(request_uri));
    const done = await decide({ form: first.form });
    answerOf(done);
    const again = await visit(request_uri);
    expectPage(again, 'request_uri_used', 'request_uri');
    expect(again.refusal?.code).toBe('invalid_request_uri');
    expect(again.refusal && describeCause(again.refusal).detail).toBe(
      `answered at 2026-11-21T10:00:00Z by exchange ${done.evaluation.exchange}`,
    );
    expectPage(await decide({ form: second.form }), 'request_uri_used', 'request_uri');
  });

  test('RFC 9126 4: an answer with an error uses it up as well', async () => {
    const { push, visit } = createPushBench();
    const { request_uri } = await push({ prompt: 'none' });
    expectRedirect(await visit(request_uri), 'sign_in_missing', 'login_required', 'user');
    expectPage(await visit(request_uri), 'request_uri_used', 'request_uri');
  });

  test('behaviour 7.18: of many that bring it at once exactly one gets a code', async () => {
    const { push, visit, stores, clock } = createPushBench({ settings: { authorize: 'auto' } });
    const { request_uri } = await push();
    const crowd = await Promise.all(Array.from({ length: 30 }, () => visit(request_uri)));
    const codes = crowd.filter(({ refusal }) => refusal === null);
    expect(codes).toHaveLength(1);
    expect(new Set(crowd.map(({ refusal }) => refusal?.reason))).toEqual(
      new Set([undefined, 'request_uri_used']),
    );
    expect(stores.liveCount(clock.now())).toBe(1);
  });

  test('behaviour 7.18, RFC 9126 4: it expires by the sandbox clock, and stays expired when that is set back', async () => {
    const { push, visit, advance } = createPushBench();
    const { request_uri } = await push();
    advance(60);
    const late = await visit(request_uri);
    expectPage(late, 'request_uri_expired', 'request_uri');
    expect(late.refusal && describeCause(late.refusal).detail).toBe('expired 0 s ago');
    advance(-60);
    expectPage(await visit(request_uri), 'request_uri_expired', 'request_uri');
  });

  test('the page that was opened in time can be answered after it expired', async () => {
    const { push, visit, decide, advance } = createPushBench();
    const { request_uri } = await push();
    const { form } = questionOf(await visit(request_uri));
    advance(300);
    answerOf(await decide({ form }));
  });

  test('behaviour 7.18, RFC 9126 2.2: it is bound to the client that pushed it', async () => {
    const { push, visit } = createPushBench();
    const { request_uri } = await push();
    const stolen = await visit(request_uri, { client_id: AS_ADMIN.client_id });
    expectPage(stolen, 'request_uri_of_other_client', 'request_uri');
    expect(stolen.refusal?.description).not.toContain('demo-app');
    expect(stolen.refusal && describeCause(stolen.refusal).detail).toContain(
      'issued to client demo-app',
    );
    questionOf(await visit(request_uri));
  });

  test('one that this service never issued is unknown', async () => {
    const { visit } = createPushBench();
    expectPage(
      await visit('urn:ietf:params:oauth:request_uri:guessed'),
      'request_uri_unknown',
      'request_uri',
    );
  });

  test('client_id is required beside it, and neither may be repeated', async () => {
    const { push, visit, send } = createPushBench();
    const { request_uri } = await push();
    expectPage(
      await visit(request_uri, { client_id: undefined }),
      'authorization_client_missing',
      'client_id',
    );
    const parameters = new Map([
      ['client_id', 'demo-app'],
      ['request_uri', request_uri],
    ]);
    const repeated = await send({ parameters, repeated: new Set(['request_uri']) });
    expectPage(repeated, 'target_parameter_repeated', 'body');
  });

  test('a request_uri of any other kind is no pushed request', async () => {
    const { ask } = createAuthorizationBench();
    expectRedirect(
      await ask({ request_uri: 'https://app.example/request.jwt' }),
      'request_uri_not_supported',
      'request_uri_not_supported',
      'request_object',
    );
  });

  test('behaviour 7.18, RFC 9126 4: the pushed request is validated again: what is no longer registered is refused', async () => {
    const { push, visit, service } = createPushBench();
    const { request_uri } = await push();
    service.registry.clients.put(client({ redirect_uris: ['https://elsewhere.example/'] }));
    expectPage(await visit(request_uri), 'redirect_uri_unregistered', 'redirect_uri');
  });

  test('a client that is deleted takes its pushed requests along', async () => {
    const { push, visit, service } = createPushBench();
    const { request_uri } = await push();
    service.registry.clients.remove('demo-app');
    service.registry.clients.put(client());
    expectPage(await visit(request_uri), 'request_uri_unknown', 'request_uri');
  });

  test('a reset forgets what was pushed', async () => {
    const { push, visit, service } = createPushBench();
    const { request_uri } = await push();
    service.reset();
    expectPage(await visit(request_uri), 'request_uri_unknown', 'request_uri');
  });
});

describe('where requests must be pushed', () => {
  const REQUIRED = { require_pushed_authorization_requests: true };

  test.each<[string, TestServiceOptions, string]>([
    ['the settings', { settings: REQUIRED }, 'the settings require it'],
    ['the client', { clients: [client(REQUIRED)] }, 'client demo-app requires it'],
  ])(
    'behaviour 7.18, RFC 9126 4: required by %s, one that was not is invalid_request',
    async (_by, options, detail) => {
      const { ask, push, visit } = createPushBench(options);
      const plain = await ask();
      expectRedirect(plain, 'push_required', 'invalid_request', 'pushed');
      expect(plain.refusal && describeCause(plain.refusal).detail).toBe(detail);
      questionOf(await visit((await push()).request_uri));
    },
  );

  test('a client that requires it for itself leaves others alone', async () => {
    const { ask } = createPushBench({ clients: [client(), admin(REQUIRED)] });
    questionOf(await ask());
  });
});

describe('memory', () => {
  test('pushed requests are bounded: the oldest goes first', () => {
    const pushed = createPushedRequests(seededRandom(), { entries: 2, bytes: Infinity });
    const push = () => pushed.push(authorizationRequest(), 'demo-app', 1000);
    const [oldest, ...newer] = [push(), push(), push()];
    expect(() => pushed.find(oldest, 'demo-app', 0)).toThrow('request_uri_unknown');
    for (const request_uri of newer) pushed.find(request_uri, 'demo-app', 0);
  });

  test('neither secrets nor parameters that nobody reads are kept, nor the request once it was answered', () => {
    const pushed = createPushedRequests(seededRandom());
    const parameters = new Map([
      ['state', 'x'.repeat(1000)],
      ['unread', 'x'.repeat(50_000)],
    ]);
    const request_uri = pushed.push({ parameters, repeated: new Set() }, 'demo-app', 1000);
    expect(pushed.bytes).toBeLessThan(3000);
    pushed.use(request_uri, { at: 0, exchange: 1 });
    expect(pushed.bytes).toBeLessThan(1000);
  });
});
