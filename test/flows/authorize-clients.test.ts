// Unchanged third-party clients use discovery and the authorization endpoint in consent mode; form posts stand in for
// the user.

import * as oauth from 'oauth4webapi';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as openid from 'openid-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { redirectParameters } from '../../src/oauth/fields.ts';
import { REDIRECT_URI, sharedHttpService } from '../support/http-service.ts';
import { createPerson, formOf, type PageSeen, type Person, postedBy } from '../support/person.ts';
import { oauthClient, openidClient, openidRequest } from '../support/token-endpoints.ts';

const AFTER_LOGOUT = 'http://localhost:3000/';
const http = await sharedHttpService(
  { profile: 'interop' },
  { post_logout_redirect_uris: [AFTER_LOGOUT] },
);
// Libraries validate ID tokens against the machine clock.
http.service.ports.clock.set(Math.floor(Date.now() / 1000) * 1000);
let person: Person;

beforeEach(() => {
  person = createPerson(http.url);
});

const callback = ({ location }: PageSeen): URL => {
  expect(location).not.toBeNull();
  return location ?? new URL(REDIRECT_URI);
};

/** The parameters that a page reads from its own URL. */
const answered = (page: PageSeen) => redirectParameters(callback(page).href);

/** What the browser posts to the app when the response is a form. */
function posted(page: PageSeen): Request {
  expect(formOf(page).action).toBe(REDIRECT_URI);
  return postedBy(page);
}

describe('openid-client', () => {
  const ES256 = { id_token_signed_response_alg: 'ES256' };
  const discover = () => openidClient(http.url, 'client_secret_post', ES256);

  const begin = async (config: openid.Configuration, more?: Record<string, string>) => {
    const { parameters, checks } = await openidRequest(more);
    const url = openid.buildAuthorizationUrl(config, parameters);
    return { target: `${url.pathname}${url.search}`, checks };
  };

  /** An approved request. @returns the response, and what a client needs to process it */
  const approved = async (more?: Record<string, string>) => {
    const config = await discover();
    const { target, checks } = await begin(config, more);
    return { config, checks, done: await person.decide(await person.visit(target), 'approve') };
  };

  it('behaviour 7.2, 2.15, OpenID Connect Core 12.2: gets tokens for an approved request with PKCE, state, nonce and the issuer in the response (RFC 9207), and validates the id_token of a refresh against the first one', async () => {
    const { config, checks, done } = await approved({ scope: 'openid profile email' });
    const tokens = await openid.authorizationCodeGrant(config, callback(done), checks);
    expect(tokens.refresh_token).toMatch(/^[\w-]{43}$/);
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    const [before, after] = [tokens.claims(), refreshed.claims()];
    expect(after).toMatchObject({ sub: 'ada', name: 'Ada Example', aud: 'demo-app' });
    expect(after?.auth_time).toBe(before?.auth_time);
    expect(after).not.toHaveProperty('nonce');
  });

  it('RFC 9207: rejects a response with another issuer or without one', async () => {
    const { config, checks, done } = await approved();
    const answer = callback(done);
    for (const change of ['https://other.example', null]) {
      const mixed = new URL(answer);
      if (change === null) mixed.searchParams.delete('iss');
      else mixed.searchParams.set('iss', change);
      await expect(openid.authorizationCodeGrant(config, mixed, checks)).rejects.toMatchObject({
        code: 'OAUTH_INVALID_RESPONSE',
      });
    }
  });

  it.each([undefined, 'ES256', 'EdDSA'] as const)(
    'behaviour 7.30, JARM 2.1: accepts a response signed with %s, and one that is an error',
    async (alg) => {
      http.changeClient({ authorization_signed_response_alg: alg });
      const config = await openidClient(
        http.url,
        'client_secret_post',
        { ...ES256, ...(alg === undefined ? {} : { authorization_signed_response_alg: alg }) },
        openid.useJwtResponseMode,
      );
      const { target, checks } = await begin(config);
      const done = callback(await person.decide(await person.visit(target), 'approve'));
      expect([...done.searchParams.keys()]).toEqual(['response']);
      const response = done.searchParams.get('response') ?? '';
      expect(decodeProtectedHeader(response).alg).toBe(alg ?? 'RS256');
      const now = Math.floor(http.service.ports.clock.now() / 1000);
      expect(decodeJwt(response)).toEqual({
        iss: http.url,
        aud: 'demo-app',
        exp: expect.closeTo(now + 600, -1) as number,
        state: checks.expectedState,
        code: expect.any(String) as string,
      });
      const tokens = await openid.authorizationCodeGrant(config, done, checks);
      expect(tokens.claims()?.sub).toBe('ada');

      const denied = await begin(config, { prompt: 'login' });
      const refused = callback(await person.decide(await person.visit(denied.target), 'deny'));
      await expect(
        openid.authorizationCodeGrant(config, refused, denied.checks),
      ).rejects.toMatchObject({ error: 'access_denied' });
    },
  );

  it.each(['query.jwt', 'fragment.jwt', 'form_post.jwt'])(
    'behaviour 7.30, JARM 2.3: sends the JWT in %s',
    async (response_mode) => {
      const { done } = await approved({ response_mode });
      const { search, hash } = done.location ?? { search: '', hash: '' };
      const sent = response_mode === 'form_post.jwt' ? formOf(done).fields : null;
      const names = sent?.map(([name]) => name) ?? [...redirectParameters(search + hash).keys()];
      expect(names).toEqual(['response']);
      expect([search !== '', hash !== '']).toEqual([
        response_mode === 'query.jwt',
        response_mode === 'fragment.jwt',
      ]);
    },
  );

  it('behaviour 7.30: query.jwt with an ID token is invalid_request, in the fragment and signed', async () => {
    http.changeClient({ grant_types: ['authorization_code', 'refresh_token', 'implicit'] });
    const query = { response_type: 'code id_token', response_mode: 'query.jwt' };
    const { target } = await begin(await discover(), query);
    const { hash } = callback(await person.visit(target));
    const response = new URLSearchParams(hash.slice(1)).get('response') ?? '';
    expect(decodeJwt(response)).toMatchObject({ error: 'invalid_request', iss: http.url });
  });

  it('OAuth 2.0 Form Post Response Mode: accepts the response that the page posts', async () => {
    const { config, checks, done } = await approved({ response_mode: 'form_post' });
    const tokens = await openid.authorizationCodeGrant(config, posted(done), checks);
    expect(tokens.claims()?.sub).toBe('ada');
  });

  it('OpenID Connect Core 3.1.2.1: prompt=none fails before a sign-in and works after it, and max_age is respected', async () => {
    const config = await discover();
    const early = await begin(config, { prompt: 'none' });
    const refused = callback(await person.visit(early.target));
    await expect(
      openid.authorizationCodeGrant(config, refused, early.checks),
    ).rejects.toMatchObject({ error: 'login_required' });

    await approved();
    const silent = await begin(config, { prompt: 'none', max_age: '60' });
    const answer = callback(await person.visit(silent.target));
    const tokens = await openid.authorizationCodeGrant(config, answer, {
      ...silent.checks,
      maxAge: 60,
    });
    expect(tokens.claims()?.auth_time).toBe(http.service.ports.clock.now() / 1000);

    const more = await begin(config, { prompt: 'none', scope: 'openid email' });
    await expect(
      openid.authorizationCodeGrant(config, callback(await person.visit(more.target)), more.checks),
    ).rejects.toMatchObject({ error: 'consent_required' });
  });

  it('behaviour 7.6, RP-Initiated Logout: its end-session URL signs out and returns', async () => {
    const { config, checks, done } = await approved();
    const tokens = await openid.authorizationCodeGrant(config, callback(done), checks);
    const url = openid.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: AFTER_LOGOUT,
      state: 'bye',
    });
    const out = await person.visit(`${url.pathname}${url.search}`);
    expect(out.location?.href).toBe(`${AFTER_LOGOUT}?state=bye`);
  });
});

describe('oauth4webapi', () => {
  it.each(['query', 'fragment', 'form_post'])(
    'gets a code with PKCE by response_mode %s, and sends an RFC 8707 resource',
    async (response_mode) => {
      const { as, client, party, options } = await oauthClient(http.url, 'client_secret_post');
      const verifier = oauth.generateRandomCodeVerifier();
      const url = new URL(as.authorization_endpoint ?? '');
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: 'demo-app',
        redirect_uri: REDIRECT_URI,
        resource: http.url,
        state: 's',
        response_mode,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).toString();
      const asked = await person.visit(`${url.pathname}${url.search}`);
      const done = await person.decide(asked, 'approve');
      const answer =
        response_mode === 'form_post'
          ? new URLSearchParams(await posted(done).text())
          : answered(done);
      const parameters = oauth.validateAuthResponse(as, client, answer, 's');
      const response = await oauth.authorizationCodeGrantRequest(
        ...party,
        parameters,
        REDIRECT_URI,
        verifier,
        { ...options, additionalParameters: { resource: http.url } },
      );
      const tokens = await oauth.processAuthorizationCodeResponse(as, client, response);
      expect(tokens.token_type).toBe('bearer');
    },
  );
});

describe('the metadata', () => {
  it('RFC 8414 2: describes the available endpoints', async () => {
    const document = await fetch(`${http.url}/.well-known/openid-configuration`);
    expect(await document.json()).toMatchObject({
      authorization_endpoint: `${http.url}/authorize`,
      end_session_endpoint: `${http.url}/logout`,
      response_types_supported: ['code', 'code id_token', 'id_token'],
      response_modes_supported: [
        'query',
        'fragment',
        'form_post',
        'web_message',
        'okta_post_message',
        'query.jwt',
        'fragment.jwt',
        'form_post.jwt',
        'jwt',
      ],
      authorization_signing_alg_values_supported: ['RS256', 'ES256', 'EdDSA', 'PS256'],
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      code_challenge_methods_supported: ['S256', 'plain'],
      request_parameter_supported: true,
      request_uri_parameter_supported: false,
      claims_parameter_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
  });
});
