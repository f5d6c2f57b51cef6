// How exchanges of the app under test are explained, and which callbacks cannot be registered.

import { describe, expect, it } from 'vitest';
import { problemOfUri } from '../../src/renderer/views/flow/callback.ts';
import { apiOutcome, meaningOf } from '../../src/renderer/views/flow/meaning.ts';
import { faultWords, resultLine } from '../../src/renderer/exchange/answer.ts';
import { exchangeOf } from '../support/exchanges.ts';

it('a fault rule is named wherever its response has a one-line summary', () => {
  const fault = { id: 'down', name: 'Down for a while', what: 'Sent 503.' };
  const text = 'Injected fault “Down for a while”: Sent 503.';
  const exchange = exchangeOf({ status: 503, fault });
  expect(resultLine(exchange)).toContain(text);
  expect(faultWords({ ...fault, name: '' })).toBe('Injected fault “down”: Sent 503.');
  expect(apiOutcome(exchange)).toEqual({ status: 'rejected', badge: '503', text });
});

describe('the meaning of a request from the app', () => {
  const issued = (...kinds: ('code' | 'access_token' | 'refresh_token')[]) =>
    kinds.map((kind) => ({ kind, id: 'id', lineage_id: 'lineage' }));

  const authentication = 'none' as const;
  const SIGN_IN = { form: 'f', scopes: [] as string[], authentication, one_time_code: null };
  it.each([
    [{ path: '/.well-known/openid-configuration' }, /read the metadata/],
    [{ path: '/.well-known/jwks.json' }, /JWK Set/],
    [{ path: '/authorize', sign_in: SIGN_IN }, /sign-in page/],
    [
      { path: '/authorize', status: 303, issued: issued('code') },
      /^A code was issued\. .*returns the code/,
    ],
    [{ issued: issued('access_token', 'refresh_token') }, /an access token and a refresh token\.$/],
    [{ path: '/nowhere', status: 404 }, /no endpoint/],
  ])('%j', (members, words) => {
    expect(meaningOf(exchangeOf(members))).toMatch(words);
  });

  it('is null when the status already says everything', () => {
    expect(meaningOf(exchangeOf({ path: '/userinfo' }))).toBeNull();
  });
});

it.each(['', 'callback', 'http://localhost:3000/#x', 'javascript:alert(1)'])(
  'a callback that cannot be registered is rejected: %j',
  (uri) => {
    expect(problemOfUri(uri, 'callback')).toMatch(/^The callback /);
  },
);
