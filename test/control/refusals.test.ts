// The list of rejections. The deliberate mistakes (test/scenario/mistakes.test.ts) assert that it agrees with real
// responses; these tests cover the places that no mistake reaches.

import { beforeAll, describe, expect, test } from 'vitest';
import { REFUSALS } from '../../src/core/checks/refusals/index.ts';
import type { Exchange, Refusal, RefusalPlace } from '../../src/control/schemas.ts';
import { startHarness } from '../support/harness.ts';
import { shareHarness } from '../support/shared-harness.ts';

const shared = shareHarness();

let items: readonly Refusal[];
beforeAll(async () => {
  ({ items } = await shared().get<{ items: readonly Refusal[] }>('/refusals'));
});

const placesOf = (id: string) => items.find((refusal) => refusal.id === id)?.places ?? [];
const wire = ({ endpoint, delivery, rfc6749: { status, error } }: RefusalPlace) =>
  [endpoint, delivery, status, error] as const;

describe('behaviour 17.4: the list of rejections', () => {
  test('behaviour 17.4: has every reason, each with a place, and each place with a rule', () => {
    expect(items.map(({ id }) => id)).toEqual(Object.keys(REFUSALS));
    const incomplete = items.flatMap(({ id, places }) =>
      places.length > 0 && places.every(({ rule, section }) => rule !== '' && section !== '')
        ? []
        : [id],
    );
    expect(incomplete).toEqual([]);
  });

  test('behaviour 17.4: consists of whole sentences without placeholders', () => {
    const gap = /undefined|\?|…| {2}| [.,;]|\b(a|an|the) (a|an|the)\b/i;
    const texts = items.flatMap(({ id, summary, usual_cause, advice, places }) =>
      [summary, usual_cause, advice, ...places.map(({ rfc6749 }) => rfc6749.description)].map(
        (text) => `${id}: ${text ?? ''}`,
      ),
    );
    expect(texts.filter((text) => gap.test(text))).toEqual([]);
    const causes = items.map(({ usual_cause }) => usual_cause);
    expect(causes.filter((text) => !/^\S.*[^.]\.$/.test(text))).toEqual([]);
  });

  test('behaviour 17.4: a DPoP proof is rejected with 400 at the token endpoint and with 401 where an access token is presented', () => {
    expect(placesOf('dpop_old').map(wire)).toEqual([
      ['token', 'json', 400, 'invalid_dpop_proof'],
      ['par', 'json', 400, 'invalid_dpop_proof'],
      ['userinfo', 'json', 401, 'invalid_dpop_proof'],
      ['api', 'json', 401, 'invalid_dpop_proof'],
    ]);
  });

  test('behaviour 17.4: /authorize redirects only when the redirect URI is known to be valid', () => {
    const reported = (id: string) =>
      placesOf(id)
        .filter(({ endpoint }) => endpoint === 'authorize')
        .map(wire);
    expect(reported('redirect_uri_unregistered')).toEqual([
      ['authorize', 'page', 400, 'invalid_request'],
    ]);
    expect(reported('response_type_unsupported')).toEqual([
      ['authorize', 'redirect', 302, 'unsupported_response_type'],
    ]);
    expect(reported('authorization_denied_by_person')).toEqual([
      ['authorize', 'redirect', 303, 'access_denied'],
    ]);
    expect(reported('unavailable_by_person')).toEqual([
      ['authorize', 'redirect', 303, 'temporarily_unavailable'],
    ]);
  });

  test('behaviour 17.4: a token that is unknown to introspection or revocation gets no error', () => {
    expect(placesOf('token_unknown').map(wire)).toEqual([
      ['revoke', 'none', 200, null],
      ['introspect', 'none', 200, null],
    ]);
  });

  test('behaviour 17.4: names the grant in the auth0 dialect when it decides', () => {
    expect(placesOf('code_redeemed')).toMatchObject([
      {
        grants: ['authorization_code'],
        rfc6749: { status: 400, error: 'invalid_grant' },
        auth0: { status: 403, error: 'invalid_grant', description: 'Invalid authorization code' },
      },
    ]);
    expect(placesOf('client_secret_wrong')[0]).toMatchObject({
      endpoint: 'token',
      auth0: { status: 401, error: 'access_denied', description: 'Unauthorized' },
    });
  });
});

test('behaviour 3.11: the trace of a request that reaches no endpoint has no rules of the token endpoint', async () => {
  const at = await startHarness();
  await fetch(`${at.url()}/.well-known/jwks.json`, { method: 'POST' });
  await fetch(`${at.url()}/nowhere`);
  const traceOf = async (number: number) => {
    const { trace } = await at.get<Exchange>(`/exchanges/${number}`);
    return trace.map(({ rule, verdict }) => [rule, verdict]);
  };
  expect(await traceOf(1)).toEqual([['The path supports the method', 'failed']]);
  expect(await traceOf(2)).toEqual([['There is an endpoint at the path', 'failed']]);
});

test('behaviour 17.4: follows the current dialect and shape', async () => {
  const at = await startHarness();
  const now = async (id: string) => {
    const { items: all } = await at.get<{ items: readonly Refusal[] }>('/refusals');
    return all.find((refusal) => refusal.id === id)?.places[0]?.now;
  };
  expect(await now('code_expired')).toEqual({ status: 400, error: 'invalid_grant' });
  await at.patch('/settings', { dialect: 'auth0' });
  expect(await now('code_expired')).toEqual({ status: 403, error: 'invalid_grant' });
  await at.patch('/settings', { dialect: null });
  await at.api('PUT', '/shape', { errors: [{ reason: 'code_expired', status: 418 }] });
  expect(await now('code_expired')).toEqual({ status: 418, error: 'invalid_grant' });
});
