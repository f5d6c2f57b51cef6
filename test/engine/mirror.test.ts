// `grantbench mirror`: the shape derived from the documents of a provider and from a sample token, and protection
// against a hostile server. Over real HTTP on the loopback.

import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { decodeJwt } from 'jose';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { checkAddress, kindOf } from '../../src/engine/provider/addresses.ts';
import { readSample } from '../../src/engine/mirror/claims-of.ts';
import { mirror, type Mirrored } from '../../src/engine/mirror/workspace.ts';
import { ProviderError } from '../../src/engine/provider/provider-error.ts';
import type { ReadOptions } from '../../src/engine/provider/documents.ts';
import { call, startHarness } from '../support/harness.ts';
import { makeCertificate } from '../support/https.ts';
import { createLoopbackServers, json } from '../support/loopback-servers.ts';
import { words } from '../support/words.ts';

const OPTIONS: ReadOptions = {
  named: [],
  timeout_ms: 10_000,
  confirmHost: () => Promise.resolve(false),
};

const { serve, closeAll } = createLoopbackServers();

afterEach(closeAll);

/** A provider with these members of metadata besides its issuer, and these keys. */
async function provider(
  metadata: (issuer: string) => Record<string, unknown>,
  keys: unknown = [{ kty: 'EC', crv: 'P-256', use: 'sig', kid: '1' }],
  path = '',
): Promise<string> {
  const origin = await serve((request, response) => {
    const issuer = `${origin}${path}`;
    if (request.url === '/keys') json({ keys })(request, response);
    else if (request.url === `${path}/.well-known/openid-configuration`) {
      json({ issuer, jwks_uri: `${origin}/keys`, ...metadata(issuer) })(request, response);
    } else response.writeHead(404).end();
  });
  return `${origin}${path}`;
}

const shapeIn = ({ workspace }: Mirrored) => workspace['shape'] as Record<string, unknown>;

/** Mirrors the provider. @returns why it was refused */
async function refused(url: string, options = OPTIONS): Promise<string> {
  const error = await mirror(url, null, options).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderError)) throw new Error('was not refused', { cause: error });
  return error.message;
}

describe('behaviour 12.11: the derived shape', () => {
  it('has paths, metadata and the algorithm of the keys, so that discovery equals the provider’s', async () => {
    const issuer = await provider(
      (base) => ({
        authorization_endpoint: `${base}/login`,
        token_endpoint: `${base}/v1/token?api=2`,
        userinfo_endpoint: 'https://users.example/me',
        backchannel_authentication_endpoint: `${base}/ciba`,
        op_policy_uri: 'https://example.com/policy',
        acr_values_supported: ['loa2', 'http://idmanagement.gov/ns/assurance/ial/2'],
        scopes_supported: [`${base}/scope`],
        id_token_signing_alg_values_supported: ['RS256', 'ES256'],
      }),
      undefined,
      '/tenant-1',
    );
    const mirrored = await mirror(issuer, null, OPTIONS);
    expect(shapeIn(mirrored)).toMatchObject({
      name: new URL(issuer).host,
      issuer_path: '/tenant-1',
      paths: {
        authorization: ['/tenant-1/login'],
        token: ['/tenant-1/v1/token'],
        userinfo: ['/me'],
        introspection: null,
        jwks: ['/keys'],
      },
      metadata: {
        acr_values_supported: ['loa2', 'http://idmanagement.gov/ns/assurance/ial/2'],
        claims_supported: null,
      },
      settings: { profile: 'interop', signing_alg: 'ES256' },
    });
    expect(mirrored.notes).toEqual([
      'At the provider, token_endpoint has a query. It is omitted.',
      'At the provider, userinfo_endpoint is on users.example.',
      'backchannel_authentication_endpoint is omitted because it leads to the provider.',
      'op_policy_uri is omitted because it leads to the provider.',
      'scopes_supported is omitted because it leads to the provider.',
    ]);

    const harness = await startHarness({ workspace: mirrored.workspace });
    const path = '/tenant-1/.well-known/openid-configuration';
    const ours = `http://localhost:${harness.engine.server().port}`;
    const { body } = await call(harness.url(), 'GET', path);
    expect(body).toMatchObject({
      issuer: `${ours}/tenant-1`,
      token_endpoint: `${ours}/tenant-1/v1/token`,
      jwks_uri: `${ours}/keys`,
      id_token_signing_alg_values_supported: ['ES256'],
    });
    expect(Object.keys(body as object).toSorted()).toEqual(
      words(
        'acr_values_supported authorization_endpoint',
        'authorization_response_iss_parameter_supported claims_parameter_supported',
        'dpop_signing_alg_values_supported id_token_signing_alg_values_supported issuer',
        'jwks_uri request_parameter_supported request_uri_parameter_supported',
        'require_pushed_authorization_requests response_types_supported scopes_supported',
        'subject_types_supported token_endpoint userinfo_endpoint',
      ),
    );
  });

  it('omits a path that the service uses for something else, and reports it', async () => {
    const issuer = await provider((base) => ({
      token_endpoint: `${base}/userinfo`,
      authorization_endpoint: `${base}/authorize/`,
    }));
    const { workspace, notes } = await mirror(issuer, null, OPTIONS);
    expect(workspace['shape']).not.toHaveProperty('paths.token');
    expect(notes).toContain(
      'paths.authorization[0] is omitted: it must be a path such as /{tenant}/oauth2/token, without a trailing slash.',
    );
    expect(notes).toContain(
      'paths.token[0] is omitted: it is /userinfo, which is reserved for the userinfo endpoint.',
    );
  });

  it('RFC 8414 3.1: uses the authorization server’s document without an OpenID document', async () => {
    const origin = await serve((request, response) => {
      if (request.url !== '/.well-known/oauth-authorization-server') response.writeHead(404).end();
      else json({ issuer: origin, token_endpoint: `${origin}/t` })(request, response);
    });
    const mirrored = await mirror(origin, null, OPTIONS);
    expect(shapeIn(mirrored)).toMatchObject({ paths: { token: ['/t'], jwks: null } });
  });
});

const base64url = (text: string) => Buffer.from(text).toString('base64url');

/** The signature is not validated, so that any value works. */
const signed = (payload: string) =>
  [JSON.stringify({ alg: 'RS256', typ: 'JWT' }), payload, 'signature'].map(base64url).join('.');

const sampleOf = (payload: Record<string, unknown>) => signed(JSON.stringify(payload));

describe('behaviour 12.12: a sample token gives names and kinds of claims, and none of its values', () => {
  const SECRET = 'value-of-production';
  const sample = sampleOf({
    iss: 'https://login.example',
    sub: SECRET,
    aud: SECRET,
    iat: 1_700_000_000,
    exp: 1_700_000_900,
    nbf: 1_700_000_000,
    azp: SECRET,
    scp: [SECRET, 'openid'],
    email: `${SECRET}@example.com`,
    preferred_username: SECRET,
    groups: [SECRET],
    roles: SECRET,
    tenant: 'd0d1a2f0-9a83-4a6a-8f0e-1f2a3b4c5d6e',
    picture: `https://example.com/${SECRET}`,
    level: 7,
    admin: false,
    nothing: null,
    context: { region: SECRET, $from: SECRET, list: [{ id: SECRET }, { id: SECRET }] },
  });

  it('makes each claim a reference or a placeholder', () => {
    const { access_token, access_token_typ, lifetime } = readSample(sample, 'sample.jwt');
    expect(JSON.stringify(access_token)).not.toContain(SECRET);
    expect(access_token).toEqual({
      client_id: null,
      scope: null,
      nbf: { $from: 'token.iat' },
      azp: { $from: 'client.client_id' },
      scp: { $from: 'scopes' },
      email: { $from: 'user.email' },
      preferred_username: { $from: 'user.sub' },
      groups: { $from: 'user.groups' },
      roles: 'sample',
      tenant: { $from: 'user.uuid' },
      picture: 'https://sandbox.example/value',
      level: 1,
      admin: true,
      context: { region: 'sample', list: [{ id: 'sample' }] },
    });
    expect([access_token_typ, lifetime]).toEqual(['JWT', 900]);
  });

  it('appear in the tokens of a service that is started with the shape', async () => {
    const issuer = await provider((base) => ({ token_endpoint: `${base}/token` }));
    const { workspace } = await mirror(issuer, { token: sample, where: 'sample.jwt' }, OPTIONS);
    const harness = await startHarness({ workspace });
    const minted = await harness.api('POST', '/tokens', { client_id: 'demo-app', sub: 'ada' });
    const { access_token } = minted.body as { access_token: string };
    const { exp = 0, iat = 0, ...claims } = decodeJwt(access_token);
    expect(claims).toMatchObject({ azp: 'demo-app', groups: ['group-1'], admin: true });
    expect(exp - iat).toBe(900);
  });

  it.each(['opaque', '', 'a.b.c', 'a.b.c.d.e'])('is rejected when it is %j', (token) => {
    expect(() => readSample(token, 'sample.jwt')).toThrow(/^sample\.jwt is not a signed JWT/);
  });

  it('is truncated when it is nested too deeply', () => {
    const token = signed(`{"deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
    expect(JSON.stringify(readSample(token, 'x').access_token).length).toBeLessThan(100);
  });
});

describe('behaviour 12.13: a hostile server', () => {
  const MIB = 1024 * 1024;
  const never: RequestListener = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
  };
  const endless: RequestListener = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const more = () => {
      while (response.write(' '.repeat(65_536)));
      response.once('drain', more);
    };
    more();
  };
  const head =
    (status: number, headers: Record<string, string>, body = ''): RequestListener =>
    (_, response) => {
      response.writeHead(status, headers).end(body);
    };

  it.each<[string, RequestListener, string]>([
    [
      'redirects',
      head(302, { Location: 'http://169.254.169.254/latest' }),
      'redirects to http://169.254.169.254/latest; redirects are not followed.',
    ],
    ['10 MB', head(200, {}, ' '.repeat(10 * MIB)), 'responds with more than 1 MB.'],
    ['without end', endless, 'responds with more than 1 MB.'],
    ['HTML', head(200, { 'Content-Type': 'text/html' }, '<p>'), 'responds with HTML, not JSON.'],
    ['HTML called JSON', head(200, {}, ' <!doctype html>'), 'responds with HTML, not JSON.'],
    ['an error', head(500, {}), 'responds with status 500, not 200.'],
    [
      'gzip',
      head(200, { 'Content-Encoding': 'gzip' }, '{}'),
      'responds with compressed data that was not asked for.',
    ],
    ['a list', json([]), 'responds with JSON that is not an object.'],
    ['no issuer', json({}), 'has no issuer.'],
    [
      'another issuer',
      json({ issuer: 'https://other.example' }),
      'has another issuer, https://other.example; use that issuer instead.',
    ],
  ])('%s', async (_, answer, rule) => {
    const origin = await serve(answer);
    const message = await refused(origin);
    expect(message).toBe(`${origin}/.well-known/openid-configuration ${rule}`);
  });

  it('a response that never arrives or never ends is aborted', async () => {
    for (const answer of [never, () => undefined]) {
      const origin = await serve(answer);
      const message = await refused(origin, { ...OPTIONS, timeout_ms: 50 });
      expect(message).toMatch(
        /openid-configuration did not respond completely within 0\.05 seconds\.$/,
      );
    }
  });

  it('a connection that fails is explained, with the other scheme where that helps', async () => {
    const plain = (await serve(json({}))).replace('http:', 'https:');
    expect(await refused(plain)).toBe(
      `${plain}/.well-known/openid-configuration cannot be reached: it does not use TLS, so use http://.`,
    );
    const secure = createServer(await makeCertificate()).listen(0);
    onTestFinished(() => void secure.close());
    const { port } = secure.address() as AddressInfo;
    expect(await refused(`http://localhost:${port}`)).toMatch(
      / closed the connection before its response was complete; if it uses TLS, use https:\/\/\.$/,
    );
    expect(await refused('http://localhost:1')).toMatch(
      / cannot be reached: nothing listens on its port\.$/,
    );
    expect(await refused('https://no-such-host.invalid')).toMatch(
      / cannot be reached: its host name cannot be resolved\.$/,
    );
  });

  it('text that is not JSON is reported with its position', async () => {
    const origin = await serve(head(200, {}, '{"issuer": nothing}'));
    expect(await refused(origin)).toMatch(/is not JSON: line 1, column 12/);
  });

  it.each([
    ['ftp://example.com', /must begin with https:\/\//],
    ['http://example.com', /must begin with https:\/\/, or http:\/\/ and a loopback address\.$/],
    ['http://127.0.0.1.example.com', /must begin with https/],
    ['https://ada:secret@example.com', /^https:\/\/example\.com must not have a user name/],
    ['https://example.com/?a=b', /must not have a query or a fragment/],
    ['login', /^login is not a URL\.$/],
    [
      'https://10.1.2.3/',
      /resolves to 10\.1\.2\.3, a private address; allow it with --allow-address/,
    ],
    ['https://[fd00::1]/', /resolves to fd00::1, a private address/],
    ['https://2130706433/', /cannot be reached|answers/],
    ['https://169.254.169.254/', /a link-local address/],
  ])('%s', async (url, rule) => {
    expect(await refused(url)).toMatch(rule);
  });

  it.each([
    ['127.0.0.1', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['10.0.0.1', 'private'],
    ['172.31.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['0.0.0.0', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['fc00::1', 'private'],
    ['64:ff9b::a00:1', 'private'],
    ['224.0.0.1', 'private'],
    ['169.254.169.254', 'link-local'],
    ['fe80::1', 'link-local'],
    ['93.184.215.14', 'public'],
    ['2606:2800:21f::1', 'public'],
  ])('%s is %s', (address, kind) => {
    expect(kindOf(address)).toBe(kind);
  });

  it('a name that resolves to a non-public address is rejected, unless that address is allowed', () => {
    const url = new URL('https://intranet.example');
    for (const address of ['127.0.0.1', '10.0.0.1', 'fe80::1']) {
      expect(() => {
        checkAddress(url, address, []);
      }).toThrow(/--allow-address/);
      expect(() => {
        checkAddress(url, address, [address]);
      }).not.toThrow();
    }
    expect(() => {
      checkAddress(new URL('http://localhost'), '93.184.215.14', []);
    }).toThrow(/http is only allowed for loopback addresses/);
  });

  it('keys on another host are requested only after a confirmation', async () => {
    const keys = await serve(json({ keys: [{ kty: 'RSA', use: 'sig' }] }));
    const { host } = new URL(keys);
    const issuer = await provider(() => ({ jwks_uri: `${keys}/` }));
    expect(await refused(issuer)).toBe(
      `${keys}/ is on another host than the issuer; allow it with --allow-jwks-host ${host}.`,
    );
    const asked: string[] = [];
    const confirmHost = (one: string) => {
      asked.push(one);
      return Promise.resolve(true);
    };
    const mirrored = await mirror(issuer, null, { ...OPTIONS, confirmHost });
    expect(asked).toEqual([host]);
    expect(shapeIn(mirrored)).toMatchObject({ settings: { signing_alg: 'RS256' } });
  });

  it('a jwks_uri with a non-public address is rejected, even if its host is allowed', async () => {
    const issuer = await provider(() => ({ jwks_uri: 'https://169.254.169.254/keys' }));
    const confirmHost = () => Promise.resolve(true);
    expect(await refused(issuer, { ...OPTIONS, confirmHost })).toMatch(/link-local/);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['a jwks_uri', { jwks_uri: 7 }, /names a jwks_uri that is not a string/],
    ['an endpoint', { token_endpoint: 'nowhere' }, /has a token_endpoint that is not a URL/],
    [
      'too much metadata',
      { acr_values_supported: ['x'.repeat(100_000)] },
      /makes a shape that cannot be used/,
    ],
  ])('%s that cannot be used', async (_, metadata, rule) => {
    const issuer = await provider(() => metadata);
    expect(await refused(issuer)).toMatch(rule);
  });

  it('metadata members that a shape cannot have are omitted', async () => {
    const deep = JSON.parse(`${'['.repeat(36)}${']'.repeat(36)}`) as unknown;
    const issuer = await provider(() => ({ deep, acr_values_supported: ['loa2'] }));
    const mirrored = await mirror(issuer, null, OPTIONS);
    const { metadata } = shapeIn(mirrored);
    expect(metadata).toMatchObject({ acr_values_supported: ['loa2'] });
    expect(metadata).not.toHaveProperty('deep');
    expect(mirrored.notes.join()).toMatch(/metadata\.deep is omitted/);
  });
});
