// RFC 9126 over real HTTP: stock clients that push their requests, and invalid requests.

import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { describe, expect, it } from 'vitest';
import { authorizePath } from '../support/form-calls.ts';
import {
  type HttpService,
  ownHttpService,
  REDIRECT_URI,
  sharedHttpService,
} from '../support/http-service.ts';
import { createPerson } from '../support/person.ts';
import type { AuthMethod } from '../support/token-endpoints.ts';
import {
  ask,
  CREDENTIALS,
  evaluationOf,
  oauthClient,
  openidClient,
  openidRequest,
  OTHER,
} from '../support/token-endpoints.ts';

const PATH = '/oauth/par';
const ASKED = { response_type: 'code', redirect_uri: REDIRECT_URI, scope: 'openid', state: 'xyz' };

const documented = await sharedHttpService();
const interop = await sharedHttpService({ profile: 'interop' });
const required = await sharedHttpService({ require_pushed_authorization_requests: true });
for (const { service } of [documented, interop, required]) {
  // Libraries validate ID tokens against the machine clock.
  service.ports.clock.set(Math.floor(Date.now() / 1000) * 1000);
}

type Form = Readonly<Record<string, string>> | string;

const push = (url: string, form: Form = {}, headers: Record<string, string> = {}) =>
  ask(url, PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body:
      typeof form === 'string'
        ? form
        : new URLSearchParams({ ...CREDENTIALS, ...ASKED, ...form }).toString(),
  });

const linkTo = (request_uri: unknown, client_id = 'demo-app') =>
  `/authorize?${new URLSearchParams({ client_id, request_uri: String(request_uri) }).toString()}`;

describe.each<[string, HttpService, AuthMethod]>([
  ['documented, client_secret_post', documented, 'client_secret_post'],
  ['interop, client_secret_basic', interop, 'client_secret_basic'],
  ['requests that must be pushed', required, 'client_secret_post'],
])('stock clients under %s', (_name, server, method) => {
  it('behaviour 7.18: openid-client pushes its request and redeems the code after approval', async () => {
    const { url } = server;
    const config = await openidClient(url, method, { id_token_signed_response_alg: 'ES256' });
    const { parameters, checks } = await openidRequest({ audience: url });
    const request = await openid.buildAuthorizationUrlWithPAR(config, parameters);
    expect([...request.searchParams.keys()].toSorted()).toEqual(['client_id', 'request_uri']);
    const person = createPerson(url);
    const done = await person.decide(
      await person.visit(`${request.pathname}${request.search}`),
      'approve',
    );
    const tokens = await openid.authorizationCodeGrant(
      config,
      done.location ?? new URL(REDIRECT_URI),
      checks,
      { audience: url },
    );
    expect(tokens.claims()).toMatchObject({ sub: 'ada', aud: 'demo-app' });
  });

  it('behaviour 7.18, RFC 9126 2.2: oauth4webapi parses the response, which is 201 and not cacheable', async () => {
    const { as, client, party, options } = await oauthClient(server.url, method);
    const response = await oauth.pushedAuthorizationRequest(...party, ASKED, options);
    expect(response.status).toBe(201);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const pushed = await oauth.processPushedAuthorizationResponse(as, client, response);
    expect(pushed.expires_in).toBe(60);
  });
});

describe('the metadata', () => {
  it('behaviour 7.18, RFC 9126 5: contains the endpoint, and whether requests must be pushed', async () => {
    for (const [{ url }, must] of [
      [documented, false],
      [required, true],
    ] as const) {
      const { body } = await ask(url, '/.well-known/openid-configuration');
      expect(body).toMatchObject({
        pushed_authorization_request_endpoint: `${url}/oauth/par`,
        require_pushed_authorization_requests: must,
      });
    }
  });
});

describe('a rejected push', () => {
  it.each<[string, Form, number, string]>([
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    [
      'an unregistered redirect URI',
      { redirect_uri: 'https://evil.example/' },
      400,
      'invalid_request',
    ],
    ['an implicit flow', { response_type: 'token' }, 400, 'unsupported_response_type'],
    ['no body', '', 400, 'invalid_request'],
    ['a field twice', 'client_id=demo-app&client_id=demo-app', 400, 'invalid_request'],
    ['bytes that are not UTF-8', 'client_id=%ff', 400, 'invalid_request'],
  ])('behaviour 7.18, RFC 9126 2.3: %s is answered in JSON', async (_name, form, status, error) => {
    const answer = await push(documented.url, form);
    expect([answer.status, answer.body['error']]).toEqual([status, error]);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('location')).toBeNull();
    expect(evaluationOf(documented, answer).endpoint).toBe('par');
  });

  it('RFC 9126 2.3: is 405 for any method but POST, and 413 for a body over the limit', async () => {
    const got = await ask(documented.url, PATH);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    const large = await push(documented.url, { state: 'x'.repeat(70_000) });
    expect(large.status).toBe(413);
  });
});

describe('the request_uri in a browser', () => {
  it('RFC 9126 4: is rejected on a page without a redirect when expired, foreign or unknown', async () => {
    const { url, service } = documented;
    const person = createPerson(url);
    const { body } = await push(url);
    const foreign = await person.visit(linkTo(body['request_uri'], OTHER.client_id));
    const unknown = await person.visit(linkTo('urn:ietf:params:oauth:request_uri:guessed'));
    service.ports.clock.advance(60_000);
    const expired = await person.visit(linkTo(body['request_uri']));
    for (const { status, location, text } of [foreign, unknown, expired]) {
      expect([status, location]).toEqual([400, null]);
      expect(text).toContain('invalid_request_uri');
    }
    expect(expired.text).toContain('expired');
  });
});

describe('registration', () => {
  it('behaviour 7.18, RFC 9126 6: a client may register that its requests must be pushed', async () => {
    const open = await ownHttpService({ registration: { mode: 'open', token: null } });
    const answer = await ask(open.url, '/register', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        redirect_uris: [REDIRECT_URI],
        require_pushed_authorization_requests: true,
      }),
    });
    expect(answer.status).toBe(201);
    expect(answer.body['require_pushed_authorization_requests']).toBe(true);
    const { client_id } = answer.body as { client_id: string };
    const { location } = await createPerson(open.url).visit(authorizePath({ ...ASKED, client_id }));
    expect(location?.searchParams.get('error')).toBe('invalid_request');
  });
});
