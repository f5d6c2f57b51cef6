// Settings and the workspace file: the message and path of each rule (control, the workspace file).

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isUsualWorkspace, usualWorkspaceSchema } from '../../src/core/records/usual-workspace.ts';
import {
  settingsSchema,
  signingKeySchema,
  workspaceSchema,
} from '../../src/core/records/schemas.ts';
import { problems } from '../support/problems.ts';

describe('settings', () => {
  test('spec 2.1, 8.3, 8.4, behaviour 1, 2, 2.3, 2.12, 4.2, 5, 5.2: have the documented defaults', () => {
    expect(settingsSchema.parse({})).toEqual({
      issuer: null,
      profile: 'documented',
      dialect: 'rfc6749',
      authorize: 'consent',
      lifetimes: {
        access_token: 86_400,
        refresh_token: 2_592_000,
        refresh_token_idle: null,
        session: 86_400,
        code: 600,
        pushed_request: 60,
        device_code: 600,
      },
      pkce_plain: true,
      acr_values_supported: [],
      userinfo_audience: false,
      device_authorization: { interval: 5, user_code: 'letters' },
      require_pushed_authorization_requests: false,
      refresh_rotation: { enabled: false, grace_seconds: 0 },
      expiry_members: false,
      scope_member: false,
      dpop: { require_nonce: false, nonce_seconds: 300, proof_seconds: 60 },
      registration: { mode: 'off', token: null },
      throttle: {
        mode: 'enforce',
        limit: 30,
        window_seconds: 60,
        trust_proxy: false,
        ratelimit_headers: true,
        x_ratelimit_headers: true,
        retry_after_header: true,
      },
      access_token_format: 'rfc9068',
      signing_alg: 'RS256',
      cors: true,
      exchange_header: true,
      capture: { max_exchanges: 10_000, max_bytes: 67_108_864 },
      max_body_bytes: 65_536,
    });
  });

  const ISSUER =
    'issuer: must be an http or https URL without query or fragment (RFC 8414 2), with one slash at the end at most';
  test.each([
    [{ issuer: 'http://localhost:4280//' }, ISSUER],
    [{ issuer: 'http://localhost:4280?x=1' }, ISSUER],
    [{ issuer: 'http://localhost:4280#x' }, ISSUER],
    [{ issuer: 'ftp://localhost' }, ISSUER],
    [{ issuer: 'localhost:4280' }, ISSUER],
    [{ issuer: 'http:localhost' }, ISSUER],
    [{ issuer: 'http:/localhost' }, ISSUER],
    [{ issuer: 'https://user:pw@auth.example' }, ISSUER],
    [{ registration: { mode: 'token' } }, 'registration.token: is required with mode token'],
    [{ profile: 'loose' }, 'profile: must be one of documented, strict, interop'],
    [{ dialect: 'okta' }, 'dialect: must be one of rfc6749, auth0'],
    [{ authorize: 'yes' }, 'authorize: must be one of consent, auto, deny'],
    [{ lifetimes: { access_token: 0 } }, 'lifetimes.access_token: must be at least 1 s'],
    [
      { lifetimes: { refresh_token: 315_360_001 } },
      'lifetimes.refresh_token: must be at most 315360000 s',
    ],
    [{ lifetimes: { code: 86_401 } }, 'lifetimes.code: must be at most 86400 s'],
    [{ lifetimes: { code: 0.5 } }, 'lifetimes.code: must be a whole number of seconds'],
    [{ lifetimes: { id_token: 5 } }, 'lifetimes: must not have id_token'],
    [{ refresh_rotation: { enabled: 'yes' } }, 'refresh_rotation.enabled: must be true or false'],
    [
      { refresh_rotation: { grace_seconds: 61 } },
      'refresh_rotation.grace_seconds: must be at most 60 s',
    ],
    [
      { refresh_rotation: { grace_seconds: -1 } },
      'refresh_rotation.grace_seconds: must be at least 0 s',
    ],
    [{ throttle: { mode: 'on' } }, 'throttle.mode: must be one of off, observe, enforce'],
    [{ throttle: { limit: 0 } }, 'throttle.limit: must be at least 1'],
    [{ throttle: { limit: 2.5 } }, 'throttle.limit: must be a whole number'],
    [{ throttle: { limit: 1e9 + 1 } }, 'throttle.limit: must be at most 1,000,000,000'],
    [{ throttle: { window_seconds: 0 } }, 'throttle.window_seconds: must be at least 1 s'],
    [{ throttle: { trust_proxy: 1 } }, 'throttle.trust_proxy: must be true or false'],
    [{ access_token_format: 'jwt' }, 'access_token_format: must be one of rfc9068, auth0, opaque'],
    [{ signing_alg: 'none' }, 'signing_alg: must be one of RS256, ES256, EdDSA, PS256, HS256'],
    [{ capture: { max_exchanges: 0 } }, 'capture.max_exchanges: must be at least 1'],
    [{ capture: { max_bytes: 1 } }, 'capture.max_bytes: must be at least 65536 bytes'],
    [{ max_body_bytes: 1023 }, 'max_body_bytes: must be at least 1024 bytes'],
    [{ max_body_bytes: 16_777_217 }, 'max_body_bytes: must be at most 16 MiB'],
    [{ extra: 1 }, ': must not have extra'],
  ])('control: rejects %j with "%s"', (members, problem) => {
    expect(problems(settingsSchema, members)).toEqual([problem]);
  });

  test.each(['http://localhost:4280', 'https://auth.example/tenant/a', 'http://[::1]:4280'])(
    'behaviour 7: may have the issuer %s',
    (issuer) => {
      expect(problems(settingsSchema, { issuer })).toEqual([]);
    },
  );
});

const client = { client_id: 'a', client_secret: 's' };

describe('the workspace file', () => {
  test('item 5: parses the example, and adds only defaults', () => {
    const file = new URL('workspace.example.json', import.meta.url);
    const example: unknown = JSON.parse(readFileSync(file, 'utf8'));
    expect(workspaceSchema.parse(example)).toMatchObject(example as object);
  });

  test('control: may contain only the version', () => {
    expect(workspaceSchema.parse({ version: 1 })).toEqual({
      version: 1,
      name: 'Untitled',
      settings: settingsSchema.parse({}),
      audiences: [],
      clients: [],
      users: [],
      faults: [],
    });
  });

  test.each(['', ' \t\u00a0\n'])(
    'control: reads a file with the blank name %j as Untitled',
    (name) => {
      expect(workspaceSchema.parse({ version: 1, name })).toMatchObject({ name: 'Untitled' });
    },
  );

  test.each([2, '1', null, undefined])('item 5: rejects the version %j', (version) => {
    const found = 'version: must be 1: the only workspace format that this release supports';
    expect(problems(workspaceSchema, { version })).toEqual([found]);
  });

  test.each([
    [{ clients: [client, client] }, 'clients.1.client_id: repeats "a"'],
    [{ users: [{ sub: 'x' }, { sub: 'y' }, { sub: 'x' }] }, 'users.2.sub: repeats "x"'],
    [{ audiences: [{ uri: 'urn:a' }, { uri: 'urn:a' }] }, 'audiences.1.uri: repeats "urn:a"'],
    [
      { clients: [{ ...client, default_audience: 'urn:a' }] },
      'clients.0.default_audience: is "urn:a", which is not a registered audience',
    ],
    [{ clients: {} }, 'clients: must be an array'],
    [{ faults: [{}] }, 'faults.0.id: must be a string'],
    [{ settings: { throttle: { limit: 0 } } }, 'settings.throttle.limit: must be at least 1'],
    [{ clients: [client, {}] }, 'clients.1.client_id: must be a string'],
    [{ colour: 'red' }, ': must not have colour'],
    [
      { keys: [{ kty: 'RSA', alg: 'none' }] },
      'keys.0.alg: must be one of RS256, ES256, EdDSA, PS256, HS256',
    ],
    [{ keys: [{ kty: 'DSA', alg: 'RS256' }] }, 'keys.0.kty: must be RSA, EC, OKP or oct'],
  ])('control: rejects %j with "%s"', (members, problem) => {
    expect(problems(workspaceSchema, { version: 1, ...members })).toContain(problem);
  });

  test('behaviour 7: may have a listed audience or the issuer as a default audience', () => {
    const to = (default_audience: string) => [{ ...client, default_audience }];
    const audiences = [{ uri: 'urn:a' }];
    expect(problems(workspaceSchema, { version: 1, audiences, clients: to('urn:a') })).toEqual([]);
    const settings = { issuer: 'https://auth.example' };
    const clients = to('https://auth.example');
    expect(problems(workspaceSchema, { version: 1, settings, clients })).toEqual([]);
  });

  test('control: reports all errors at once, each with its path', () => {
    const found = problems(workspaceSchema, {
      version: 1,
      settings: { profile: 'x', lifetimes: { code: 0 } },
      clients: [{ client_id: '' }, client, client],
      users: [{ sub: 1 }],
    });
    expect([...new Set(found.map((problem) => problem.split(':')[0]))].sort()).toEqual([
      'clients.0.client_id',
      'clients.0.client_secret',
      'clients.2.client_id',
      'settings.lifetimes.code',
      'settings.profile',
      'users.0.sub',
    ]);
  });

  test.each([null, [], 'text', 7, undefined])('control: rejects %j', (value) => {
    expect(problems(workspaceSchema, value)).toHaveLength(1);
  });

  test('control: treats prototype keys as unknown members, without pollution', () => {
    const found = problems(workspaceSchema, JSON.parse('{"version": 1, "__proto__": {"a": 1}}'));
    const named = problems(workspaceSchema, { version: 1, constructor: 1 });
    expect(named).toEqual([': must not have constructor']);
    expect(found).toEqual([': must not have __proto__']);
    expect({}).not.toHaveProperty('a');
  });
});

describe('a signing key', () => {
  const rsa = { kty: 'RSA', alg: 'RS256', n: 'n', e: 'AQAB' };

  test('workspace: must have a private part', () => {
    expect(problems(signingKeySchema, rsa)).toEqual([
      'd: is required: a signing key must include its private part',
    ]);
    expect(problems(signingKeySchema, { kty: 'oct', alg: 'HS256' })).toEqual([
      'k: is required: a signing key must include its private part',
    ]);
    expect(problems(signingKeySchema, { ...rsa, d: 'd' })).toEqual([]);
    expect(problems(signingKeySchema, { kty: 'oct', alg: 'HS256', k: 'k'.repeat(43) })).toEqual([]);
  });

  test('workspace: must have an algorithm of its key type', () => {
    const found = problems(signingKeySchema, { ...rsa, d: 'd', alg: 'ES256' });
    expect(found).toEqual(['alg: must fit the key: ES256 needs one of kty EC']);
  });
});

const CLIENT = { client_id: 'shop', client_secret: 'a secret of the shop' };

const resultOf = (schema: typeof usualWorkspaceSchema | typeof workspaceSchema, data: unknown) => {
  const { data: value, error } = schema.safeParse(data);
  // The order of the members is that of a file.
  return JSON.stringify(error?.issues ?? value);
};

describe('a usual workspace', () => {
  test.each([
    [{ version: 1 }],
    [{ version: 1, name: 'Shop', clients: [CLIENT], users: [{ sub: 'ada' }], faults: [] }],
    [{ version: 1, audiences: [{ uri: 'https://orders.example' }], keys: [] }],
    [{ version: 1, settings: { profile: 'lax', lifetimes: { code: -1 } } }],
    [{ version: 1, clients: [CLIENT, CLIENT], users: [{}], keys: [{ kty: 'RSA' }] }],
    [{ version: 1, clients: [{ ...CLIENT, default_audience: 'https://nowhere.example' }] }],
    [{ version: 2 }],
    [null],
    [[]],
    ['{}'],
  ])('has the same value or the same problems in both schemas: %j', (data) => {
    expect(isUsualWorkspace(data)).toBe(true);
    expect(resultOf(usualWorkspaceSchema, data)).toBe(resultOf(workspaceSchema, data));
  });

  test.each([
    [{ version: 1, faults: [{}] }],
    [{ version: 1, faults: {} }],
    [{ version: 1, apis: [] }],
    [{ version: 1, shape: { provider: 'okta' } }],
    [{ version: 1, saved_flows: [] }],
    [{ version: 1, saved_requests: [] }],
    [{ version: 1, client_checks: [] }],
    [{ version: 1, colour: 'green' }],
    [JSON.parse('{"version": 1, "__proto__": {}}') as unknown],
  ])('has no other member: %j', (data) => {
    expect(isUsualWorkspace(data)).toBe(false);
  });
});
