// How third-party clients react to each fault: the message that a developer sees in the log, and whether the client
// notices the fault.

import * as openid from 'openid-client';
import { AuthorizationCode } from 'simple-oauth2';
import { describe, expect, it } from 'vitest';
import { FAULT_PRESETS } from '../../src/core/faults/presets.ts';
import { faultSchema } from '../../src/core/records/schemas.ts';
import { REDIRECT_URI, SECRET, sharedHttpService } from '../support/http-service.ts';
import { callbackUrl, openidClient } from '../support/token-endpoints.ts';

const http = await sharedHttpService();
// The client validates the ID token by the machine clock.
http.service.ports.clock.set(Date.now());

/** The preset without its delay. */
function arm(id: string) {
  const preset = FAULT_PRESETS.find((one) => one.id === id);
  if (preset === undefined) throw new Error(`no preset ${id}`);
  const { fault } = preset;
  const delay_ms = fault.delay_ms === undefined ? 0 : 1;
  const effect = id === 'dribbled' ? { kind: 'dribble' as const, duration_ms: 60 } : fault.effect;
  http.service.faults.replaceAll([faultSchema.parse({ id, ...fault, delay_ms, effect })]);
}

const hits = () => http.service.faults.list()[0]?.hits;

async function configure(...extensions: ((config: openid.Configuration) => void)[]) {
  http.service.faults.replaceAll([]);
  const metadata = { id_token_signed_response_alg: 'ES256' };
  return openidClient(http.url, 'client_secret_post', metadata, ...extensions);
}

const redeem = (config: openid.Configuration, code: string) =>
  openid.authorizationCodeGrant(
    config,
    callbackUrl({ code, state: 's', iss: http.url }),
    { expectedState: 's' },
    { audience: http.url },
  );

describe('openid-client', () => {
  it('behaviour 8: does not retry by itself; a manual retry succeeds at the third attempt', async () => {
    const config = await configure();
    const code = await http.code({ scope: 'openid' });
    arm('throttled_twice');
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(redeem(config, code)).rejects.toMatchObject({
        status: 429,
        error: 'too_many_requests',
      });
    }
    expect((await redeem(config, code)).access_token).toMatch(/^ey/);
    expect(hits()).toBe(2);
  });

  it.each([
    ['invalid_grant', { code: 'OAUTH_RESPONSE_BODY_ERROR', error: 'invalid_grant', status: 400 }],
    ['unavailable_three_times', { code: 'OAUTH_RESPONSE_IS_NOT_CONFORM' }],
    ['server_error', { code: 'OAUTH_RESPONSE_IS_NOT_CONFORM' }],
    ['html_instead_of_json', { code: 'OAUTH_RESPONSE_IS_NOT_CONFORM' }],
    ['gateway_timeout', { code: 'OAUTH_RESPONSE_IS_NOT_CONFORM' }],
    ['dropped', { message: 'fetch failed' }],
    ['silent', { message: 'fetch failed' }],
    ['lost', { message: 'fetch failed' }],
    ['cut', { code: 'OAUTH_PARSE_ERROR' }],
    ['broken_json', { code: 'OAUTH_PARSE_ERROR' }],
    ['expires_in_negative', { code: 'OAUTH_INVALID_RESPONSE' }],
    ['expired_token', { code: 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' }],
  ])('behaviour 8: reports %s', async (preset, reported) => {
    const config = await configure();
    const code = await http.code({ scope: 'openid' });
    arm(preset);
    await expect(redeem(config, code)).rejects.toMatchObject(reported);
    expect(hits()).toBe(1);
  });

  it.each([
    ['slow', 86_400],
    ['dribbled', 86_400],
    ['wrong_content_type', 86_400],
    ['expires_in_absent', undefined],
    ['expires_in_huge', 9_999_999_999_999],
    ['expires_in_string', 86_400],
  ])('behaviour 8: accepts %s without an error', async (preset, expires_in) => {
    const config = await configure();
    const code = await http.code({ scope: 'openid' });
    arm(preset);
    expect((await redeem(config, code)).expires_in).toBe(expires_in);
    expect(hits()).toBe(1);
  });

  it('behaviour 8: notices an unpublished key only when configured to verify signatures', async () => {
    const trusting = await configure();
    const checking = await configure(openid.enableNonRepudiationChecks);
    const codes = [await http.code({ scope: 'openid' }), await http.code({ scope: 'openid' })];
    arm('unpublished_key');
    expect((await redeem(trusting, codes[0]!)).id_token).toMatch(/^ey/);
    arm('unpublished_key');
    await expect(redeem(checking, codes[1]!)).rejects.toMatchObject({
      code: 'OAUTH_KEY_SELECTION_FAILED',
    });
  });
});

describe('simple-oauth2', () => {
  async function getToken(preset: string) {
    const client = new AuthorizationCode({
      client: { id: 'demo-app', secret: SECRET },
      auth: { tokenHost: http.url, tokenPath: '/oauth/token' },
      options: { authorizationMethod: 'body', bodyFormat: 'json' },
    });
    const code = await http.code();
    arm(preset);
    const parameters = { code, redirect_uri: REDIRECT_URI, audience: http.url };
    return client.getToken(parameters);
  }

  it.each([
    ['throttled_twice', 'Response Error: 429 Too Many Requests'],
    ['html_instead_of_json', 'The content-type is not JSON compatible'],
    ['wrong_content_type', 'The content-type is not JSON compatible'],
    ['lost', 'Client request error: socket hang up'],
    ['cut', 'Payload stream closed prematurely'],
  ])('behaviour 8: reports %s as "%s"', async (preset, message) => {
    await expect(getToken(preset)).rejects.toThrow(message);
    expect(hits()).toBe(1);
  });

  it('behaviour 8: considers a token expired for a negative expires_in, and never for a huge one', async () => {
    expect((await getToken('expires_in_negative')).expired()).toBe(true);
    const huge = await getToken('expires_in_huge');
    expect(String(huge.token['expires_at'])).toBe('Invalid Date');
    expect(huge.expired()).toBe(false);
  });

  it('behaviour 8: does not notice an expired token or one signed by an unknown key', async () => {
    expect((await getToken('expired_token')).expired()).toBe(false);
    expect((await getToken('unpublished_key')).expired()).toBe(false);
    expect(hits()).toBe(1);
  });
});
