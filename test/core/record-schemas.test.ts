// The records of a workspace: the message and path of each rule.

import { describe, expect, test } from 'vitest';
import { CLIENT_GRANTS } from '../../src/core/records/enumerations.ts';
import {
  audienceSchema,
  clientSchema,
  REGISTERED_CLAIMS,
  userSchema,
} from '../../src/core/records/schemas.ts';
import { problems } from '../support/problems.ts';

const ofClient = (members: Record<string, unknown>) =>
  problems(clientSchema, { client_id: 'app', client_secret: 's', ...members });

const ASCII = 'must be printable ASCII (RFC 6749 appendix A)';
const OWN_CLAIM = 'is a claim that the service sets itself; choose another name';
const NOT_A_URI =
  'must be an absolute URI without a fragment (RFC 8707 2), or a name of letters, digits or . _ ~ - (RFC 8693 2.1)';

describe('a client', () => {
  test('control: has defaults for omitted members', () => {
    expect(clientSchema.parse({ client_id: 'app', client_secret: 's' })).toEqual({
      client_id: 'app',
      client_secret: 's',
      client_name: '',
      application_type: 'web',
      redirect_uris: [],
      post_logout_redirect_uris: [],
      grant_types: ['authorization_code', 'refresh_token'],
      require_pushed_authorization_requests: false,
      token_endpoint_auth_method: 'client_secret_post',
      dpop_bound_access_tokens: false,
      jwks: null,
      default_audience: null,
      profile: null,
      access_token_expires_in: null,
      refresh_token_expires_in: null,
      access_token_format: null,
      default_max_age: null,
      require_auth_time: false,
      throttle: null,
      claims: {},
      claims_in_id_token: false,
    });
  });

  test.each(['localhost:3000/callback', '127.0.0.1:3000', 'app.example:8080/cb?a=1'])(
    'RFC 6749 3.1.2: cannot have the redirect URI %s, which has no scheme',
    (uri) => {
      const problem = 'must begin with a scheme such as http://, not with a host and port';
      expect(ofClient({ redirect_uris: [uri] })).toEqual([`redirect_uris.0: ${problem}`]);
    },
  );

  const FRAGMENT = 'must not have a fragment (RFC 6749 3.1.2)';
  const ABSOLUTE = 'must be an absolute URI (RFC 6749 3.1.2)';
  const SECONDS = 'must be a whole number of seconds';
  test.each([
    [{ client_id: '' }, 'client_id: must not be empty'],
    [{ client_id: 7 }, 'client_id: must be a string'],
    [{ client_id: undefined }, 'client_id: must be a string'],
    [{ client_id: 'é' }, `client_id: ${ASCII}`],
    [{ client_id: 'a\n' }, `client_id: ${ASCII}`],
    [{ client_id: 'a'.repeat(201) }, 'client_id: must be at most 200 characters'],
    [{ client_secret: '' }, 'client_secret: must not be empty'],
    [{ client_secret: 's'.repeat(501) }, 'client_secret: must be at most 500 characters'],
    [
      { client_secret: null },
      'client_secret: is required with token_endpoint_auth_method client_secret_post',
    ],
    [{ client_name: 7 }, 'client_name: must be a string'],
    [{ client_name: 'n'.repeat(201) }, 'client_name: must be at most 200 characters'],
    [{ redirect_uris: 'http://x/' }, 'redirect_uris: must be an array'],
    [{ redirect_uris: [7] }, 'redirect_uris.0: must be a string'],
    [{ redirect_uris: ['/callback'] }, `redirect_uris.0: ${ABSOLUTE}`],
    [{ redirect_uris: ['http://x/ y'] }, `redirect_uris.0: ${ABSOLUTE}`],
    [{ redirect_uris: ['http://x/#f'] }, `redirect_uris.0: ${FRAGMENT}`],
    [{ redirect_uris: ['http://x/#'] }, `redirect_uris.0: ${FRAGMENT}`],
    [{ redirect_uris: ['javascript:x'] }, 'redirect_uris.0: must not use the scheme javascript:'],
    [{ redirect_uris: ['DATA:text/html,x'] }, 'redirect_uris.0: must not use the scheme data:'],
    [
      { redirect_uris: ['http://x/', 'http://x/'] },
      'redirect_uris.1: repeats the redirect URI "http://x/"',
    ],
    [{ grant_types: 'authorization_code' }, 'grant_types: must be an array'],
    [{ grant_types: ['hybrid'] }, `grant_types.0: must be one of ${CLIENT_GRANTS.join(', ')}`],
    [
      { grant_types: ['refresh_token', 'refresh_token'] },
      'grant_types.1: repeats the grant type "refresh_token"',
    ],
    [
      { token_endpoint_auth_method: 'tls_client_auth' },
      'token_endpoint_auth_method: must be one of client_secret_post, client_secret_basic, client_secret_jwt, private_key_jwt, none',
    ],
    [
      { token_endpoint_auth_method: 'private_key_jwt' },
      'jwks: is required with token_endpoint_auth_method private_key_jwt, unless jwks_uri is set',
    ],
    [{ jwks: 'x' }, 'jwks: must be a JSON object'],
    [{ jwks: { keys: [] } }, 'jwks.keys: must contain at least one key'],
    [
      { jwks: { keys: [{ kty: 'RSA', n: 'AQAB' }] } },
      'jwks.keys.0.e: is required as a string in a key of kty RSA',
    ],
    [
      { jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 7 }] } },
      'jwks.keys.0.y: is required as a string in a key of kty EC',
    ],
    [
      { jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } },
      'jwks.keys.0.kty: must be RSA, EC or OKP',
    ],
    [
      { jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'x', d: 'secret' }] } },
      'jwks.keys.0.d: is a private member; register only the public key',
    ],
    [{ application_type: 'desktop' }, 'application_type: must be one of web, native'],
    [{ throttle: { limit: 0, window_seconds: 60 } }, 'throttle.limit: must be at least 1'],
    [{ post_logout_redirect_uris: ['/bye'] }, `post_logout_redirect_uris.0: ${ABSOLUTE}`],
    [{ default_audience: 'orders api' }, `default_audience: ${NOT_A_URI}`],
    [{ profile: 'lenient' }, 'profile: must be one of documented, strict, interop, or null'],
    [{ access_token_expires_in: 0 }, 'access_token_expires_in: must be at least 1 s'],
    [{ access_token_expires_in: 1.5 }, `access_token_expires_in: ${SECONDS}`],
    [{ access_token_expires_in: '60' }, `access_token_expires_in: ${SECONDS}`],
    [
      { access_token_expires_in: 315_360_001 },
      'access_token_expires_in: must be at most 315360000 s',
    ],
    [
      { access_token_format: 'jwt' },
      'access_token_format: must be one of rfc9068, auth0, opaque, or null',
    ],
    [{ claims: [] }, 'claims: must be a JSON object'],
    [{ claims: { sub: 'x' } }, `claims.sub: ${OWN_CLAIM}`],
  ])('control: rejects %j with "%s"', (members, problem) => {
    expect(ofClient(members)).toContain(problem);
  });

  test.each([
    'http://localhost:3000/callback',
    'https://app.example/cb?tenant=1',
    'com.example.app:/oauth',
    'http://[::1]:8080/',
    'myapp://callback',
  ])('RFC 6749 3.1.2: may have the redirect URI %s', (uri) => {
    expect(ofClient({ redirect_uris: [uri] })).toEqual([]);
  });

  test('RFC 7591 2: has no secret only with token_endpoint_auth_method none', () => {
    expect(ofClient({ client_secret: null, token_endpoint_auth_method: 'none' })).toEqual([]);
    expect(
      ofClient({ client_secret: null, token_endpoint_auth_method: 'client_secret_basic' }),
    ).toEqual(['client_secret: is required with token_endpoint_auth_method client_secret_basic']);
  });

  test('control: rejects an unknown member by name', () => {
    const { error } = clientSchema.safeParse({ client_id: 'a', client_secret: 's', secret: 'x' });
    expect(error?.issues).toMatchObject([
      { code: 'unrecognized_keys', keys: ['secret'], path: [] },
    ]);
  });

  test('control: reports all problems at once', () => {
    const wrong = { client_id: '', redirect_uris: ['x', 'x'], claims: { iss: 1 }, profile: 1 };
    const found = ofClient(wrong);
    const paths = ['client_id', 'redirect_uris.0', 'redirect_uris.1', 'profile', 'claims.iss'];
    expect(found.map((problem) => problem.split(':')[0])).toEqual(
      expect.arrayContaining(paths) as string[],
    );
  });
});

describe('custom claims', () => {
  test.each(REGISTERED_CLAIMS)('behaviour 2.6: %s collides with a registered claim', (name) => {
    const problem = `claims.${name}: ${OWN_CLAIM}`;
    expect(ofClient({ claims: { [name]: 1 } })).toEqual([problem]);
    expect(problems(userSchema, { sub: 'a', claims: { [name]: null } })).toEqual([problem]);
  });

  test('behaviour 2: only JSON values are accepted', () => {
    const claims = { a: null, b: [1, 'x', { c: true }], 'https://x.example/role': 'admin' };
    expect(clientSchema.parse({ client_id: 'a', client_secret: 's', claims }).claims).toEqual(
      claims,
    );
    for (const value of [undefined, () => 1, 1n, Number.NaN, new Date(0)]) {
      expect(ofClient({ claims: { a: value } })).not.toEqual([]);
    }
  });

  test('control: prototype keys in claims pollute nothing', () => {
    const claims: unknown = JSON.parse('{"__proto__": {"admin": true}, "constructor": "x"}');
    const parsed = clientSchema.safeParse({ client_id: 'a', client_secret: 's', claims });
    const kept = parsed.data?.claims ?? {};
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
    expect('admin' in kept).toBe(false);
    expect({}).not.toHaveProperty('admin');
  });
});

describe('a user', () => {
  test('control: has defaults for omitted members', () => {
    expect(userSchema.parse({ sub: 'ada' })).toEqual({
      sub: 'ada',
      name: '',
      password: null,
      email: '',
      claims: {},
    });
  });

  test.each([
    [{ sub: '' }, 'sub: must not be empty'],
    [{ sub: 's'.repeat(256) }, 'sub: must be at most 255 characters'],
    [{ sub: 'é' }, `sub: ${ASCII}`],
    [{ sub: 'a', name: 1 }, 'name: must be a string'],
    [{ sub: 'a', email: 'e'.repeat(321) }, 'email: must be at most 320 characters'],
    [{ sub: 'a', password: '' }, 'password: must not be empty'],
    [{ sub: 'a', password: 'p'.repeat(501) }, 'password: must be at most 500 characters'],
    [
      { sub: 'a', password: 'a\nb' },
      'password: must not contain line breaks (RFC 6749 appendix A)',
    ],
    [{ sub: 'a', claims: 'x' }, 'claims: must be a JSON object'],
    [{ sub: 'a', extra: 1 }, ': must not have extra'],
  ])('control: rejects %j with "%s"', (members, problem) => {
    expect(problems(userSchema, members)).toEqual([problem]);
  });

  test('control: may have a name in any script', () => {
    expect(problems(userSchema, { sub: 'a', name: 'Ада Лавлейс' })).toEqual([]);
  });
});

describe('an audience', () => {
  test('control: has defaults for omitted members', () => {
    const uri = 'https://orders.example/api';
    expect(audienceSchema.parse({ uri })).toEqual({ uri, name: '', scopes: [] });
  });

  const uri = 'urn:example:orders';
  test.each([
    [{ uri: 'orders api' }, `uri: ${NOT_A_URI}`],
    [{ uri: '//orders.example' }, `uri: ${NOT_A_URI}`],
    [{ uri: 'https://x.example/#a' }, `uri: ${NOT_A_URI}`],
    [{ uri: 'https://x.example/ a' }, `uri: ${NOT_A_URI}`],
    [{ uri: `https://x.example/${'a'.repeat(2000)}` }, 'uri: must be at most 2000 characters'],
    [{ uri, scopes: 'a b' }, 'scopes: must be an array'],
    [{ uri, scopes: ['a', 'a'] }, 'scopes.1: repeats the scope "a"'],
    [{ uri, scopes: ['a'.repeat(201)] }, 'scopes.0: must be at most 200 characters'],
    [{ uri, scope: 'x' }, ': must not have scope'],
  ])('control: rejects %j with "%s"', (members, problem) => {
    expect(problems(audienceSchema, members)).toEqual([problem]);
  });

  test.each(['', 'a b', 'a"', 'a\\', 'é', '\0'])(
    'RFC 6749 3.3: %j is not a scope-token',
    (scope) => {
      const rule = 'must be a scope-token: visible ASCII without spaces, quotes or backslashes';
      expect(problems(audienceSchema, { uri, scopes: ['ok', scope] })).toEqual([
        `scopes.1: ${rule}`,
      ]);
    },
  );
});
