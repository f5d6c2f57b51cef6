// Names of secrets are recognized in any spelling; similar names are shown.

import { expect, it, test } from 'vitest';
import { REFUSALS } from '../../src/core/checks/refusals/index.ts';
import { isSecretName } from '../../src/redact/names.ts';
import { redactorOf } from '../support/redactor.ts';
import { words } from '../support/words.ts';

const redactor = redactorOf();

it.each([
  ...words(
    'client_secret clientSecret ClientSecret Client-Secret CLIENT_SECRET CLIENTSECRET',
    'x-client-secret X_Client_Secret client.secret client[secret] client_secret[0]',
    'client%5Fsecret client%255Fsecret x_code %20x-code',
  ),
  'client\\u005fsecret',
  ...words(
    'old_client_secret api_key apiKey X-Api-Key refreshToken access-token tokens token2',
    'id_token_hint code x-code device_code code_verifier codeVerifier client_assertion',
    'password Authorization X-Forwarded-Authorization Proxy-Authorization Set-Cookie',
    'Cookie',
  ),
])('%s is the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

it.each([
  ...words(
    'client_id grant_type token_type token_type_hint token_endpoint',
    'token_endpoint_auth_method client_secret_expires_at client_assertion_type',
    'code_challenge code_challenge_method response_type authorization_endpoint expires_in',
    'status_code error scope state sub kid keys',
  ),
  '',
])('%s is not the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(false);
});

test('the error responses of the service stay unchanged', () => {
  for (const { summary, advice, description } of Object.values(REFUSALS)) {
    for (const words of [summary, advice, description]) {
      const text = typeof words === 'function' ? words({ expected: 'x', field: 'code' }) : words;
      if (text !== undefined) expect(redactor.words(text)).toBe(text);
    }
  }
});

test.each([
  ['WWW-Authenticate', 'Bearer realm="grantbench", error="invalid_token", scope="openid"'],
  ['WWW-Authenticate', 'Basic realm="x y"'],
  ['Accept', 'text/html, application/json;q=0.9, */*;q=0.8'],
  ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)'],
  [
    'Content-Security-Policy',
    "default-src 'none'; style-src 'sha256-q3ZkT0V1bmRlcl9zY29yZS1kYXNoX2FuZC1tb3JlLWI2='",
  ],
  ['Cache-Control', 'no-store'],
  ['Origin', 'http://localhost:3000'],
  ['Sec-Fetch-Mode', 'cors'],
])('%s: %s is shown', (name, value) => {
  expect(redactor.headerValue(name, value)).toBe(value);
});

test.each([
  ['X-Upstream', 'Basic dXNlcjpwYXNzd29yZA==', 'Basic [redacted]'],
  ['X-Upstream', 'user=x, Bearer abc.def', 'user=x, Bearer [redacted]'],
  ['X-Original-URL', '/cb?code=abc&state=x', '/cb?code=[redacted]&state=x'],
  [
    'Link',
    '<http://a.test/?access_token=abc>; rel="next"',
    '<http://a.test/?access_token=[redacted]',
  ],
  ['X-Forwarded-Authorization', 'Basic dXNlcjpwYXNz', 'Basic [redacted]'],
  ['X-Client-Secret', 'abc', '[redacted]'],
])('%s: %s is redacted although no value in it is known', (name, value, shown) => {
  expect(redactor.headerValue(name, value)).toBe(shown);
});
