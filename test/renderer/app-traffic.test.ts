// Which exchanges are those of the app under test, what they mean, and which callbacks are a client's own.

import { describe, expect, it } from 'vitest';
import { NO_EXCHANGES, withMore } from '../../src/renderer/connection/exchange-window.ts';
import { appTrafficOf } from '../../src/renderer/connect/app-traffic.ts';
import { isOwnRedirectUri } from '../../src/control/loopback-redirect.ts';
import { problemOfUri } from '../../src/renderer/views/flow/redirect-uri.ts';
import { meaningOf } from '../../src/renderer/views/flow/connect/meaning.ts';
import { exchangeOf, exchangeSummary } from '../support/exchanges.ts';

describe('the traffic of the app', () => {
  const of = (number: number, members = {}) => exchangeSummary({ number, ...members });

  it('is nothing before its first request, whatever the workbench and probes have sent', () => {
    expect(appTrafficOf(NO_EXCHANGES)).toBeNull();
    const others = [
      of(1, { sent_by: 'workbench' }),
      of(2, { sent_by: 'command_line' }),
      of(3, { sent_by: 'scenario' }),
      of(4, { sent_by: 'app', path: '/readyz' }),
    ];
    expect(appTrafficOf(withMore(NO_EXCHANGES, others))).toBeNull();
  });

  it('is the first, the newest and the count of its requests, over any number of chunks', () => {
    const all = Array.from({ length: 1000 }, (_, index) =>
      of(index + 1, { sent_by: index % 2 === 0 ? 'workbench' : 'app' }),
    );
    const traffic = appTrafficOf(withMore(NO_EXCHANGES, all));
    expect(traffic).toMatchObject({ first: { number: 2 }, newest: { number: 1000 }, count: 500 });
  });
});

describe('what a request of the app means', () => {
  const issued = (...kinds: ('code' | 'access_token' | 'refresh_token')[]) =>
    kinds.map((kind) => ({ kind, id: 'id', lineage_id: 'lineage' }));

  it.each([
    [{ path: '/.well-known/openid-configuration' }, /read the metadata/],
    [{ path: '/.well-known/jwks.json' }, /public keys/],
    [{ path: '/authorize', sign_in: { form: 'f', scopes: [] } }, /sign-in page/],
    [{ path: '/authorize', status: 303, issued: issued('code') }, /takes the code/],
    [{ issued: issued('access_token', 'refresh_token') }, /an access token and a refresh token\.$/],
    [{ path: '/nowhere', status: 404 }, /no endpoint/],
  ])('%j', (members, words) => {
    expect(meaningOf(exchangeOf(members))).toMatch(words);
  });

  it('is left to the status where there is nothing to add', () => {
    expect(meaningOf(exchangeOf({ path: '/userinfo' }))).toBeNull();
  });
});

describe('a callback', () => {
  const client = (application_type: 'web' | 'native', ...redirect_uris: string[]) => ({
    application_type,
    redirect_uris,
  });

  it('is the client’s own if it is registered character by character', () => {
    const web = client('web', 'http://localhost:3000/callback');
    expect(isOwnRedirectUri(web, 'http://localhost:3000/callback')).toBe(true);
    expect(isOwnRedirectUri(web, 'http://localhost:3000/callback/')).toBe(false);
    expect(isOwnRedirectUri(web, 'http://localhost:3001/callback')).toBe(false);
  });

  it('may vary in its port on the loopback of a native client (RFC 8252 7.3)', () => {
    const native = client('native', 'http://127.0.0.1/callback');
    expect(isOwnRedirectUri(native, 'http://127.0.0.1:50123/callback')).toBe(true);
    expect(isOwnRedirectUri(native, 'http://127.0.0.1:50123/other')).toBe(false);
    expect(isOwnRedirectUri(native, 'http://localhost:50123/callback')).toBe(false);
  });

  it.each(['', 'callback', 'http://localhost:3000/#x', 'javascript:alert(1)'])(
    'that cannot be registered is refused: %j',
    (uri) => {
      expect(problemOfUri(uri, 'callback')).toMatch(/^The callback /);
    },
  );
});
