// Behaviour 7.5: claims that were entered on the sign-in page hold for the tokens of that sign-in only.

import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { resolveShape } from '../../src/core/shape/resolve.ts';
import { authorizePath } from '../support/form-calls.ts';
import {
  AUDIENCE,
  type HttpService,
  ownHttpService,
  REDIRECT_URI,
  type SettingsDraft,
} from '../support/http-service.ts';
import { createPerson, unescapeHtml, type PageSeen, type Person } from '../support/person.ts';
import { present, userinfo } from '../support/token-endpoints.ts';

const CLAIMS = { name: 'Ada, today', email: 'today@example.test', roles: ['admin'], nickname: 'A' };

async function start(settings: SettingsDraft = {}) {
  const http = await ownHttpService(
    { profile: 'interop', ...settings },
    { claims_in_id_token: true },
  );
  http.changeUser('ada', ADA);
  return http;
}

const target = (parameters: Record<string, string> = {}) =>
  authorizePath({
    audience: AUDIENCE,
    scope: 'openid profile email offline_access',
    ...parameters,
  });

async function signIn(person: Person, claims: string): Promise<PageSeen> {
  const page = await person.visit(target({ prompt: 'consent' }));
  return person.decide(page, 'approve', [['claims', claims]]);
}

/** What the tokens and userinfo say about the user. */
async function saidOf(http: HttpService, { location }: PageSeen) {
  const post = async (path: string, fields: Record<string, string>) =>
    (await present(http.url, path, fields)).body as Record<string, string>;
  const issued = await post('/oauth/token', {
    grant_type: 'authorization_code',
    code: location?.searchParams.get('code') ?? '',
    redirect_uri: REDIRECT_URI,
  });
  const { access_token = '', id_token = '', refresh_token = '' } = issued;
  const refreshed = await post('/oauth/token', { grant_type: 'refresh_token', refresh_token });
  const user = await userinfo(http.url, refreshed['access_token'] ?? '');
  return {
    access_token: access_token.includes('.') ? decodeJwt(access_token) : {},
    id_token: decodeJwt(id_token),
    userinfo: user.body,
    introspection: await post('/oauth/introspect', { token: access_token }),
  };
}

const ADA = { name: 'Ada Example', email: 'ada@example.test' };

test.each(['rfc9068', 'auth0', 'opaque'] as const)(
  'behaviour 7.5: they replace the claims of the user, with access tokens in the format %s',
  async (access_token_format) => {
    const http = await start({ access_token_format });
    const wording = await saidOf(
      http,
      await signIn(createPerson(http.url), JSON.stringify(CLAIMS)),
    );
    expect(wording.id_token).toMatchObject(CLAIMS);
    expect(wording.userinfo).toMatchObject({ sub: 'ada', ...CLAIMS });
    expect(wording.introspection).toMatchObject({ active: true, username: CLAIMS.email });
    if (access_token_format !== 'opaque') {
      const sign_in_claims = ['name', 'email', 'roles', 'nickname'];
      expect(wording.access_token).toMatchObject({ ...CLAIMS, sign_in_claims });
    }
    expect(http.service.registry.users.get('ada')).toMatchObject({ ...ADA, claims: {} });

    const others = await saidOf(http, await signIn(createPerson(http.url), ''));
    expect(others.id_token).toMatchObject(ADA);
    expect(others.id_token).not.toHaveProperty('roles');
    expect(others.userinfo).toEqual({ sub: 'ada', ...ADA });
    expect(others.access_token).not.toHaveProperty('sign_in_claims');
  },
);

test('behaviour 7.5: they last as long as the sign-in: a silent one keeps them, the next form replaces them', async () => {
  const http = await start();
  const person = createPerson(http.url);
  await signIn(person, '{"roles":["admin"]}');
  const silent = await saidOf(http, await person.visit(target({ prompt: 'none' })));
  expect(silent.id_token).toMatchObject({ ...ADA, roles: ['admin'] });

  const page = await person.visit(target({ prompt: 'consent' }));
  const [, shown = ''] = /<textarea[^>]*>([^<]*)</.exec(page.text) ?? [];
  expect(JSON.parse(unescapeHtml(shown))).toEqual({ roles: ['admin'] });
  const again = [['claims', unescapeHtml(shown)]] as const;
  const same = await saidOf(http, await person.decide(page, 'approve', again));
  expect(same.id_token).toMatchObject({
    roles: ['admin'],
    auth_time: silent.id_token['auth_time'],
  });

  const without = await saidOf(http, await signIn(person, ''));
  expect(without.id_token).not.toHaveProperty('roles');
});

test('behaviour 7.5: those of one user are not offered to another one', async () => {
  const http = await start();
  http.changeUser('ada', { sub: 'bob', email: 'b@b.test' });
  const person = createPerson(http.url);
  await signIn(person, '{"roles":["admin"]}');
  const page = await person.visit(target({ login_hint: 'bob' }));
  expect(page.text).toMatch(/<textarea[^>]*>\s*</);
});

test('behaviour 7.5: a provider shape has them, too, in place of the user’s roles', async () => {
  const http = await start();
  http.changeUser('ada', { roles: ['reader'] });
  const shape = resolveShape({ provider: 'entra' });
  http.service.setShape('value' in shape ? shape.value : expect.fail('no shape'));
  const wording = await saidOf(http, await signIn(createPerson(http.url), '{"roles":["admin"]}'));
  expect(wording.id_token).toMatchObject({ roles: ['admin'] });
});

test('behaviour 7.5: the trace names them', async () => {
  const http = await start();
  await signIn(createPerson(http.url), '{"roles":["admin"],"plan":"pro"}');
  expect(http.newest()?.evaluation?.checks).toContainEqual(
    expect.objectContaining({
      id: 'user',
      note: 'selected on the page, with claims of this sign-in: roles, plan',
    }),
  );
});
