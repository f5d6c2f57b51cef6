// Behaviour 1: each row of the table of profiles under each profile.

import { describe, expect, test } from 'vitest';
import type { AuthorizationOrder } from '../../src/core/authorization/direct-code.ts';
import type { Profile } from '../../src/core/records/schemas.ts';
import {
  BILLING,
  checkOf,
  client,
  createTestService,
  deviations,
  expectNotes,
  expectRefusal,
  ISSUER,
  ORDERS,
  REDIRECT_URI,
  withCode,
} from '../support/core.ts';

const PROFILES: readonly Profile[] = ['documented', 'strict', 'interop'];
const lenient = PROFILES.filter((profile) => profile !== 'strict');
const narrow = PROFILES.filter((profile) => profile !== 'interop');
const withProfile = (profile: Profile) => createTestService({ settings: { profile } });

/** With a code of the demo client, and its exchange. */
const inProfile = (profile: Profile, order?: Partial<AuthorizationOrder>) =>
  withCode({ settings: { profile } }, order);

test('behaviour 1.1: the documented profile is the default', async () => {
  const { service, redeem } = createTestService();
  expect(service.settings().profile).toBe('documented');
  expect((await redeem()).evaluation.profile).toBe('documented');
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
  expectRefusal(strictOne, 'content_type_not_documented');
});

describe('the body format', () => {
  test.each(PROFILES)(
    'spec 4.1, 4.1.1, 4.1.2, behaviour 1 (%s): JSON for the code and a form for the refresh are no deviation',
    async (profile) => {
      const { send, refresh } = await inProfile(profile);
      const exchanged = await send();
      expect(deviations(exchanged)).toEqual([]);
      expectNotes(await refresh(exchanged.answer?.refresh_token ?? ''));
    },
  );

  test.each(lenient)(
    'spec 4.1, 4.1.3, behaviour 1.3 (%s): the other format is accepted for both, and noted',
    async (profile) => {
      const { send, refresh } = await inProfile(profile);
      const form = await send({}, { content_type: 'form' });
      expect(deviations(form)).toEqual(['other_content_type: a form']);
      const json = await refresh(form.answer?.refresh_token ?? '', {}, { content_type: 'json' });
      expectNotes(json, 'other_content_type: JSON');
    },
  );

  test('spec 4.1, behaviour 1.3 (strict): the other format is invalid_request for both and consumes nothing', async () => {
    const { send, refresh, answered } = await inProfile('strict');
    const form = await send({}, { content_type: 'form' });
    expect(expectRefusal(form, 'content_type_not_documented').description).toBe(
      'the Content-Type for this grant_type must be application/json',
    );
    const { refresh_token = '' } = answered(await send());
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
  test.each(narrow)(
    'spec 4.1.1, behaviour 1.4 (%s): audience is required, and resource does not replace it',
    async (profile) => {
      const { send } = await inProfile(profile);
      for (const resource of [undefined, ORDERS]) {
        const outcome = await send({ audience: undefined, resource });
        expect(expectRefusal(outcome, 'parameter_missing').facts).toEqual({ field: 'audience' });
      }
    },
  );

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
      expect(outcome.evaluation.lineage?.audience).toBe(expected);
      expectNotes(outcome, `audience_defaulted: ${expected}`);
    },
  );

  test.each([undefined, ''])(
    'behaviour 1.4, RFC 6749 3.2 (interop): with an audience of %j, resource of RFC 8707 is read as audience',
    async (audience) => {
      const { send } = await inProfile('interop');
      const outcome = await send({ audience, resource: BILLING });
      expect(outcome.evaluation.lineage?.audience).toBe(BILLING);
      expectNotes(outcome, 'resource_as_audience');
    },
  );

  test('behaviour 1.4 (interop): audience and resource must agree', async () => {
    const { send, answered } = await inProfile('interop');
    expectRefusal(await send({ resource: BILLING }), 'resource_differs');
    answered(await send({ resource: ORDERS }));
  });
});

describe('redirect_uri on authorization_code', () => {
  test.each(narrow)('spec 4.1.1, behaviour 1.5 (%s): redirect_uri is required', async (profile) => {
    const { send } = await inProfile(profile);
    const outcome = await send({ redirect_uri: undefined });
    expect(expectRefusal(outcome, 'parameter_missing').facts).toEqual({ field: 'redirect_uri' });
  });

  test.each([undefined, ''])(
    'behaviour 1.5 (interop): redirect_uri is required if the authorization request contained it; %j is rejected',
    async (redirect_uri) => {
      const { send, answered } = await inProfile('interop');
      const refusal = expectRefusal(await send({ redirect_uri }), 'parameter_missing');
      expect(refusal.facts).toEqual({ field: 'redirect_uri' });
      answered(await send());
    },
  );

  test.each(PROFILES)(
    'behaviour 1.5 (%s): a redirect_uri that differs is invalid_grant',
    async (profile) => {
      const { send } = await inProfile(profile);
      expectRefusal(await send({ redirect_uri: `${REDIRECT_URI}/` }), 'redirect_uri_differs');
    },
  );

  test.each(['documented', 'interop'] as const)(
    'behaviour 1 (%s): only interop depends on whether the authorization request contained a redirect_uri',
    async (profile) => {
      const { stores, issueCode, exchange, clock } = withProfile(profile);
      const code = await issueCode();
      const bare = { ...code, value: 'bare', redirect_uri_given: false, queue_index: -1 };
      await stores.insertCode(bare, clock.now());
      const other = await exchange('bare', { redirect_uri: `${REDIRECT_URI}/` });
      expectRefusal(other, 'redirect_uri_differs');
      const outcome = await exchange('bare', { redirect_uri: undefined });
      if (profile === 'documented') {
        expectRefusal(outcome, 'parameter_missing');
      } else {
        expectNotes(outcome, 'redirect_uri_omitted');
        const note = 'the authorization request had none';
        expect(checkOf(outcome, 'redirect_uri')).toMatchObject({ verdict: 'passed', note });
      }
    },
  );
});

test.each(PROFILES)(
  'behaviour 1.9, RFC 6749 3.2 (%s): unknown parameters are ignored, which only interop does not note',
  async (profile) => {
    const { send } = await inProfile(profile);
    const unknown = await send({ state: 'x', favourite_colour: 'blue', 'another one': 'y' });
    const noted = ['unknown_parameters: state, a parameter'];
    expectNotes(unknown, ...(profile === 'interop' ? [] : noted));
  },
);

describe('spec 4.1, behaviour 1.10: credentials in the query string', () => {
  test.each(lenient)('behaviour 1 (%s): they are ignored and noted as a leak', async (profile) => {
    const { send } = await inProfile(profile);
    const outcome = await send({}, { query: ['client_secret', 'code', 'utm_source'] });
    expectNotes(outcome, 'query_credentials: client_secret, code');
  });

  test('behaviour 1 (strict): they are invalid_request and consume nothing, while other names are accepted', async () => {
    const { send, answered } = await inProfile('strict');
    for (const name of ['client_secret', 'code', 'refresh_token', 'code_verifier']) {
      const query = [name, 'client_id', 'utm_source'];
      const refusal = expectRefusal(await send({}, { query }), 'query_credentials');
      expect(refusal.facts).toEqual({ got: `${name}, client_id` });
    }
    answered(await send({}, { query: ['utm_source'] }));
  });
});

describe('a scope that the audience does not know', () => {
  const order = { scope: 'orders:read openid' };

  test.each(narrow)(
    'behaviour 1.11 (%s): it is invalid_scope and consumes nothing',
    async (profile) => {
      const { send, answered } = await inProfile(profile, order);
      const refusal = expectRefusal(await send({ audience: BILLING }), 'scope_unknown');
      expect(refusal.facts).toEqual({ expected: BILLING, got: 'orders:read' });
      answered(await send({ audience: ORDERS }));
    },
  );

  test('behaviour 1.11 (interop): it is dropped, noted, and the response contains the granted scope', async () => {
    const { send } = await inProfile('interop', order);
    const outcome = await send({ audience: BILLING });
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
