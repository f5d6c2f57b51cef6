// RFC 9101 over real HTTP: stock clients that sign their authorization requests, and what they register and discover.

import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { expect, it } from 'vitest';
import { clientKey } from '../support/assertion.ts';
import { REDIRECT_URI, sharedHttpService } from '../support/http-service.ts';
import { createPerson } from '../support/person.ts';
import {
  ask,
  evaluationOf,
  oauthClient,
  openidClient,
  openidRequest,
  present,
} from '../support/token-endpoints.ts';

const { private_key, jwk } = await clientKey('k1');
const signingKey = { key: private_key, kid: 'k1' };
const http = await sharedHttpService(
  { profile: 'interop', registration: { mode: 'open' } },
  {
    jwks: { keys: [jwk] },
    request_object_signing_alg: 'ES256',
    require_signed_request_object: true,
  },
);
// Libraries validate ID tokens against the machine clock.
http.service.ports.clock.set(Math.floor(Date.now() / 1000) * 1000);

it('behaviour 7.31: openid-client sends a signed request and redeems the code after approval', async () => {
  const { url } = http;
  const metadata = { id_token_signed_response_alg: 'ES256' };
  const config = await openidClient(url, 'client_secret_post', metadata);
  const { parameters, checks } = await openidRequest({ max_age: '600' });
  const request = await openid.buildAuthorizationUrlWithJAR(config, parameters, signingKey);
  expect([...request.searchParams.keys()].toSorted()).toEqual(['client_id', 'request']);
  const person = createPerson(url);
  const page = await person.visit(`${request.pathname}${request.search}`);
  const done = await person.decide(page, 'approve');
  const tokens = await openid.authorizationCodeGrant(
    config,
    done.location ?? new URL(REDIRECT_URI),
    { ...checks, maxAge: 600 },
  );
  expect(tokens.claims()).toMatchObject({ sub: 'ada', name: 'Ada Example', aud: 'demo-app' });
});

it('behaviour 7.31, RFC 9126 3: oauth4webapi pushes a signed request', async () => {
  const { as, client, party, options } = await oauthClient(http.url, 'client_secret_post');
  const asked = {
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: 'openid',
    state: 'xyz',
  };
  const request = await oauth.issueRequestObject(as, client, asked, signingKey);
  const body = new URLSearchParams({ request });
  const response = await oauth.pushedAuthorizationRequest(...party, body, options);
  const { request_uri } = await oauth.processPushedAuthorizationResponse(as, client, response);
  const person = createPerson(http.url);
  const link = new URLSearchParams({ client_id: 'demo-app', request_uri });
  const page = await person.visit(`/authorize?${link.toString()}`);
  const { location } = await person.decide(page, 'approve');
  const answered = oauth.validateAuthResponse(as, client, location ?? new URL(REDIRECT_URI), 'xyz');
  expect(answered.get('code')).toMatch(/^[\w-]{43}$/);
});

it('behaviour 7.31: a push signed by another key is 400 invalid_request_object, and the trace says why', async () => {
  const { as, client } = await oauthClient(http.url, 'client_secret_post');
  const { private_key: key } = await clientKey();
  const asked = { response_type: 'code', redirect_uri: REDIRECT_URI };
  const request = await oauth.issueRequestObject(as, client, asked, { key, kid: 'k1' });
  const answer = await present(http.url, '/oauth/par', { request });
  expect([answer.status, answer.body['error']]).toEqual([400, 'invalid_request_object']);
  expect(evaluationOf(http, answer).checks.at(-1)).toMatchObject({ id: 'request_object' });
});

it('behaviour 7.31, RFC 9101 10.5: the metadata says what is supported, and registration takes the members', async () => {
  const { body } = await ask(http.url, '/.well-known/openid-configuration');
  expect(body).toMatchObject({
    request_parameter_supported: true,
    request_uri_parameter_supported: false,
    require_signed_request_object: false,
    request_object_signing_alg_values_supported: expect.arrayContaining([
      'RS256',
      'ES256',
      'EdDSA',
      'HS256',
      'none',
    ]) as string[],
  });
  const members = { request_object_signing_alg: 'HS256', require_signed_request_object: true };
  const { body: registered } = await ask(http.url, '/register', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [REDIRECT_URI], ...members }),
  });
  expect(registered).toMatchObject(members);
});
