// The password grant (RFC 6749 4.3) over real HTTP, with a third-party client.

import { decodeJwt } from 'jose';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userSchema } from '../../src/core/records/schemas.ts';
import type { HttpService } from '../support/http-service.ts';
import { AUDIENCE, SECRET, startHttpService } from '../support/http-service.ts';

const PASSWORD = 'pässwörd & horse';

let http: HttpService;
beforeAll(async () => {
  http = await startHttpService({}, { grant_types: ['password', 'refresh_token'] });
  http.service.registry.users.put(userSchema.parse({ sub: 'ada', password: PASSWORD }));
});
afterAll(() => http.stop());

const demo = () =>
  openid.discovery(new URL(http.url), 'demo-app', {}, openid.ClientSecretPost(SECRET), {
    execute: [openid.allowInsecureRequests],
  });

const ask = async (parameters: Record<string, string> = {}) =>
  openid.genericGrantRequest(await demo(), 'password', {
    username: 'ada',
    password: PASSWORD,
    audience: AUDIENCE,
    ...parameters,
  });

describe('openid-client', () => {
  it('behaviour 7.21, RFC 6749 4.3, 4.3.3: openid-client gets tokens for a user, and refreshes them', async () => {
    const answer = await ask({ scope: 'orders:read' });
    const claims = { sub: 'ada', aud: AUDIENCE, scope: 'orders:read' };
    expect(decodeJwt(answer.access_token)).toMatchObject(claims);
    const again = await openid.refreshTokenGrant(await demo(), answer.refresh_token ?? '');
    expect(decodeJwt(again.access_token)).toMatchObject(claims);
  });

  it.each([{ username: 'eve' }, { password: 'wrong' }])(
    'RFC 6749 5.2: %j is 400 invalid_grant',
    async (parameters) => {
      await expect(ask(parameters)).rejects.toMatchObject({
        status: 400,
        error: 'invalid_grant',
        error_description: 'username or password is wrong',
      });
    },
  );

  it('behaviour 1.13, RFC 8414 2: the metadata lists the grant when the profile accepts it', async () => {
    const grants = async () => (await demo()).serverMetadata().grant_types_supported;
    expect(await grants()).toContain('password');
    const settings = http.service.settings();
    http.service.setSettings({ ...settings, profile: 'strict' });
    expect(await grants()).not.toContain('password');
    http.service.setSettings(settings);
  });

  it('RFC 6749 2.3.1: a password in the query string is noted', async () => {
    const body = new URLSearchParams({
      grant_type: 'password',
      client_id: 'demo-app',
      client_secret: SECRET,
      username: 'ada',
      password: PASSWORD,
    });
    await fetch(`${http.url}/oauth/token?password=x`, { method: 'POST', body });
    const { deviations = [] } = http.newest()?.evaluation ?? {};
    expect(deviations.map(({ id }) => id)).toContain('query_credentials');
  });
});
