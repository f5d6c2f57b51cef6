// Which redirect URIs belong to a client: an exact match (RFC 9700 2.1), and RFC 8252 7.3 for native clients.

import { describe, expect, test } from 'vitest';
import { isOwnRedirectUri } from '../../src/core/records/redirect-uri.ts';
import { client, createTestService, expectRefusal } from '../support/core.ts';

const REGISTERED = [
  'http://127.0.0.1/cb',
  'http://[::1]:4000/cb',
  'http://localhost:3000/cb?app=1',
  'https://app.example:8443/cb',
  'com.example.app:/cb',
];
const native = client({ application_type: 'native', redirect_uris: REGISTERED });
const web = client({ redirect_uris: REGISTERED });

describe('a native client', () => {
  test.each([
    ...REGISTERED,
    'http://127.0.0.1:51234/cb',
    'http://[::1]/cb',
    'http://[::1]:1/cb',
    'http://localhost/cb?app=1',
    'http://localhost:65535/cb?app=1',
  ])('RFC 8252 7.3: accepts %s', (uri) => {
    expect(isOwnRedirectUri(native, uri)).toBe(true);
  });

  test.each([
    'http://127.0.0.1:51234/cb/',
    'http://127.0.0.1:51234/',
    'http://127.0.0.1:51234/cb?x=1',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1:/cb',
    'http://127.0.0.2/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://127.0.0.1:80@evil.example/cb',
    'https://127.0.0.1/cb',
    'http://LOCALHOST:3000/cb?app=1',
    'http://localhost:3000/cb',
    'https://app.example/cb',
    'https://app.example:8444/cb',
    'com.example.app:/cb/',
  ])('RFC 8252 7.3: rejects %s', (uri) => {
    expect(isOwnRedirectUri(native, uri)).toBe(false);
  });
});

test('RFC 9700 2.1: a web client accepts each registered URI, and no other port', () => {
  for (const uri of REGISTERED) expect(isOwnRedirectUri(web, uri)).toBe(true);
  expect(isOwnRedirectUri(web, 'http://127.0.0.1:51234/cb')).toBe(false);
});

test('control: a code can be issued for a native client at any loopback port, and is redeemed only with that URI', async () => {
  const { issueCode, exchange, answered } = createTestService({ clients: [native] });
  const redirect_uri = 'http://127.0.0.1:51234/cb';
  const { value } = await issueCode({ redirect_uri });
  const elsewhere = await exchange(value, { redirect_uri: 'http://127.0.0.1:51235/cb' });
  expectRefusal(elsewhere, 'redirect_uri_differs');
  answered(await exchange(value, { redirect_uri }));
});
