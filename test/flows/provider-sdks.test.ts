// Requests and expectations of provider SDKs that the standards leave open or contradict, over real HTTP.

import { describe, expect, it } from 'vitest';
import { PROVIDERS } from '../../src/control/names.ts';
import { call } from '../support/harness.ts';
import { PASSWORD, post, postForm, startShaped, startWith } from '../support/shaped.ts';

const basic = (credentials: string) => ({
  Authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
});

/** Descriptions of providers may contain line breaks, which a header cannot (RFC 6750 3). */
const inHeader = (text: unknown) =>
  String(text)
    .replace(/[\r\n]+/g, ' ')
    .replaceAll('"', "'");

describe.each(PROVIDERS)('behaviour 3.4: the challenge with the shape of %s', (provider) => {
  it('contains the error and description of the body when client authentication fails', async () => {
    const started = await startShaped(provider);
    for (const credentials of ['demo-app:wrong', 'nobody:wrong']) {
      const answer = await postForm(
        started,
        '/oauth/token',
        { grant_type: 'refresh_token', refresh_token: 'x' },
        basic(credentials),
      );
      const { error, error_description } = answer.body as Record<string, unknown>;
      expect(answer.headers['www-authenticate']).toBe(
        `Basic realm="grantbench", error="${String(error)}", error_description="${inHeader(error_description)}"`,
      );
    }
  });

  it('contains them at userinfo', async () => {
    const started = await startShaped(provider);
    const headers = { Authorization: 'Bearer unknown' };
    const answer = await call(started.origin, 'GET', '/userinfo', { headers });
    expect(answer.status).toBe(401);
    const { error, error_description } = answer.body as Record<string, unknown>;
    expect(answer.headers['www-authenticate']).toBe(
      `Bearer realm="grantbench", error="${String(error)}", error_description="${inHeader(error_description)}"`,
    );
  });
});

it("behaviour 3.4: a challenge omits characters of a shape's text that a header cannot contain", async () => {
  const body = { error: 'in"valid\\', error_description: 'Käthe said "no"\r\nX-Injected: yes' };
  const started = await startWith({
    settings: { profile: 'interop' },
    errors: [{ error: 'invalid_client', body }],
  });
  const form = { grant_type: 'refresh_token', refresh_token: 'x' };
  const answer = await postForm(started, '/oauth/token', form, basic('demo-app:wrong'));
  expect([answer.status, answer.body]).toEqual([401, body]);
  expect(answer.headers).not.toHaveProperty('x-injected');
  expect(answer.headers['www-authenticate']).toBe(
    `Basic realm="grantbench", error="in'valid'", error_description="K'the said 'no' X-Injected: yes"`,
  );
});

describe('the password grant', () => {
  const client = { grant_types: ['password'] };
  const wrong = [
    { username: 'ada', password: 'wrong' },
    { username: 'nobody', password: PASSWORD },
  ];

  it('Keycloak answers a wrong password and an unknown user with 401 invalid_grant', async () => {
    const started = await startShaped('keycloak', {}, client);
    const path = '/realms/sandbox/protocol/openid-connect/token';
    for (const credentials of wrong) {
      const answer = await post(started, path, { grant_type: 'password', ...credentials });
      expect([answer.status, answer.body]).toEqual([
        401,
        { error: 'invalid_grant', error_description: 'Invalid user credentials' },
      ]);
    }
  });

  it('Auth0 answers both with 403 and the same text', async () => {
    const started = await startShaped('auth0', {}, client);
    for (const credentials of wrong) {
      const answer = await post(started, '/oauth/token', {
        grant_type: 'password',
        ...credentials,
      });
      expect([answer.status, answer.body]).toEqual([
        403,
        { error: 'invalid_grant', error_description: 'Wrong email or password.' },
      ]);
    }
  });
});
