// Behaviour 7.23 to 7.25 over real HTTP with unchanged third-party clients: the implicit and the hybrid flow, by fragment
// and by form_post, with a client that registered itself; acr_values, max_age and claims.

import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { ownHttpService, REDIRECT_URI, sharedHttpService } from '../support/http-service.ts';
import { createPerson, formOf, type PageSeen, type Person, postedBy } from '../support/person.ts';
import { ask, oauthClient, openidClient, openidRequest } from '../support/token-endpoints.ts';

const http = await sharedHttpService(
  { profile: 'interop', registration: { mode: 'open' } },
  { grant_types: ['authorization_code', 'refresh_token', 'implicit'] },
);
// Libraries validate ID tokens against the machine clock.
http.service.ports.clock.set(Math.floor(Date.now() / 1000) * 1000);
let person: Person;
beforeEach(() => {
  person = createPerson(http.url);
});

const approve = async (url: URL): Promise<PageSeen> => {
  const page = await person.visit(`${url.pathname}${url.search}`);
  return page.location === null && formOf(page).fields.some(([name]) => name === 'sub')
    ? person.decide(page, 'approve')
    : page;
};

/** The app's URL to which the browser was redirected. */
const callback = ({ location }: PageSeen): URL => location ?? new URL('about:blank');

const configure = (...extensions: ((config: openid.Configuration) => void)[]) =>
  openidClient(
    http.url,
    'client_secret_post',
    { id_token_signed_response_alg: 'ES256' },
    ...extensions,
  );

describe('behaviour 7.23: openid-client', () => {
  const request = (config: openid.Configuration, more: Record<string, string> = {}) => {
    const [state, nonce] = [openid.randomState(), openid.randomNonce()];
    const about = { redirect_uri: REDIRECT_URI, scope: 'openid profile', state, nonce, ...more };
    return { url: openid.buildAuthorizationUrl(config, about), state, nonce };
  };

  it.each(['fragment', 'form_post'])(
    'OpenID Connect Core 3.3 (%s): gets tokens from a hybrid flow, having validated c_hash and nonce',
    async (response_mode) => {
      const config = await configure(openid.useCodeIdTokenResponseType);
      const { parameters, checks } = await openidRequest({ response_mode });
      const page = await approve(openid.buildAuthorizationUrl(config, parameters));
      const answer = response_mode === 'fragment' ? callback(page) : postedBy(page);
      const tokens = await openid.authorizationCodeGrant(config, answer, checks);
      const nonce = checks.expectedNonce;
      expect(tokens.claims()).toMatchObject({ sub: 'ada', name: 'Ada Example', nonce });
    },
  );

  it.each(['fragment', 'form_post'])(
    'OpenID Connect Core 3.2 (%s): signs a user in with an ID token alone',
    async (response_mode) => {
      const config = await configure(openid.useIdTokenResponseType);
      const { url, state, nonce } = request(config, { response_mode });
      const page = await approve(url);
      const answer = response_mode === 'fragment' ? callback(page) : postedBy(page);
      const claims = await openid.implicitAuthentication(config, answer, nonce, {
        expectedState: state,
      });
      expect(claims).toMatchObject({ sub: 'ada', aud: 'demo-app', name: 'Ada Example' });
    },
  );

  it('OpenID Connect Core 3.2.2.6: gets an error by fragment', async () => {
    const config = await configure(openid.useIdTokenResponseType);
    const { url, state, nonce } = request(config, { prompt: 'none' });
    const answer = callback(await approve(url));
    expect(answer.search).toBe('');
    await expect(
      openid.implicitAuthentication(config, answer, nonce, { expectedState: state }),
    ).rejects.toMatchObject({ error: 'login_required' });
  });
});

describe('behaviour 7.24, 7.25: openid-client', () => {
  it('OpenID Connect Core 5.5, RFC 9470 5: gets a stronger sign-in and the claims that it names', async () => {
    http.configure({ acr_values_supported: ['mfa'] });
    const config = await configure();
    expect(config.serverMetadata()).toMatchObject({
      acr_values_supported: ['mfa'],
      claims_parameter_supported: true,
    });
    const signIn = async (more: Record<string, string>) => {
      const { parameters, checks } = await openidRequest({ scope: 'openid', ...more });
      const url = openid.buildAuthorizationUrl(config, parameters);
      return openid.authorizationCodeGrant(config, callback(await approve(url)), {
        ...checks,
        ...(more['max_age'] ? { maxAge: 60 } : {}),
      });
    };
    expect((await signIn({})).claims()).not.toHaveProperty('acr');
    const named = { id_token: { name: null }, userinfo: { name: { essential: true } } };
    const tokens = await signIn({
      acr_values: 'mfa',
      max_age: '60',
      claims: JSON.stringify(named),
    });
    expect(tokens.claims()).toMatchObject({
      acr: 'mfa',
      amr: ['pwd', 'mfa'],
      sid: expect.any(String) as string,
      name: 'Ada Example',
    });
    expect(await openid.fetchUserInfo(config, tokens.access_token, 'ada')).toEqual({
      sub: 'ada',
      name: 'Ada Example',
    });
    const essential = { id_token: { acr: { essential: true, values: ['phr'] } } };
    await expect(signIn({ claims: JSON.stringify(essential) })).rejects.toMatchObject({
      error: 'unmet_authentication_requirements',
    });
  });
});

describe('behaviour 7.11: the metadata', () => {
  it('RFC 7636 4.2: has no plain if the setting switches it off', async () => {
    const read = async (pkce_plain: boolean) => {
      http.configure({ pkce_plain });
      const { body } = await ask(http.url, '/.well-known/openid-configuration');
      return body['code_challenge_methods_supported'];
    };
    expect(await read(false)).toEqual(['S256']);
    expect(await read(true)).toEqual(['S256', 'plain']);
  });
});

describe('behaviour 7.23: oauth4webapi', () => {
  it('RFC 7591 2.1: registers for the hybrid flow, and validates its response', async () => {
    const { as, options } = await oauthClient(http.url, 'client_secret_post');
    expect(as.response_types_supported).toEqual(['code', 'code id_token', 'id_token']);
    expect(as.grant_types_supported).toContain('implicit');
    const metadata = {
      redirect_uris: [REDIRECT_URI],
      response_types: ['code id_token'],
      grant_types: ['authorization_code', 'implicit'],
    };
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(as, metadata, options),
    );
    expect(client).toMatchObject(metadata);
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const asked = new URL(as.authorization_endpoint ?? '');
    asked.search = new URLSearchParams({
      response_type: 'code id_token',
      client_id: client.client_id,
      redirect_uri: REDIRECT_URI,
      scope: 'openid',
      state,
      nonce,
    }).toString();
    const answer = callback(await approve(asked));
    const validated = await oauth.validateCodeIdTokenResponse(
      as,
      { ...client, id_token_signed_response_alg: 'ES256' },
      answer,
      nonce,
      state,
      undefined,
      options,
    );
    expect(validated.get('code')).toMatch(/^[\w-]{43}$/);
  });

  it('behaviour 7.11: the other profiles announce only response_type code', async () => {
    const documented = await ownHttpService();
    const { body: metadata } = await ask(documented.url, '/.well-known/openid-configuration');
    expect(metadata['response_types_supported']).toEqual(['code']);
    expect(metadata['grant_types_supported']).not.toContain('implicit');
  });
});
