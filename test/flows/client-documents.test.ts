// Behaviour 20.5: clients whose client_id is the URL of a document (client ID metadata documents): which documents are
// fetched, which are accepted, and what a requester learns.

import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { describeCause } from '../../src/core/checks/describe-cause.ts';
import { settingsSchema } from '../../src/core/records/schemas.ts';
import { clientOfDocument } from '../../src/core/registry/registration.ts';
import { authorizePath } from '../support/form-calls.ts';
import { sharedHttpService } from '../support/http-service.ts';
import { createLoopbackServers } from '../support/loopback-servers.ts';
import { createPerson, type PageSeen } from '../support/person.ts';
import { ask, evaluationOf } from '../support/token-endpoints.ts';

const server = await sharedHttpService({ profile: 'interop', authorize: 'auto' });
const { serve, closeAll } = createLoopbackServers();
afterAll(closeAll);
/** What the site responds. */
let answer: (url: string) => { status?: number; headers?: Record<string, string>; body: unknown };
let requested: { url: string; headers: Record<string, unknown> }[];

const origin = await serve((request, response) => {
  const { url = '', headers } = request;
  requested.push({ url, headers });
  const { status = 200, headers: sent = {}, body } = answer(url);
  response.writeHead(status, { 'Content-Type': 'application/json', ...sent });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
});

const documentAt = (url: string, more: object = {}) => ({
  client_id: url,
  client_name: 'A client with a document',
  client_uri: 'https://client.example',
  redirect_uris: ['http://127.0.0.1/callback', 'https://client.example/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  ...more,
});

const allow = (document_origins?: readonly string[]) => {
  const registration = {
    mode: 'off',
    ...(document_origins === undefined ? {} : { document_origins }),
  };
  const settings = { ...server.service.settings(), registration };
  server.service.setSettings(settingsSchema.parse(settings));
};

beforeEach(() => {
  requested = [];
  answer = (url) => ({ body: documentAt(origin + url) });
  allow([origin]);
  const { clients } = server.service.registry;
  for (const { client_id } of clients.list())
    if (client_id.includes('/')) clients.remove(client_id);
});

const CHALLENGE = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

const authorize = (client_id: string, redirect_uri = 'http://127.0.0.1:33418/callback') =>
  createPerson(server.url).visit(
    authorizePath({ client_id, redirect_uri, state: 's', scope: 'openid', ...CHALLENGE }),
  );

const reasonOf = (given: PageSeen) => {
  const { refusal } = evaluationOf(server, given);
  return refusal === null
    ? null
    : { reason: refusal.reason, detail: describeCause(refusal).detail };
};

describe('behaviour 20.5: a document that is fetched', () => {
  it('registers its client, which signs users in and gets tokens; it is requested each time', async () => {
    const url = `${origin}/client.json`;
    const given = await authorize(url);
    expect(given.status).toBe(302);
    const code = given.location?.searchParams.get('code') ?? '';
    const tokens = await ask(server.url, '/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        client_id: url,
        redirect_uri: 'http://127.0.0.1:33418/callback',
        code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      }),
    });
    expect(tokens.status).toBe(200);
    const { 'user-agent': _agent, ...headers } = requested[0]?.headers ?? {};
    expect(headers).toEqual({
      accept: 'application/json',
      connection: 'close',
      host: new URL(origin).host,
    });
    answer = (path) => ({ body: documentAt(origin + path, { client_name: 'Renamed' }) });
    await authorize(url);
    expect(server.service.registry.clients.get(url)?.client_name).toBe('Renamed');
    expect(requested.map((one) => one.url)).toEqual(['/client.json', '/client.json']);
  });

  it('is used by a pushed request as well', async () => {
    const client_id = `${origin}/pushed.json`;
    const body = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: 'https://client.example/callback',
      ...CHALLENGE,
    });
    const pushed = await ask(server.url, '/oauth/par', { method: 'POST', body });
    expect(pushed.status).toBe(201);
  });

  it('only registers redirect URIs that the document has', async () => {
    const given = await authorize(`${origin}/client.json`, 'https://evil.example/callback');
    expect(given.status).toBe(400);
    expect(reasonOf(given)).toMatchObject({ reason: 'redirect_uri_unregistered' });
  });

  it.each([
    ['another client_id', { body: { client_id: 'http://127.0.0.1/x' } }, 'must be the URL'],
    ['a shared secret', { body: { client_secret: 'secret' } }, 'client_secret must be omitted'],
    [
      'a method with a shared secret',
      { body: { token_endpoint_auth_method: 'client_secret_basic' } },
      'must be none or private_key_jwt',
    ],
    ['no client_name', { body: { client_name: undefined } }, 'client_name is required'],
    ['no redirect URIs', { body: { redirect_uris: [] } }, 'redirect_uris is required'],
    [
      'an unsafe redirect URI',
      { body: { redirect_uris: ['javascript:alert(1)'] } },
      'redirect_uris',
    ],
    ['more than 5 kB', { body: { client_uri: 'x'.repeat(6000) } }, ''],
    ['status 404', { status: 404 }, 'status 404'],
    ['a redirect', { status: 302, headers: { Location: '/other.json' } }, 'redirects'],
    ['HTML', { text: '<html>' }, 'HTML'],
    ['an array', { text: '[]' }, ''],
  ])('with %s is refused, and the requester learns no more', async (_title, change, detail) => {
    const { body, text: plain, ...rest } = change as { body?: object; text?: string };
    answer = (path) => ({ ...rest, body: plain ?? documentAt(origin + path, body) });
    const url = `${origin}/refused.json`;
    const given = await authorize(url);
    expect(given.status).toBe(400);
    const { text: page } = given;
    expect(page).toContain('the document at client_id cannot be used');
    expect(page).not.toContain('must be the URL of');
    expect(reasonOf(given)).toEqual({
      reason: 'client_document_unusable',
      detail: expect.stringContaining(detail),
    });
    expect(server.service.registry.clients.get(url)).toBeUndefined();
    expect(requested.map((one) => one.url)).not.toContain('/other.json');
  });

  it.each([
    ['of an origin that is not listed', () => 'http://localhost:9/client.json'],
    ['without a path', () => `${origin}/`],
    ['with a fragment', () => `${origin}/client.json#a`],
    ['with a user name', () => origin.replace('//', '//ada@') + '/client.json'],
    ['with dot segments', () => `${origin}/a/../client.json`],
  ])('is not requested from a URL %s', async (_title, url) => {
    expect(reasonOf(await authorize(url()))).toMatchObject({
      reason: 'authorization_client_unknown',
    });
    expect(requested).toEqual([]);
  });

  it('is never requested from this server', async () => {
    allow([server.url]);
    expect(reasonOf(await authorize(`${server.url}/client.json`))).toEqual({
      reason: 'client_document_unusable',
      detail: expect.stringContaining('port of this sandbox'),
    });
  });

  it('does not replace a client that was registered otherwise', async () => {
    const { clients } = server.service.registry;
    const url = `${origin}/known.json`;
    const [client] = clients.list();
    if (client === undefined) throw new Error('no client');
    clients.put({ ...client, client_id: url });
    await authorize(url);
    expect(requested).toEqual([]);
    expect(clients.get(url)?.client_name).toBe('Demo application');
  });

  it('of at most 100 clients is kept, and none is saved', async () => {
    for (let n = 0; n < 100; n += 1) await authorize(`${origin}/${n}.json`);
    const { service } = server;
    const first = service.registry.clients.get(`${origin}/0.json`);
    expect(first && service.isFetchedClient(first)).toBe(true);
    expect(reasonOf(await authorize(`${origin}/100.json`))).toEqual({
      reason: 'client_document_unusable',
      detail: 'no more clients can be registered',
    });
    expect((await authorize(`${origin}/99.json`)).status).toBe(302);
  });
});

describe('behaviour 20.5: the setting', () => {
  it('is off by default, and announced when it is set', async () => {
    const announced = async () => {
      const { body } = await ask(server.url, '/.well-known/oauth-authorization-server');
      return body['client_id_metadata_document_supported'];
    };
    expect(await announced()).toBe(true);
    allow([]);
    expect(await announced()).toBe(true);
    allow();
    expect(await announced()).toBeUndefined();
    const { refusal } = evaluationOf(server, await authorize(`${origin}/client.json`));
    expect(refusal && describeCause(refusal).advice).toMatch(/^Set registration.document_origins/);
    expect(requested).toEqual([]);
  });

  it.each([
    'https://client.example',
    'http://10.0.0.1',
    'http://localhost:80',
    'http://localhost/',
    'x',
  ])('refuses the origin %s', (given) => {
    const registration = { document_origins: [given] };
    expect(settingsSchema.safeParse({ registration }).error?.issues).toMatchObject([
      { path: ['registration', 'document_origins', 0] },
    ]);
  });
});

it('behaviour 20.5: a document without application_type is that of a native client', () => {
  const url = 'https://client.example/client.json';
  expect(clientOfDocument(documentAt(url), url)).toMatchObject({
    client: { client_id: url, application_type: 'native', client_secret: null },
  });
});
