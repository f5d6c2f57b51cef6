// The shipped provider shapes over real HTTP, with a third-party client that only knows the base URL: discovery, code
// flow, refresh, logout, and errors as in the provider.

import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as openid from 'openid-client';
import { describe, expect, it } from 'vitest';
import { PROVIDERS, type Provider } from '../../src/control/names.ts';
import { SHIPPED_SHAPES } from '../../src/core/shape/resolve.ts';
import { call, REDIRECT_URI } from '../support/harness.ts';
import { createPerson, formOf } from '../support/person.ts';
import {
  AFTER_LOGOUT,
  lastExchange,
  post,
  type Started,
  startShaped as start,
  startWith,
  TENANT,
} from '../support/shaped.ts';
import { openidClient, openidRequest } from '../support/token-endpoints.ts';

const DEVICE_PATHS: Readonly<Record<Provider, string>> = {
  auth0: '/oauth/device/code',
  okta: '/oauth2/default/v1/device/authorize',
  entra: `/${TENANT}/oauth2/v2.0/devicecode`,
  keycloak: '/realms/sandbox/protocol/openid-connect/auth/device',
};

/** Lifetimes of an access token and of a code, in seconds. */
const LIFETIMES: Readonly<Record<Provider, readonly [number, number]>> = {
  auth0: [86_400, 600],
  okta: [3600, 300],
  entra: [3599, 600],
  keycloak: [300, 60],
};

const discover = ({ issuer }: Started) =>
  openidClient(issuer, 'client_secret_post', { id_token_signed_response_alg: 'ES256' });

/** Discovery, sign-in by a user, code and PKCE. */
async function signIn(started: Started) {
  const config = await discover(started);
  const person = createPerson(started.origin);
  const { parameters, checks } = await openidRequest({ scope: 'openid profile email' });
  const url = openid.buildAuthorizationUrl(config, parameters);
  const form = formOf(await person.visit(`${url.pathname}${url.search}`));
  // The action of the form is relative to the URL of the page.
  const { pathname } = new URL(form.action, url);
  const done = await person.post(pathname, [...form.fields, ['decision', 'approve']]);
  const callback = done.location ?? new URL(REDIRECT_URI);
  const tokens = await openid.authorizationCodeGrant(config, callback, checks);
  return { started, config, person, tokens };
}

const signedIn = async (provider: Provider) => signIn(await start(provider));

describe.each(PROVIDERS)('behaviour 12.1: %s, by its base URL alone', (provider) => {
  it('supports discovery, sign-in, refresh, userinfo and logout', async () => {
    const { started, config, person, tokens } = await signedIn(provider);
    const server = config.serverMetadata();

    expect(server.issuer).toBe(started.issuer);
    expect(tokens.claims()).toMatchObject({ iss: started.issuer, sub: 'ada', aud: 'demo-app' });
    const { refresh_token = '' } = tokens;
    const refreshed = await openid.refreshTokenGrant(config, refresh_token);
    expect(decodeJwt(refreshed.access_token)).toMatchObject({ iss: started.issuer, sub: 'ada' });
    expect(refreshed.claims()).toMatchObject({ iss: started.issuer, sub: 'ada' });

    const user = await openid.fetchUserInfo(config, refreshed.access_token, 'ada');
    expect(user).toMatchObject({ sub: 'ada', email: 'ada@example.test' });

    const logout = openid.buildEndSessionUrl(config, {
      post_logout_redirect_uri: AFTER_LOGOUT,
      id_token_hint: tokens.id_token ?? '',
    });
    const left = await person.visit(`${logout.pathname}${logout.search}`);
    expect(left.location?.href).toBe(AFTER_LOGOUT);
  });

  it('behaviour 12.5: its ID token has every claim of its template that requires no further scope', async () => {
    const { tokens } = await signedIn(provider);
    const template = Object.entries(SHIPPED_SHAPES[provider].id_token ?? {});
    const claims = template.filter(([, value]) => value !== null && !('$scope' in Object(value)));
    expect(Object.keys(tokens.claims() ?? {})).toEqual(
      expect.arrayContaining(claims.map(([name]) => name)),
    );
  });

  it('recognizes its access tokens: introspection returns client, user and scope, and revocation ends them', async () => {
    const { config, tokens } = await signedIn(provider);
    const found = await openid.tokenIntrospection(config, tokens.access_token);
    expect(found).toMatchObject({ active: true, client_id: 'demo-app', sub: 'ada' });
    expect(found.scope?.split(' ').sort()).toEqual(['email', 'openid', 'profile']);
    await openid.tokenRevocation(config, tokens.access_token);
    expect(await openid.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
  });

  it('behaviour 12.7, 12.9: issues tokens with the lifetimes of the provider, and notes the changes of the shape in the trace', async () => {
    const { started, tokens } = await signedIn(provider);
    const { lifetimes } = await started.harness.get<{ lifetimes: { code: number } }>('/settings');
    expect([tokens.expires_in, lifetimes.code]).toEqual(LIFETIMES[provider]);
    const { iat = 0, exp = 0 } = decodeJwt(tokens.access_token);
    expect(exp - iat).toBe(LIFETIMES[provider][0]);
    const { deviation_notes } = await lastExchange(started);
    const note = deviation_notes.find(({ id }) => id === 'shape_applied');
    expect(note?.text).toMatch(/^The response follows the provider shape .+: claims of the access/);
    expect(note?.strict_status).toBeNull();
  });

  it('serves devices and the verification page at the paths of the provider', async () => {
    const started = await start(provider);
    const config = await discover(started);
    expect(config.serverMetadata().device_authorization_endpoint).toBe(
      `${started.origin}${DEVICE_PATHS[provider]}`,
    );
    const device = await openid.initiateDeviceAuthorization(config, { scope: 'openid' });
    expect(device.verification_uri).toBe(`${started.origin}/device`);
    const items = await started.harness.list<{ verification_uri: string }>('/devices');
    expect(items.map(({ verification_uri }) => verification_uri)).toEqual([
      `${started.origin}/device`,
    ]);
    const person = createPerson(started.origin);
    expect((await person.visit('/device')).status).toBe(200);
  });

  it('behaviour 12.2: still serves /oauth/token and the other default paths', async () => {
    const started = await start(provider);
    const answer = await post(started, '/oauth/token', { grant_type: 'refresh_token' });
    expect(answer.status).toBe(400);
    expect((await call(started.origin, 'GET', '/.well-known/jwks.json')).status).toBe(200);
    expect(started.harness.engine.server().token_endpoint).toBe(`${started.origin}/oauth/token`);
  });
});

describe('Auth0', () => {
  it('its issuer ends in a slash; /v2/logout reads returnTo', async () => {
    const { started, config, person } = await signedIn('auth0');
    expect(config.serverMetadata()).toMatchObject({
      token_endpoint: `${started.origin}/oauth/token`,
      end_session_endpoint: `${started.origin}/oidc/logout`,
    });
    const query = new URLSearchParams({ client_id: 'demo-app', returnTo: AFTER_LOGOUT });
    const left = await person.visit(`/v2/logout?${query.toString()}`);
    expect(left.location?.href).toBe(AFTER_LOGOUT);
    query.set('post_logout_redirect_uri', AFTER_LOGOUT);
    const { text } = await person.visit(`/v2/logout?${query.toString()}`);
    expect(text).toContain('post_logout_redirect_uri (also sent as returnTo) more than once.');
  });
});

describe('Okta', () => {
  it('its access tokens have cid, uid and a list of scopes, and no client_id', async () => {
    const { tokens } = await signedIn('okta');
    const claims = decodeJwt(tokens.access_token);
    expect(claims).toMatchObject({ ver: 1, cid: 'demo-app', uid: 'ada' });
    expect(claims['scp']).toEqual(['openid', 'profile', 'email']);
    expect(claims).not.toHaveProperty('client_id');
    expect(claims).not.toHaveProperty('scope');
    expect(tokens.claims()).toMatchObject({ ver: 1, amr: ['pwd'] });
    expect(tokens.expires_in).toBe(3600);
  });

  it('an unknown path is answered with errorCode and related members', async () => {
    const started = await start('okta');
    for (const path of ['/oauth2/other/v1/keys', '/oauth2/v1/clients']) {
      const answer = await call(started.origin, 'GET', path);
      expect(answer.status, path).toBe(404);
      expect(answer.body, path).toMatchObject({ errorCode: 'E0000007', errorCauses: [] });
    }
  });
});

describe('Entra ID', () => {
  it('its access tokens have tid, oid, scp and uti, and are of version 2.0', async () => {
    const { tokens } = await signedIn('entra');
    const claims = decodeJwt(tokens.access_token);
    expect(decodeProtectedHeader(tokens.access_token).typ).toBe('JWT');
    expect(claims).toMatchObject({
      ver: '2.0',
      tid: TENANT,
      azp: 'demo-app',
      scp: 'openid profile email',
      roles: ['admin'],
      groups: ['staff'],
      nbf: claims.iat,
    });
    expect(claims['oid']).toMatch(
      /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
    for (const name of ['client_id', 'scope', 'jti']) expect(claims).not.toHaveProperty(name);
    expect(tokens.claims()).not.toHaveProperty('at_hash');
    expect(tokens.refresh_token).toBeDefined();
  });

  it('serves each tenant, and the description of an error names its trace_id', async () => {
    const started = await start('entra');
    const answer = await post(started, '/common/oauth2/v2.0/token', {
      grant_type: 'refresh_token',
      refresh_token: 'unknown',
    });
    expect(answer.status).toBe(400);
    const { error_description, trace_id } = answer.body as Record<string, string>;
    expect(error_description).toContain(`\r\nTrace ID: ${String(trace_id)}\r\n`);
    expect((await lastExchange(started)).cause).not.toBeNull();
  });
});

describe('Keycloak', () => {
  it('behaviour 12.10: its tokens have realm roles and a session; refresh tokens are JWTs', async () => {
    const { started, config, tokens } = await signedIn('keycloak');
    const claims = decodeJwt(tokens.access_token);
    expect(claims).toMatchObject({
      typ: 'Bearer',
      azp: 'demo-app',
      realm_access: { roles: ['admin'] },
      preferred_username: 'ada',
      scope: 'openid profile email',
    });
    expect(tokens).toMatchObject({
      expires_in: 300,
      refresh_expires_in: 1800,
      'not-before-policy': 0,
      session_state: claims['sid'],
      scope: 'openid profile email',
    });
    const { refresh_token = '' } = tokens;
    expect(decodeJwt(refresh_token)).toMatchObject({
      typ: 'Refresh',
      azp: 'demo-app',
      aud: started.issuer,
      sid: claims['sid'],
    });
    expect((await openid.refreshTokenGrant(config, refresh_token)).access_token).toBeDefined();
  });

  it('behaviour 12.10: a refresh token in JWT format is not accepted as an access token', async () => {
    const { started, config, tokens } = await signedIn('keycloak');
    const { userinfo_endpoint = '' } = config.serverMetadata();
    const { pathname } = new URL(userinfo_endpoint);
    const headers = { Authorization: `Bearer ${tokens.refresh_token ?? ''}` };
    const answer = await call(started.origin, 'GET', pathname, { headers });
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ error: 'invalid_token' });
  });

  it('behaviour 7.6, 12.10: a refresh token in JWT format is not accepted as an id_token_hint', async () => {
    const { started, config, person, tokens } = await signedIn('keycloak');
    const id_token_hint = tokens.refresh_token ?? '';
    const { pathname, search } = openid.buildEndSessionUrl(config, { id_token_hint });
    await person.visit(`${pathname}${search}`);
    const { why } = await lastExchange(started);
    expect(why).toMatchObject({
      reason: 'id_token_hint_malformed',
      detail: 'it is a refresh token',
    });
  });

  it('an unknown realm is not found', async () => {
    const started = await start('keycloak');
    const path = '/realms/other/protocol/openid-connect/token';
    expect((await post(started, path, {})).status).toBe(404);
  });
});

describe('behaviour 12.3: a configured issuer', () => {
  it('gets the path of the shape appended, and keeps its own', async () => {
    const named = await start('keycloak', { issuer: 'http://sandbox.test:4280' });
    expect(named.harness.engine.server().issuer).toBe('http://sandbox.test:4280/realms/sandbox');
    const exact = await start('keycloak', { issuer: 'http://sandbox.test:4280/realms/shop' });
    const { issuer, token_endpoint } = exact.harness.engine.server();
    expect(issuer).toBe('http://sandbox.test:4280/realms/shop');
    expect(token_endpoint).toBe('http://sandbox.test:4280/oauth/token');
    const usual = await post(exact, '/realms/shop/oauth/token', {});
    expect(usual.status).toBe(400);
  });
});

describe('a custom shape', () => {
  const SHAPE = {
    name: 'Acme',
    settings: { profile: 'interop' },
    parameters: { region: ['eu', 'us'] },
    issuer_path: '/{region}/acme',
    paths: {
      authorization: ['/{region}/acme/login'],
      token: ['/{region}/acme/token'],
      introspection: null,
    },
    metadata: { acme_version: '7', dpop_signing_alg_values_supported: null },
    access_token: {
      'https://acme.example/groups': { $from: 'groups' },
      department: 'from the shape',
      context: {
        app: '{client.client_name}',
        grant: '{request.grant_type}',
        region: '{parameters.region}',
      },
    },
    id_token: { roles: { $from: 'roles' }, granted: { $from: 'scopes' } },
    userinfo: {
      contact: { $value: 'mailto:{user.email}', $scope: 'email' },
      fax: '{user.claims.fax}',
    },
    token_response: { user_id: { $from: 'user.sub' }, granted: { $from: 'scope' } },
    errors: [
      {
        error: 'invalid_grant',
        status: 422,
        body: { code: 'E-{error.code}', number: { $from: 'request.exchange' } },
      },
    ],
  };
  const startOwn = () => startWith(SHAPE, '/eu/acme');

  it('behaviour 12.4: adds and removes members of the metadata', async () => {
    const started = await startOwn();
    const server = (await discover(started)).serverMetadata();
    expect(server).toMatchObject({
      issuer: started.issuer,
      token_endpoint: `${started.origin}/eu/acme/token`,
      acme_version: '7',
    });
    expect(server).not.toHaveProperty('introspection_endpoint');
    expect(server).not.toHaveProperty('dpop_signing_alg_values_supported');
    expect((await post(started, '/us/acme/token', {})).status).toBe(400);
    expect((await post(started, '/asia/acme/token', {})).status).toBe(404);
  });

  it('behaviour 12.5: fills claims and members from templates, which custom claims of a user override', async () => {
    const { config, tokens } = await signIn(await startOwn());
    expect(tokens).toMatchObject({ user_id: 'ada', granted: 'openid profile email' });
    const claims = decodeJwt(tokens.access_token);
    expect(claims).toMatchObject({
      'https://acme.example/groups': ['staff'],
      department: 'R&D',
      context: { grant: 'authorization_code', region: 'eu' },
    });
    expect(tokens.claims()).toMatchObject({
      roles: ['admin'],
      granted: ['openid', 'profile', 'email'],
    });
    const user = await openid.fetchUserInfo(config, tokens.access_token, 'ada');
    expect(user).toMatchObject({ contact: 'mailto:ada@example.test' });
    expect(user).not.toHaveProperty('fax');
  });

  it('behaviour 12.8: replaces status and body of errors, but not their cause', async () => {
    const started = await startOwn();
    const refresh = { grant_type: 'refresh_token', refresh_token: 'unknown' };
    const answer = await post(started, '/eu/acme/token', refresh);
    const { number, cause } = await lastExchange(started);
    expect([answer.status, answer.body]).toEqual([422, { code: 'E-invalid_grant', number }]);
    expect(cause).toMatch(/^This service did not issue this refresh token/);
  });
});
