// The rules for a provider shape: its paths, the claims that it must not change, its errors. The shipped shapes follow
// all of them.

import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/core/records/endpoints.ts';
import { PROVIDERS, shapeSchema, type Shape } from '../../src/core/records/schemas.ts';
import { describeShape } from '../../src/core/shape/changes.ts';
import { resolveShape, SHIPPED_SHAPES } from '../../src/core/shape/resolve.ts';
import { checkWorkspace } from '../../src/engine/workspace/document.ts';

const problemsOf = async (shape: unknown) => {
  const checked = await checkWorkspace({ version: 1, shape });
  return 'problems' in checked
    ? checked.problems.map(({ path, message }) => `${path} ${message}`)
    : [];
};

describe('behaviour 12.4: paths', () => {
  it.each<[Record<string, unknown>, string]>([
    [
      { paths: { userinfo: ['/oauth/token'] } },
      'shape.paths.userinfo[0] is /oauth/token, which is reserved for the token endpoint',
    ],
    [
      { paths: { token: ['/readyz'] } },
      'shape.paths.token[0] is /readyz, which the service itself uses',
    ],
    [
      { paths: { token: ['/x'], userinfo: ['/x'] } },
      'shape.paths.userinfo[0] is /x, which the token endpoint already has',
    ],
    [
      { paths: { token: ['/{tenant}/token'] } },
      'shape.paths.token[0] has {tenant}, which is not a parameter of the shape',
    ],
    [
      { paths: { token: ['token'] } },
      'shape.paths.token[0] must be a path such as /{tenant}/oauth2/token, without a trailing slash',
    ],
    [{ parameters: { tenant: ['..'] } }, 'shape.parameters.tenant[0] must not be . or ..'],
    [
      {
        parameters: Object.fromEntries(
          ['a', 'b', 'c'].map((name) => [
            name,
            Array.from({ length: 20 }, (_, n) => `${name}${n}`),
          ]),
        ),
        paths: { token: ['/{a}/{b}/{c}'] },
      },
      'shape.paths.token[0] results in more than 500 paths, together with those of the other members',
    ],
    [
      {
        parameters: { tenant: ['a', 'b'].map((letter) => letter.repeat(100)) },
        paths: { token: ['/{tenant}/{tenant}/{tenant}'] },
      },
      'shape.paths.token[0] is longer than 300 characters with the values of its parameters',
    ],
  ])('%j', async (shape, problem) => {
    expect(await problemsOf(shape)).toEqual([problem]);
  });

  it('a path that the endpoint already has is not a collision', async () => {
    expect(await problemsOf({ paths: { token: [ENDPOINTS.token.path] } })).toEqual([]);
  });
});

describe('behaviour 12.6: what a shape must not change', () => {
  const FIXED = 'is set by the service itself; a shape must not change it';

  it.each(['iss', 'sub', 'aud', 'exp', 'iat', 'cnf'])('%s of access tokens', async (name) => {
    expect(await problemsOf({ access_token: { [name]: 'x' } })).toEqual([
      `shape.access_token.${name} ${FIXED}`,
    ]);
  });

  it.each(['iss', 'sub', 'aud', 'exp', 'iat', 'nonce', 'cnf'])('%s of id_tokens', async (name) => {
    expect(await problemsOf({ id_token: { [name]: null } })).toEqual([
      `shape.id_token.${name} ${FIXED}`,
    ]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ userinfo: { sub: 'x' } }, `shape.userinfo.sub ${FIXED}`],
    [{ token_response: { expires_in: 1 } }, `shape.token_response.expires_in ${FIXED}`],
    [
      { access_token: { jti: 'x' } },
      'shape.access_token.jti is set by the service itself; a shape can only omit it',
    ],
    [{ access_token: { jti: null } }, 'shape.access_token.jti can be omitted only if there is uti'],
    [
      { access_token: { client_id: null } },
      'shape.access_token.client_id can be omitted only if there is azp, cid, appid',
    ],
    [
      { access_token: { scope: null } },
      'shape.access_token.scope can be omitted only if there is scp',
    ],
    [
      { access_token: { cid: 'another' } },
      'shape.access_token.cid must be { "$from": "client.client_id" }, or null to omit it',
    ],
    [
      { metadata: { token_endpoint: 'https://other.example' } },
      'shape.metadata.token_endpoint is the address of an endpoint or the issuer; use paths or issuer_path instead',
    ],
    [
      { logout_parameters: { back: 'nowhere' } },
      'shape.logout_parameters.back must be one of post_logout_redirect_uri, id_token_hint, client_id, state',
    ],
    [
      { errors: [{ reason: 'bad_mood', status: 400 }] },
      'shape.errors[0].reason is "bad_mood", which is not a reason for a rejection',
    ],
    [{ errors: [{ status: 200 }] }, 'shape.errors[0].status must be at least 400'],
    [
      { settings: { profile: 'lax' } },
      'shape.settings.profile must be one of documented, strict, interop',
    ],
    [{ provider: 'acme' }, 'shape.provider must be one of auth0, okta, entra, keycloak'],
    [{ colour: 'red' }, 'shape.colour is not a known member'],
    [
      { id_token: { a: '{user.phone}' } },
      'shape.id_token.a references "user.phone", which does not exist',
    ],
  ])('%j', async (shape, problem) => {
    expect(await problemsOf(shape)).toContain(problem);
  });

  it('a shape of more than 64 KiB is too large', async () => {
    const metadata = { x: 'x'.repeat(70_000) };
    expect(await problemsOf({ metadata })).toEqual([
      'shape must not take more than 64 KiB in memory',
    ]);
  });
});

describe.each(PROVIDERS)('the shipped shape of %s', (provider) => {
  it('follows every rule, has a description, and says what it changes', async () => {
    expect(shapeSchema.parse(SHIPPED_SHAPES[provider])).toEqual(SHIPPED_SHAPES[provider]);
    expect(await problemsOf({ provider })).toEqual([]);
    const changes = describeShape({ provider });
    expect(changes.length).toBeGreaterThan(4);
    for (const sentence of changes) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });

  it('behaviour 12.9: sets its settings where the workspace has none', async () => {
    const settings = { lifetimes: { access_token: 42 } };
    const checked = await checkWorkspace({ version: 1, shape: { provider }, settings });
    const { value } = checked as { value: { settings: Record<string, unknown>; shape: Shape } };
    expect(value.settings).toMatchObject({ profile: 'interop', lifetimes: { access_token: 42 } });
    expect(value.shape).toEqual({ provider });
  });
});

it('says in a sentence what an id_token has and what it omits', () => {
  expect(describeShape({ provider: 'entra' })).toContain(
    'The id_token has ver, tid, oid, nbf, sid, uti, preferred_username, roles and omits at_hash.',
  );
});

it('behaviour 12.1: given members override those of the provider, one level deep', () => {
  const resolved = resolveShape({
    provider: 'keycloak',
    parameters: { realm: ['shop'] },
    token_response: { session_state: null },
  });
  const { value } = resolved as Extract<typeof resolved, { value: unknown }>;
  expect(value.issuer_path).toBe('/realms/shop');
  expect(value.templates.token_response?.names).toContain('not-before-policy');
  expect(value.routes.get('/realms/shop/protocol/openid-connect/token')).toBe('token');
});
