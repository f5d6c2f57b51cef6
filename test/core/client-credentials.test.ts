// The client_credentials grant (RFC 6749 4.4): a token for the client itself.

import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { lineageId, stateOf } from '../../src/core/model/credentials.ts';
import { describeAdvisory, describeChecks } from '../../src/core/checks/describe-checks.ts';
import { PROFILES } from '../../src/core/records/schemas.ts';
import type { TokenRequest } from '../../src/core/model/request.ts';
import { presenting } from '../support/presented.ts';
import type { RequestParameters, TestServiceOptions } from '../support/core.ts';
import {
  admin,
  BILLING,
  checkOf,
  client,
  createTestService,
  deviations,
  expectRefusal,
  ISSUER,
  ORDERS,
  refreshRequest,
  START,
  tokenRequest,
  user,
} from '../support/core.ts';
import { words } from '../support/words.ts';

const machine = (members: Parameters<typeof client>[0] = {}) =>
  client({ grant_types: ['client_credentials'], redirect_uris: [], ...members });

/** A client with which a user can sign in, too. */
const app = (members: Parameters<typeof client>[0] = {}) =>
  client({
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    ...members,
  });

function withMachine(options: TestServiceOptions = {}) {
  const made = createTestService({ clients: [machine(), admin()], ...options });
  return {
    ...made,
    ask: (parameters: RequestParameters = {}, members?: Partial<TokenRequest>) =>
      made.evaluate(refreshRequest({ grant_type: 'client_credentials', ...parameters }, members)),
  };
}

describe('what is issued', () => {
  test.each(PROFILES)(
    'RFC 6749 4.4.3 (%s): only an access token, whose sub is the client',
    async (profile) => {
      const { ask, answered } = withMachine({ settings: { profile } });
      const answer = answered(await ask());
      expect(answer).toEqual({
        access_token: expect.any(String) as string,
        token_type: 'Bearer',
        expires_in: 86_400,
      });
      expect(decodeJwt(answer.access_token)).toMatchObject({
        iss: ISSUER,
        sub: 'demo-app',
        client_id: 'demo-app',
        aud: ISSUER,
      });
    },
  );

  test('behaviour 7.16, RFC 6749 4.4.3: openid and offline_access give neither an id_token nor a refresh token', async () => {
    const { ask, answered } = withMachine({
      clients: [machine({ grant_types: ['client_credentials', 'refresh_token'] })],
    });
    const answer = answered(await ask({ scope: 'openid offline_access' }));
    expect(Object.keys(answer)).toEqual(['access_token', 'token_type', 'expires_in']);
  });

  test('RFC 9068 5: the token has no claims of a user with the same name as the client', async () => {
    const { ask, signIn, answered } = withMachine({
      clients: [app({ claims: { tier: 'gold' } })],
      users: [user({ sub: 'demo-app', claims: { role: 'admin' } })],
    });
    const own = decodeJwt(answered(await ask()).access_token);
    expect(own).toMatchObject({ sub: 'demo-app', tier: 'gold' });
    expect(own).not.toHaveProperty('role');
    const users = decodeJwt((await signIn()).access_token);
    expect(users).toMatchObject({ sub: 'demo-app', tier: 'gold', role: 'admin' });
  });

  test.each(['rfc9068', 'opaque'] as const)(
    'RFC 9068 5 (%s): userinfo and introspection do not describe that user either',
    async (access_token_format) => {
      const bench = withMachine({
        clients: [machine({ access_token_format })],
        users: [user({ sub: 'demo-app', email: 'ada@example.test' })],
      });
      const { access_token } = bench.answered(await bench.ask({ scope: 'openid email' }));
      const { introspect, userinfo } = presenting(bench);
      const { answer } = await introspect(access_token);
      expect(answer).toMatchObject({ active: true, sub: 'demo-app' });
      expect(answer).not.toHaveProperty('username');
      expectRefusal(await userinfo(access_token), 'access_token_of_client');
    },
  );

  test('behaviour 2: the token has the lifetime and format of the client', async () => {
    const { ask, answered } = withMachine({
      clients: [machine({ access_token_expires_in: 60, access_token_format: 'opaque' })],
    });
    const { access_token, expires_in } = answered(await ask());
    expect([expires_in, access_token.includes('.')]).toEqual([60, false]);
  });

  test('behaviour 4: each grant has a lineage of its own, which can be revoked', async () => {
    const { ask, answered, service, stores } = withMachine();
    const first = await ask();
    const second = await ask();
    const { lineage } = first.evaluation;
    if (lineage === null) throw new Error('no lineage');
    expect(lineage).not.toBe(second.evaluation.lineage);
    expect(lineage.user_sub).toBeNull();
    answered(first);
    expect(await stores.findLineage(lineageId(lineage))).toBe(lineage);
    await service.revokeLineage(lineage);
    const states = (await stores.list(10, Infinity)).map((one) => stateOf(one, START));
    expect(states.sort()).toEqual(['active', 'revoked']);
  });
});

describe('the audience', () => {
  test.each(PROFILES)('RFC 8707 2 (%s): is named by audience or resource', async (profile) => {
    const { ask } = withMachine({ settings: { profile } });
    for (const parameters of [{ audience: BILLING }, { resource: BILLING }]) {
      const outcome = await ask(parameters);
      expect(outcome.evaluation.lineage?.audience).toBe(BILLING);
      expect(deviations(outcome)).toEqual([]);
    }
  });

  test('behaviour 7.16: is the client’s default when the request names none', async () => {
    const outcome = await withMachine({ clients: [machine({ default_audience: ORDERS })] }).ask();
    expect(outcome.evaluation.lineage?.audience).toBe(ORDERS);
    expect(deviations(outcome)).toEqual([]);
    expect(checkOf(outcome, 'audience')).toEqual({
      id: 'audience',
      rule: 'The audience is registered',
      section: 'RFC 8707 2',
      expected: null,
      got: ORDERS,
      verdict: 'passed',
      tolerated: false,
      note: 'not sent: the default was used',
    });
  });

  test.each([{ audience: 'https://x.example/' }, { resource: 'https://x.example/' }])(
    'RFC 8707 2: is invalid_target when unknown (%j)',
    async (parameters) => {
      const { refusal } = await withMachine().ask(parameters);
      expect(refusal).toMatchObject({
        reason: 'audience_unknown',
        description: `${Object.keys(parameters).join()} must be the URI of a registered API (RFC 8707)`,
      });
    },
  );

  test('RFC 8707 2: must be the same in audience and resource', async () => {
    const { ask, answered } = withMachine();
    answered(await ask({ audience: ORDERS, resource: ORDERS }));
    expectRefusal(await ask({ audience: ORDERS, resource: BILLING }), 'resource_differs');
  });
});

describe('the scope', () => {
  test('RFC 6749 3.3: is granted as requested, and returned only when it differs', async () => {
    const { ask, answered } = withMachine();
    const outcome = await ask({ audience: ORDERS, scope: 'orders:read orders:write' });
    const answer = answered(outcome);
    expect(answer).not.toHaveProperty('scope');
    expect(decodeJwt(answer.access_token)['scope']).toBe('orders:read orders:write');
    const twice = answered(await ask({ audience: ORDERS, scope: 'orders:read orders:read' }));
    expect(twice.scope).toBe('orders:read');
  });

  test.each(['documented', 'strict'] as const)(
    'behaviour 1 (%s): is invalid_scope when the audience does not define it',
    async (profile) => {
      const { ask } = withMachine({ settings: { profile } });
      const outcome = await ask({ audience: ORDERS, scope: 'orders:read billing:read' });
      expectRefusal(outcome, 'scope_unknown');
    },
  );

  test('behaviour 1 (interop): is dropped and noted when the audience does not define it', async () => {
    const { ask, answered } = withMachine({ settings: { profile: 'interop' } });
    const outcome = await ask({ audience: ORDERS, scope: 'orders:read billing:read' });
    expect(answered(outcome).scope).toBe('orders:read');
    expect(deviations(outcome)).toEqual(['unknown_scope_dropped: billing:read']);
  });

  test('RFC 6749 3.3: is invalid_scope when malformed', async () => {
    expectRefusal(await withMachine().ask({ scope: 'a"b' }), 'scope_malformed');
  });
});

describe('the body format', () => {
  const json = { content_type: 'json' } as const;

  test.each(['documented', 'interop'] as const)(
    'RFC 6749 4.4.2 (%s): JSON is accepted besides the documented form, and noted',
    async (profile) => {
      const { ask } = withMachine({ settings: { profile } });
      expect(deviations(await ask({}, json))).toEqual(['other_content_type: JSON']);
    },
  );

  test('RFC 6749 4.4.2 (strict): only a form is accepted', async () => {
    const outcome = await withMachine({ settings: { profile: 'strict' } }).ask({}, json);
    expectRefusal(outcome, 'content_type_not_documented');
  });

  test('behaviour 1: parameters of other grants are ignored and noted', async () => {
    const outcome = await withMachine().ask({ redirect_uri: 'https://x.example/', code: 'x' });
    expect(deviations(outcome)).toEqual(['unknown_parameters: redirect_uri, code']);
  });
});

describe('throttling', () => {
  const limited = { throttle: { limit: 2, window_seconds: 60 } };

  test('behaviour 5.4: requests without a credential are counted by client and address', async () => {
    const { ask, answered, service, advance } = withMachine({
      settings: limited,
      clients: [machine(), admin({ grant_types: ['client_credentials'] })],
    });
    answered(await ask());
    answered(await ask({ audience: ORDERS }));
    const refusal = expectRefusal(await ask(), 'throttled');
    expect(refusal.description).toBe(
      'too many requests with this client from this address; retry in 60 s',
    );
    expect(service.throttle.list()).toMatchObject([{ kind: 'client', client_id: 'demo-app' }]);
    answered(await ask({}, { ip: '192.0.2.7' }));
    answered(await ask({ client_id: 'admin', client_secret: 'admin-secret' }));
    advance(60);
    answered(await ask());
  });

  test('behaviour 5.4: a code with the same text as the client_id is counted separately', async () => {
    const { ask, answered, evaluate, service } = withMachine({
      settings: limited,
      clients: [machine({ grant_types: ['authorization_code', 'client_credentials'] })],
    });
    for (const code of ['demo-app', 'demo-app 127.0.0.1 client', 'demo-app client']) {
      await evaluate(tokenRequest({ code }));
    }
    answered(await ask());
    const counters = service.throttle.list();
    expect(counters.filter(({ kind }) => kind === 'client')).toMatchObject([{ used: 1 }]);
    expect(new Set(counters.map(({ id }) => id)).size).toBe(4);
  });
});

describe('redundant token requests', () => {
  test('spec 1.4: a request while the token is valid adds an advisory, without changing the response', async () => {
    const { ask, answered, advance } = withMachine();
    expect((await ask()).evaluation.advisories).toEqual([]);
    advance(3600);
    const again = await ask();
    answered(again);
    expect(again.evaluation.advisories).toEqual([{ kind: 'over_fetch', seconds_left: 82_800 }]);
    expect(again.evaluation.advisories.map(describeAdvisory)).toMatchObject([
      { section: 'spec 1.4, 8.2' },
    ]);
  });

  test('spec 1.4: a request for another audience or scope, or near expiry, adds no advisory', async () => {
    const { ask, advance } = withMachine();
    await ask({ audience: ORDERS });
    expect((await ask({ audience: BILLING })).evaluation.advisories).toEqual([]);
    const other = await ask({ audience: ORDERS, scope: 'orders:read' });
    expect(other.evaluation.advisories).toEqual([]);
    advance(86_400 - 600);
    expect((await ask({ audience: ORDERS })).evaluation.advisories).toEqual([]);
  });

  test('behaviour 5: a user with the same name as the client is treated separately', async () => {
    const { ask, signIn } = withMachine({ clients: [app()], users: [user({ sub: 'demo-app' })] });
    await signIn();
    expect((await ask({ audience: ORDERS })).evaluation.advisories).toEqual([]);
  });
});

test('behaviour 3: the trace has every check in the order of evaluation', async () => {
  const outcome = await withMachine().ask({ audience: ORDERS, scope: 'orders:read' });
  const verdicts = describeChecks(outcome.evaluation, false).map(({ id, verdict }) => [
    id,
    verdict,
  ]);
  expect(verdicts.slice(3)).toEqual(
    words(
      'grant_type grant_content_type query authorization_header client_id client_secret',
      'grant_allowed parameters throttle audience scope',
    ).map((id) => [id, 'passed']),
  );
});
