// The password grant (RFC 6749 4.3) over real HTTP, with a third-party client.

import { decodeJwt } from 'jose';
import * as openid from 'openid-client';
import { describe, expect, it } from 'vitest';
import { userSchema } from '../../src/core/records/schemas.ts';
import { AUDIENCE, sharedHttpService } from '../support/http-service.ts';
import { openidClient, present } from '../support/token-endpoints.ts';

const PASSWORD = 'pässwörd & horse';

const http = await sharedHttpService({}, { grant_types: ['password', 'refresh_token'] });
http.service.registry.users.put(userSchema.parse({ sub: 'ada', password: PASSWORD }));

const demo = () => openidClient(http.url, 'client_secret_post');

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

  it('behaviour 1.13, RFC 8414 2: the metadata lists the grant when the profile accepts it', async () => {
    const grants = async () => (await demo()).serverMetadata().grant_types_supported;
    expect(await grants()).toContain('password');
    http.configure({ profile: 'strict' });
    expect(await grants()).not.toContain('password');
  });

  it('RFC 6749 2.3.1: a password in the query string is noted', async () => {
    const user = { username: 'ada', password: PASSWORD };
    await present(http.url, '/oauth/token?password=x', { grant_type: 'password', ...user });
    const { deviations = [] } = http.newest()?.evaluation ?? {};
    expect(deviations.map(({ id }) => id)).toContain('query_credentials');
  });
});
