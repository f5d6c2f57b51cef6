// Behaviour 7: the metadata and the landing page list the endpoints and methods of the active profile.

import { describe, expect, it } from 'vitest';
import { sharedHttpService } from '../support/http-service.ts';
import { ask } from '../support/token-endpoints.ts';

const DOCUMENTS = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

const documented = await sharedHttpService();
const interop = await sharedHttpService({ profile: 'interop', expiry_members: true });

describe.each(DOCUMENTS)('%s', (path) => {
  it('RFC 8414 2: names the endpoints, and each of them exists', async () => {
    const { url } = documented;
    const { body } = await ask(url, path);
    const endpoints = ['revocation_endpoint', 'introspection_endpoint', 'userinfo_endpoint'];
    expect(endpoints.map((name) => body[name])).toEqual([
      `${url}/oauth/revoke`,
      `${url}/oauth/introspect`,
      `${url}/userinfo`,
    ]);
    for (const name of endpoints) {
      const { status } = await ask(String(body[name]), '', { method: 'DELETE' });
      expect(status).toBe(405);
    }
  });

  it('behaviour 7.11: names the client authentication methods of the profile, and never none for introspection', async () => {
    const plain = (await ask(documented.url, path)).body;
    for (const endpoint of ['token', 'revocation', 'introspection']) {
      expect(plain[`${endpoint}_endpoint_auth_methods_supported`]).toEqual(['client_secret_post']);
    }
    const open = (await ask(interop.url, path)).body;
    const proving = [
      'client_secret_post',
      'client_secret_basic',
      'client_secret_jwt',
      'private_key_jwt',
    ];
    expect(open['introspection_endpoint_auth_methods_supported']).toEqual(proving);
    for (const endpoint of ['token', 'revocation']) {
      const methods = open[`${endpoint}_endpoint_auth_methods_supported`];
      expect(methods).toEqual([...proving, 'none']);
    }
  });

  it('RFC 8414 2: names the algorithms where assertions are accepted', async () => {
    const [plain, open] = [await ask(documented.url, path), await ask(interop.url, path)];
    for (const endpoint of ['token', 'revocation', 'introspection']) {
      const name = `${endpoint}_endpoint_auth_signing_alg_values_supported`;
      expect(plain.body).not.toHaveProperty(name);
      expect(open.body[name]).toEqual(expect.arrayContaining(['ES256', 'HS512']));
    }
  });

  it('draft-ietf-oauth-refresh-token-expiration-03, 8: names the expiry members when they are enabled', async () => {
    const name = 'refresh_token_expiration_types_supported';
    expect((await ask(documented.url, path)).body).not.toHaveProperty(name);
    expect((await ask(interop.url, path)).body[name]).toEqual(['authorization', 'token_timeout']);
  });
});

it('OpenID Connect Discovery 3: the OpenID document lists the claims', async () => {
  const { body } = await ask(documented.url, DOCUMENTS[1] ?? '');
  expect(body['claims_supported']).toEqual(
    expect.arrayContaining(['sub', 'name', 'email', 'auth_time', 'nonce']),
  );
});

it('behaviour 7.14: the landing page lists the endpoints', async () => {
  const page = await (await fetch(`${documented.url}/`)).text();
  for (const path of ['/oauth/revoke', '/oauth/introspect', '/userinfo']) {
    expect(page).toContain(`${documented.url}${path}`);
  }
});
