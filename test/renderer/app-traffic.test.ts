// How exchanges of the app under test are explained, and which callbacks belong to a client.

import { describe, expect, it } from 'vitest';
import { isOwnRedirectUri } from '../../src/control/names.ts';
import { problemOfUri } from '../../src/renderer/views/flow/callback.ts';
import { apiOutcome, meaningOf } from '../../src/renderer/views/flow/meaning.ts';
import { faultWords, resultLine } from '../../src/renderer/exchange/answer.ts';
import { exchangeOf } from '../support/exchanges.ts';

describe('a fault rule', () => {
  const fault = { id: 'down', name: 'Down for a while', what: 'Sent 503.' };

  it('is named wherever its response has a one-line summary', () => {
    expect(resultLine(exchangeOf({ status: 503, fault }))).toContain(
      'Injected fault “Down for a while”: Sent 503.',
    );
    expect(faultWords({ ...fault, name: '' })).toBe('Injected fault “down”: Sent 503.');
    expect(apiOutcome(exchangeOf({ status: 503, fault }))).toEqual({
      status: 'rejected',
      badge: '503',
      text: 'Injected fault “Down for a while”: Sent 503.',
    });
  });
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

describe('a callback', () => {
  const client = (application_type: 'web' | 'native', ...redirect_uris: string[]) => ({
    application_type,
    redirect_uris,
  });

  it('belongs to the client when it matches a registered URI exactly', () => {
    const web = client('web', 'http://localhost:3000/callback');
    expect(isOwnRedirectUri(web, 'http://localhost:3000/callback')).toBe(true);
    expect(isOwnRedirectUri(web, 'http://localhost:3000/callback/')).toBe(false);
    expect(isOwnRedirectUri(web, 'http://localhost:3001/callback')).toBe(false);
  });

  it('may use any port on a native client’s loopback address (RFC 8252 7.3)', () => {
    const native = client('native', 'http://127.0.0.1/callback');
    expect(isOwnRedirectUri(native, 'http://127.0.0.1:50123/callback')).toBe(true);
    expect(isOwnRedirectUri(native, 'http://127.0.0.1:50123/other')).toBe(false);
    expect(isOwnRedirectUri(native, 'http://localhost:50123/callback')).toBe(false);
  });

  it.each(['', 'callback', 'http://localhost:3000/#x', 'javascript:alert(1)'])(
    'is rejected when it cannot be registered: %j',
    (uri) => {
      expect(problemOfUri(uri, 'callback')).toMatch(/^The callback /);
    },
  );
});
