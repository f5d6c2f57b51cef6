// Behaviour 1: each row of the table of profiles under each profile.

import { describe, expect, test } from 'vitest';
import type { AuthorizationOrder } from '../../src/core/authorization/authorize.ts';
import type { TokenRequest } from '../../src/core/model/request.ts';
import type { Profile } from '../../src/core/records/schemas.ts';
import type { RequestParameters } from '../support/core.ts';
import {
  BILLING,
  client,
  createTestService,
  deviations,
  expectRefusal,
  ISSUER,
  ORDERS,
  REDIRECT_URI,
} from '../support/core.ts';

const PROFILES: readonly Profile[] = ['documented', 'strict', 'interop'];
const lenient = PROFILES.filter((profile) => profile !== 'strict');
const narrow = PROFILES.filter((profile) => profile !== 'interop');
const withProfile = (profile: Profile) => createTestService({ settings: { profile } });

/** With a code of the demo client, and its exchange. */
async function withCode(profile: Profile, order?: Partial<AuthorizationOrder>) {
  const bench = withProfile(profile);
  const code = await bench.issueCode(order);
  type Sent = [parameters?: RequestParameters, members?: Partial<TokenRequest>];
  return { ...bench, exchange: (...sent: Sent) => bench.exchange(code.value, ...sent) };
}

test('behaviour 1.1: the documented profile is the default', async () => {
  const { service, exchange, issueCode } = createTestService();
  expect(service.settings().profile).toBe('documented');
  expect((await exchange((await issueCode()).value)).evaluation.profile).toBe('documented');
});

test('behaviour 1.1: a client record overrides the workspace profile, in both directions', async () => {
  const { service, issueCode, exchange } = withProfile('strict');
  const code = (await issueCode()).value;
  service.registry.clients.put(client({ profile: 'documented' }));
  const lenientOne = await exchange(code, {}, { content_type: 'form' });
  expect(lenientOne.evaluation.profile).toBe('documented');
  expect(lenientOne.answer).not.toBeNull();

  const other = withProfile('interop');
  other.service.registry.clients.put(client({ profile: 'strict' }));
  const strictOne = await other.exchange('x', {}, { content_type: 'form' });
  expect(strictOne.evaluation.profile).toBe('strict');
  expect(strictOne.refusal?.reason).toBe('content_type_not_documented');
});

describe('the body format', () => {
  test.each(PROFILES)(
    'spec 4.1, 4.1.1, 4.1.2, behaviour 1 (%s): JSON for the code and a form for the refresh are no deviation',
    async (profile) => {
      const { exchange, refresh } = await withCode(profile);
      const exchanged = await exchange();
      expect(deviations(exchanged)).toEqual([]);
      const refreshed = await refresh(exchanged.answer?.refresh_token ?? '');
      expect(refreshed.answer).not.toBeNull();
      expect(deviations(refreshed)).toEqual([]);
    },
  );

  test.each(lenient)(
    'spec 4.1, 4.1.3, behaviour 1.3 (%s): the other format is accepted for both, and noted',
    async (profile) => {
      const { exchange, refresh } = await withCode(profile);
      const form = await exchange({}, { content_type: 'form' });
      expect(deviations(form)).toEqual(['other_content_type: a form']);
      const json = await refresh(form.answer?.refresh_token ?? '', {}, { content_type: 'json' });
      expect(json.answer).not.toBeNull();
      expect(deviations(json)).toEqual(['other_content_type: JSON']);
    },
  );

  test('spec 4.1, behaviour 1.3 (strict): the other format is invalid_request for both and consumes nothing', async () => {
    const { exchange, refresh, answered } = await withCode('strict');
    const form = await exchange({}, { content_type: 'form' });
    expect(expectRefusal(form, 'content_type_not_documented').description).toBe(
      'the Content-Type for this grant_type must be application/json',
    );
    const { refresh_token = '' } = answered(await exchange());
    const json = await refresh(refresh_token, {}, { content_type: 'json' });
    expect(expectRefusal(json, 'content_type_not_documented').facts).toEqual({
      field: 'grant_type',
      expected: 'application/x-www-form-urlencoded',
      got: 'application/json',
    });
    answered(await refresh(refresh_token));
  });
});

describe('audience on authorization_code', () => {
  test.each(narrow)('spec 4.1.1, behaviour 1.4 (%s): audience is required', async (profile) => {
    const { exchange } = await withCode(profile);
    expectRefusal(await exchange({ audience: undefined }), 'parameter_missing');
  });

  test.each(narrow)('behaviour 1 (%s): resource does not replace audience', async (profile) => {
    const { exchange } = await withCode(profile);
    const outcome = await exchange({ audience: undefined, resource: ORDERS });
    expect(outcome.refusal?.facts).toEqual({ field: 'audience' });
  });

  test.each([
    ['the issuer', null, undefined, ISSUER],
    ["the client's default audience", BILLING, undefined, BILLING],
    ['the audience of the authorization', BILLING, ORDERS, ORDERS],
  ])(
    'behaviour 1.4 (interop): without audience, %s is used, which is noted',
    async (_, default_audience, authorized, expected) => {
      const { service, issueCode, exchange } = withProfile('interop');
      service.registry.clients.put(client({ default_audience }));
      const code = await issueCode(authorized === undefined ? {} : { audience: authorized });
      const outcome = await exchange(code.value, { audience: undefined });
      expect(outcome.answer).not.toBeNull();
      expect(outcome.evaluation.lineage?.audience).toBe(expected);
      expect(deviations(outcome)).toEqual([`audience_defaulted: ${expected}`]);
    },
  );

  test('behaviour 1.4 (interop): resource of RFC 8707 is read as audience', async () => {
    const { exchange } = await withCode('interop');
    const outcome = await exchange({ audience: undefined, resource: BILLING });
    expect(outcome.evaluation.lineage?.audience).toBe(BILLING);
    expect(deviations(outcome)).toEqual(['resource_as_audience']);
  });

  test('behaviour 1.4 (interop): audience and resource must agree', async () => {
    const { exchange, answered } = await withCode('interop');
    expectRefusal(await exchange({ resource: BILLING }), 'resource_differs');
    answered(await exchange({ resource: ORDERS }));
  });

  test('RFC 6749 3.2 (interop): an optional parameter without a value counts as absent', async () => {
    const { exchange } = await withCode('interop');
    const outcome = await exchange({ audience: '', resource: BILLING });
    expect(outcome.evaluation.lineage?.audience).toBe(BILLING);
  });
});

describe('redirect_uri on authorization_code', () => {
  test.each(narrow)('spec 4.1.1, behaviour 1.5 (%s): redirect_uri is required', async (profile) => {
    const { exchange } = await withCode(profile);
    const outcome = await exchange({ redirect_uri: undefined });
    expect(expectRefusal(outcome, 'parameter_missing').facts).toEqual({ field: 'redirect_uri' });
  });

  test.each([undefined, ''])(
    'behaviour 1.5 (interop): redirect_uri is required if the authorization request contained it; %j is rejected',
    async (redirect_uri) => {
      const { exchange, answered } = await withCode('interop');
      expectRefusal(await exchange({ redirect_uri }), 'parameter_missing');
      answered(await exchange());
    },
  );

  test.each(PROFILES)(
    'behaviour 1.5 (%s): a redirect_uri that differs is invalid_grant',
    async (profile) => {
      const { exchange } = await withCode(profile);
      const outcome = await exchange({ redirect_uri: `${REDIRECT_URI}/` });
      expectRefusal(outcome, 'redirect_uri_differs');
    },
  );

  test.each(['documented', 'interop'] as const)(
    'behaviour 1 (%s): only interop depends on whether the authorization request contained a redirect_uri',
    async (profile) => {
      const { stores, issueCode, exchange, clock } = withProfile(profile);
      const code = await issueCode();
      const bare = { ...code, value: 'bare', redirect_uri_given: false, queue_index: -1 };
      await stores.insertCode(bare, clock.now());
      const outcome = await exchange('bare', { redirect_uri: undefined });
      if (profile === 'documented') {
        expectRefusal(outcome, 'parameter_missing');
      } else {
        expect(outcome.answer).not.toBeNull();
        expect(deviations(outcome)).toEqual(['redirect_uri_omitted']);
      }
    },
  );
});

describe('behaviour 1.9: unknown parameters', () => {
  test.each(narrow)(
    'behaviour 1, RFC 6749 3.2 (%s): they are ignored and noted',
    async (profile) => {
      const { exchange } = await withCode(profile);
      const unknown = { state: 'x', favourite_colour: 'blue', 'another one': 'y' };
      const outcome = await exchange(unknown);
      expect(outcome.answer).not.toBeNull();
      expect(deviations(outcome)).toEqual(['unknown_parameters: state, a parameter']);
    },
  );

  test('behaviour 1 (interop): they are ignored', async () => {
    const { exchange } = await withCode('interop');
    const outcome = await exchange({ favourite_colour: 'blue' });
    expect(outcome.answer).not.toBeNull();
    expect(deviations(outcome)).toEqual([]);
  });
});

describe('spec 4.1, behaviour 1.10: credentials in the query string', () => {
  test.each(lenient)('behaviour 1 (%s): they are ignored and noted as a leak', async (profile) => {
    const { exchange } = await withCode(profile);
    const outcome = await exchange({}, { query: ['client_secret', 'code', 'utm_source'] });
    expect(outcome.answer).not.toBeNull();
    expect(deviations(outcome)).toEqual(['query_credentials: client_secret, code']);
  });

  test('behaviour 1 (strict): they are invalid_request and consume nothing, while other names are accepted', async () => {
    const { exchange, answered } = await withCode('strict');
    for (const name of ['client_secret', 'code', 'refresh_token', 'code_verifier']) {
      expectRefusal(await exchange({}, { query: [name] }), 'query_credentials');
    }
    answered(await exchange({}, { query: ['utm_source'] }));
  });
});

describe('a scope that the audience does not know', () => {
  const order = { scope: 'orders:read openid' };

  test.each(narrow)(
    'behaviour 1.11 (%s): it is invalid_scope and consumes nothing',
    async (profile) => {
      const { exchange, answered } = await withCode(profile, order);
      const refusal = expectRefusal(await exchange({ audience: BILLING }), 'scope_unknown');
      expect(refusal.facts).toEqual({ expected: BILLING, got: 'orders:read' });
      answered(await exchange({ audience: ORDERS }));
    },
  );

  test('behaviour 1.11 (interop): it is dropped, noted, and the response contains the granted scope', async () => {
    const { exchange } = await withCode('interop', order);
    const outcome = await exchange({ audience: BILLING });
    expect(outcome.answer).toMatchObject({ scope: 'openid' });
    expect(deviations(outcome)).toEqual(['unknown_scope_dropped: orders:read']);
  });

  test('behaviour 1 (interop): a refresh does not restore a scope that the exchange dropped', async () => {
    const { issueCode, exchange, refresh, answered } = withProfile('interop');
    const { value, lineage } = await issueCode(order);
    const answer = answered(await exchange(value, { audience: BILLING }));
    expect(lineage.scope).toBe('openid');
    const outcome = await refresh(answer.refresh_token ?? '', { scope: 'orders:read openid' });
    expect(outcome.answer).toMatchObject({ scope: 'openid' });
  });

  test('behaviour 1 (interop): a refresh drops it too, with a note and the granted scope in the response', async () => {
    const { signIn, refresh } = withProfile('interop');
    const { refresh_token } = await signIn(order);
    const outcome = await refresh(refresh_token, { scope: 'openid made:up' });
    expect(outcome.answer).toMatchObject({ scope: 'openid' });
    expect(deviations(outcome)).toEqual(['unknown_scope_dropped: made:up']);
  });
});
