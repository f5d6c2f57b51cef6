// A client in the form: no part of the record is lost on the way there and back, and invalid input is reported at its
// field.

import { describe, expect, it } from 'vitest';
import { client } from '../support/core.ts';
import { allAddresses } from '../../src/core/shape/address.ts';
import { patchBetween } from '../../src/core/records/merge-patch.ts';
import { clientSchema } from '../../src/core/records/schemas.ts';
import {
  type AppKind,
  clientOf,
  draftOf,
  duplicateOf,
  kindOf,
  newDraft,
  problemsOf,
  secretFor,
  keysText,
  withKind,
  readKeys,
} from '../../src/renderer/views/clients/client-draft.ts';
import {
  type SnippetInput,
  incompatibility,
  needsInterop,
  requirementsNote,
} from '../../src/renderer/connect-app/library-input.ts';
import { SNIPPETS } from '../../src/renderer/connect-app/libraries.ts';

const KEY = { kty: 'EC', crv: 'P-256', kid: 'k1', x: 'AA', y: 'AA' };

const record = (members: object = {}) =>
  clientSchema.parse({ client_id: 'app', client_secret: 'secret', ...members });

const FULL = record({
  client_name: 'App',
  application_type: 'native',
  client_secret: null,
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [KEY] },
  redirect_uris: ['https://app.example/cb'],
  post_logout_redirect_uris: ['https://app.example/bye'],
  backchannel_logout_uri: 'http://localhost:3000/logout',
  backchannel_logout_session_required: true,
  request_object_signing_alg: 'ES256',
  require_signed_request_object: true,
  authorization_signed_response_alg: 'PS256',
  userinfo_signed_response_alg: 'EdDSA',
  introspection_signed_response_alg: 'RS256',
  grant_types: ['client_credentials'],
  default_audience: 'https://orders.example/api',
  profile: 'interop',
  access_token_expires_in: 60,
  refresh_token_expires_in: 3600,
  access_token_format: 'opaque',
  throttle: { limit: 5, window_seconds: 10 },
  claims: { tier: 'gold' },
});

describe('a client in the form', () => {
  it.each([record(), FULL])('is saved exactly as it was loaded', (client) => {
    expect(clientOf(draftOf(client))).toEqual(client);
    expect(problemsOf(draftOf(client))).toEqual({});
  });

  it('has every member but the token with which a client manages its registration', () => {
    const members = Object.keys(clientSchema.shape).filter(
      (name) => name !== 'registration_access_token',
    );
    expect(Object.keys(clientOf(newDraft())).toSorted()).toEqual(members.toSorted());
  });

  it('loses an optional member that is emptied', () => {
    const emptied = clientOf({
      ...draftOf(FULL),
      backchannel_logout_uri: '',
      userinfo_signed_response_alg: null,
      require_signed_request_object: false,
    });
    expect(patchBetween(FULL, { ...FULL, ...emptied })).toEqual({
      backchannel_logout_uri: null,
      userinfo_signed_response_alg: null,
      require_signed_request_object: null,
    });
  });

  it('starts with a secret and without problems', () => {
    const draft = newDraft();
    expect(draft.client_secret).toMatch(/^[\w-]{43}$/);
    expect(problemsOf(draft)).toEqual({});
  });

  it('gets a new secret when a client with a secret is duplicated', () => {
    expect(duplicateOf(record()).client_secret).toMatch(/^[\w-]{43}$/);
    expect(clientOf(duplicateOf(FULL))).toEqual({
      ...FULL,
      client_id: expect.stringMatching(/^app-[0-9a-f]{8}$/) as string,
      client_name: 'App (copy)',
    });
  });

  it('has a secret only when its authentication method uses one', () => {
    expect(secretFor('none', 'typed', 'former')).toBe('');
    expect(secretFor('private_key_jwt', 'typed', 'former')).toBe('');
    expect(secretFor('client_secret_basic', 'typed', 'former')).toBe('typed');
    expect(secretFor('client_secret_post', '', 'former')).toBe('former');
    expect(secretFor('client_secret_post', '', '')).toMatch(/^[\w-]{43}$/);
  });

  it('reports the missing half of a throttling limit', () => {
    const draft = { ...draftOf(record()), throttle: { limit: 5, window_seconds: '' } };
    expect(problemsOf(draft)).toEqual({
      'throttle.window_seconds': 'Must be a whole number of seconds.',
    });
  });

  it('requires keys when it authenticates with private_key_jwt', () => {
    const draft = { ...draftOf(FULL), jwks: '' };
    expect(problemsOf(draft)).toEqual({
      jwks: 'Is required with token_endpoint_auth_method private_key_jwt, unless jwks_uri is set.',
    });
  });

  it('ignores invalid keys while their field is hidden', () => {
    expect(problemsOf({ ...draftOf(record()), jwks: '{' })).toEqual({});
  });
});

describe('the kinds of app', () => {
  it.each<[AppKind, Partial<ReturnType<typeof clientOf>>]>([
    ['web', { client_secret: 's', grant_types: ['authorization_code', 'refresh_token'] }],
    ['page', { client_secret: null, token_endpoint_auth_method: 'none' }],
    ['native', { client_secret: null, application_type: 'native' }],
    ['machine', { client_secret: 's', grant_types: ['client_credentials'], redirect_uris: [] }],
  ])('%s begins with what such an app uses, and is valid', (kind, members) => {
    const draft = withKind({ ...newDraft(), client_name: 'App', client_secret: 's' }, kind);
    expect(clientOf(draft)).toMatchObject({ client_name: 'App', ...members });
    expect([kindOf(draft), problemsOf(draft)]).toEqual([kind, {}]);
  });

  it('is none of them after a change of the grants', () => {
    expect(kindOf({ ...newDraft(), grant_types: ['password'] })).toBeNull();
  });

  it('a kind with a secret gets one again after a kind without', () => {
    const draft = withKind(withKind(newDraft(), 'page'), 'web');
    expect(clientOf(draft).client_secret).toMatch(/\S{16,}/);
  });
});

describe('the keys as text', () => {
  it('are shown as a JWK Set, or as empty text without keys', () => {
    expect(keysText({ keys: [KEY] as never })).toBe(JSON.stringify({ keys: [KEY] }, null, 2));
    expect([keysText(null), readKeys(' ')]).toEqual(['', { ok: true, jwks: null }]);
  });

  it.each([{ keys: [KEY], remark: 'ignored' }, [KEY], KEY])('are read from %j', (value) => {
    expect(readKeys(JSON.stringify(value))).toEqual({ ok: true, jwks: { keys: [KEY] } });
  });

  it.each([
    ['{"keys": [', 'Line 1 is not JSON: expected a value, found the end of the text.'],
    ['{"kty": "RSA", "kty": "EC"}', 'Line 1: “kty” is present more than once.'],
    ['7', 'The keys must be a JSON object.'],
    ['{"keys": []}', 'The keys must contain at least one key.'],
    [
      JSON.stringify(
        {
          keys: [
            { ...KEY, alg: 'd' },
            { ...KEY, d: 'AA' },
          ],
        },
        null,
        1,
      ),
      'Key 2, line 17: “d” is a private member; register only the public key.',
    ],
    [JSON.stringify({ ...KEY, kty: 'oct' }), 'Key 1, line 1: “kty” must be RSA, EC or OKP.'],
    [
      JSON.stringify({ kty: 'RSA', n: 'AQ' }),
      'Key 1, line 1: “e” is required as a string in a key of kty RSA.',
    ],
    ['[7]', 'Key 1 must be a JSON object.'],
  ])('are rejected with a reason: %s', (text, problem) => {
    const read = readKeys(text);
    expect(read).toEqual({ ok: false, problem });
  });
});

describe('the configuration of other programs', () => {
  const input = {
    issuer: 'http://localhost:4280',
    endpoints: allAddresses('http://localhost:4280', null),
    client_id: 'app',
    redirect_uri: 'https://app.example/cb',
    post_logout_redirect_uri: 'https://app.example/',
    audience: 'http://localhost:4280',
  };
  /** Why a library cannot be used; null when it can. */
  const unfitOf = (members: Partial<SnippetInput>) =>
    Object.fromEntries(
      SNIPPETS.map((snippet) => [
        snippet.id,
        incompatibility(snippet, { ...input, client_secret: null, signs: false, ...members }),
      ]),
    );
  const textsOf = (client_secret: string | null, signs: boolean) =>
    Object.fromEntries(
      SNIPPETS.map(({ id, text }) => [id, text({ ...input, client_secret, signs })]),
    );

  it('allows plain HTTP only when the issuer uses plain HTTP', () => {
    const https = { ...input, issuer: 'https://localhost:4280', client_secret: 's', signs: false };
    for (const { id, text } of SNIPPETS) {
      expect(text(https), id).not.toMatch(/insecure/i);
    }
    const plain = textsOf('s', false);
    expect(plain['openid-client']).toContain('execute: [client.allowInsecureRequests]');
    expect(plain['oauth4webapi']).toContain('tokens.refresh_token, insecure)');
  });

  it('says what the client requires and no settings configure', () => {
    const note = (members: object, require_pushed_authorization_requests = false) =>
      requirementsNote(client(members), { require_pushed_authorization_requests });
    expect(note({})).toBeNull();
    expect(note({}, true)).toContain('must use pushed authorization requests (PAR, RFC 9126).');
    const all = {
      require_pushed_authorization_requests: true,
      require_signed_request_object: true,
      dpop_bound_access_tokens: true,
    };
    expect(note(all)).toMatch(/ \(PAR, RFC 9126\), .*\(JAR, RFC 9101\) and DPoP proofs/);
  });

  it.each([
    ['documented', 'env', false, null],
    ['documented', 'postman', false, /documented profile, which rejects requests from Postman/],
    ['interop', 'postman', false, null],
    ['strict', 'env', true, /must use DPoP, which the strict profile does not support/],
    ['interop', 'env', true, null],
  ] as const)(
    'says why its client needs the interop profile: %s, %s, DPoP %s',
    (profile, id, dpop_bound_access_tokens, expected) => {
      const snippet = SNIPPETS.find((one) => one.id === id) ?? SNIPPETS[0];
      const reason = needsInterop(client({ dpop_bound_access_tokens }), profile, snippet);
      if (expected === null) expect(reason).toBeNull();
      else expect(reason).toMatch(expected);
    },
  );

  it('states the client authentication method', () => {
    const secret = textsOf('s3cret', false);
    expect(secret['openid-client']).toContain("client.ClientSecretPost('s3cret')");
    expect(secret['curl']).toContain('"client_secret": "s3cret"');
    const open = textsOf(null, false);
    expect(open['oauth4webapi']).toContain('oauth.None()');
    expect(open['curl']).not.toContain('client_secret');
    const signed = textsOf(null, true);
    expect(signed['openid-client']).toContain('client.PrivateKeyJwt(privateKey)');
    expect(signed['oauth4webapi']).toContain('oauth.PrivateKeyJwt(privateKey)');
    expect(signed['curl']).toContain("--data-urlencode 'client_assertion=ASSERTION'");
  });

  it('says which clients a library does not support, and what to change', () => {
    const signed = unfitOf({ signs: true });
    expect(signed['simple-oauth2']).toContain('cannot sign assertions. Give the client a secret');
    expect(signed['openid-client']).toBeNull();
    const open = unfitOf({});
    expect(open['express-openid-connect']).toContain('this client is public');
    expect(open['msal-browser']).toContain('Start Grantbench with --https');
    const secret = unfitOf({ client_secret: 's', issuer: 'https://localhost:4280' });
    expect(secret['msal-browser']).toContain('Use a client with the authentication method none');
    expect(secret['msal-node']).toBeNull();
  });

  it('covers at least twelve libraries in five languages, each listed once', () => {
    const libraries = SNIPPETS.filter(({ group }) => group !== 'Any' && group !== 'Tools');
    expect(libraries.length).toBeGreaterThanOrEqual(12);
    expect(new Set(libraries.map(({ group }) => group)).size).toBeGreaterThanOrEqual(5);
    expect(new Set(SNIPPETS.map(({ id }) => id)).size).toBe(SNIPPETS.length);
  });

  it('keeps each registered value within one string literal, whatever it contains', () => {
    const hostile = `a'b"c\\d`;
    const texts = Object.fromEntries(
      SNIPPETS.map(({ id, text }) => [
        id,
        text({ ...input, client_secret: hostile, signs: false }),
      ]),
    );
    expect(texts['ruby-oauth2']).toContain(String.raw`'a\'b"c\\d'`);
    expect(texts['mod-auth-openidc']).toContain(String.raw`"a'b\"c\\d"`);
    expect(texts['spring']).toContain(String.raw`"a'b\"c\\d"`);
    expect(texts['auth-js']).toContain(String.raw`'a\'b"c\\d'`);
  });
});
