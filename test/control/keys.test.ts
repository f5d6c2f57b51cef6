// docs/reference/control-api.md, behaviour 2: signing keys over REST: generated, imported, retired, and saved.

import { generateKeyPairSync } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { decodeProtectedHeader } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import type { Credential, LiveCounts, SigningKey } from '../../src/control/schemas.ts';
import type { SigningAlg, SigningKeyJwk } from '../../src/core/records/schemas.ts';
import { SIGNING_ALGS } from '../../src/core/records/schemas.ts';
import { generateSigningKey } from '../../src/engine/key-material.ts';
import { introspect, refresh } from '../support/form-calls.ts';
import type { Harness } from '../support/harness.ts';
import { createLoopbackServers, json } from '../support/loopback-servers.ts';
import { shareHarness } from '../support/shared-harness.ts';
import {
  call,
  expectError,
  START,
  startHarness,
  startSignedIn,
  workspaceFile,
  workspaceInput,
} from '../support/harness.ts';

const keysOf = ({ list }: Harness) => list<SigningKey>('/keys');

const kidsOf = async (harness: Harness) => (await keysOf(harness)).map(({ kid }) => kid);

async function publishedKids({ url }: Harness): Promise<string[]> {
  const answer = await call(url(), 'GET', '/.well-known/jwks.json');
  return (answer.body as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
}

const kidOfNewToken = async ({ signIn }: Harness) =>
  decodeProtectedHeader((await signIn()).access_token).kid;

const shared = shareHarness();

/** A private key that the harness does not have. */
async function foreignJwk(alg: SigningAlg = 'ES256'): Promise<SigningKeyJwk> {
  return (await generateSigningKey(alg, START)).private_jwk;
}

describe('POST /keys', () => {
  it('behaviour 2.13: generates a key that signs from then on, and keeps the old key published', async () => {
    const harness = await startHarness();
    const [old = ''] = await kidsOf(harness);
    harness.machine.now += 1000;
    const made = await harness.post<SigningKey>('/keys');
    expect(made).toMatchObject({
      alg: 'ES256',
      signing: true,
      published: true,
      created_at: new Date(START + 1000).toISOString(),
    });
    expect(await kidOfNewToken(harness)).toBe(made.kid);
    expect(await publishedKids(harness)).toEqual([made.kid, old]);
    expect(await keysOf(harness)).toEqual([
      made,
      expect.objectContaining({ kid: old, signing: false, published: true }),
    ]);
  });

  it.each(SIGNING_ALGS)(
    'behaviour 2: generates a key for %s, which signs once its algorithm is chosen',
    async (alg) => {
      const harness = await startHarness();
      const made = await harness.post<SigningKey>('/keys', { alg });
      expect(made).toMatchObject({ alg, signing: alg === 'ES256', published: alg !== 'HS256' });
      expect(made.public_jwk === null).toBe(alg === 'HS256');
      await harness.patch('/settings', { signing_alg: alg });
      expect(await kidOfNewToken(harness)).toBe(made.kid);
      expect((await publishedKids(harness)).includes(made.kid)).toBe(alg !== 'HS256');
    },
  );

  it.each(SIGNING_ALGS)('behaviour 2: imports a key for %s with its own kid', async (alg) => {
    const harness = await startHarness();
    const jwk = { ...(await foreignJwk(alg)), kid: 'mine/ours', note: 'secret' };
    const imported = await harness.post<SigningKey>('/keys', { jwk });
    expect(imported).toMatchObject({ kid: 'mine/ours', alg, signing: alg === 'ES256' });
    expect(JSON.stringify(await keysOf(harness))).not.toMatch(/secret|"d"|"k"/);
    await harness.patch('/settings', { signing_alg: alg });
    expect(await kidOfNewToken(harness)).toBe('mine/ours');
  });

  it('is rejected with the invalid field, and changes nothing', async () => {
    const harness = shared();
    const before = await keysOf(harness);
    const jwk = await foreignJwk();
    const { d: _d, ...open } = jwk as Record<string, unknown>;
    const cases: [unknown, string, RegExp][] = [
      [{ alg: 'RS512' }, 'alg', /one of RS256, ES256/],
      [{ alg: 'ES256', jwk }, 'alg', /must be omitted with jwk/],
      [{ size: 2048 }, 'size', /not a known member/],
      [{ jwk: 'text' }, 'jwk', /must be a JSON object/],
      [{ jwk: {} }, 'jwk.kty', /is required/],
      [{ jwk: { ...jwk, alg: undefined } }, 'jwk.alg', /is required/],
      [{ jwk: { ...jwk, alg: 'ES512' } }, 'jwk.alg', /one of/],
      [{ jwk: { ...jwk, alg: 'RS256' } }, 'jwk.alg', /RS256 needs one of kty RSA/],
      [{ jwk: open }, 'jwk.d', /a signing key must include its private part/],
      [{ jwk: { ...jwk, kid: '' } }, 'jwk.kid', /must not be empty/],
      [{ jwk: { ...jwk, d: 'AA' } }, 'jwk', /not a private key that can sign/],
      [{ jwk: { ...jwk, x: 'AA' } }, 'jwk', /not a private key that can sign/],
      [{ jwk: { kty: 'oct', alg: 'HS256', k: 'c2hvcnQ' } }, 'jwk.k', /at least 32 bytes/],
    ];
    for (const [body, field, message] of cases) {
      expectError(await harness.api('POST', '/keys', body), 422, 'invalid', field, message);
    }
    expect(await keysOf(harness)).toEqual(before);
  });

  it('rejects an existing key, under any kid', async () => {
    const harness = await startHarness();
    const jwk = await foreignJwk();
    await harness.post('/keys', { jwk });
    const other = await foreignJwk();
    const again = (body: unknown) => harness.api('POST', '/keys', { jwk: body });
    const { kid, ...nameless } = jwk;
    expectError(await again(jwk), 422, 'invalid', 'jwk.kid', /already exists/);
    expectError(await again(nameless), 422, 'invalid', 'jwk', /already exists/);
    expectError(await again({ ...jwk, kid: 'new' }), 422, 'invalid', 'jwk', /already exists/);
    expectError(await again({ ...other, kid }), 422, 'invalid', 'jwk.kid', /already exists/);
    expect(await kidsOf(harness)).toHaveLength(2);
  });

  it('rejects an RSA key with too few bits, with the reason', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const jwk = { ...privateKey.export({ format: 'jwk' }), alg: 'RS256' };
    expectError(await shared().api('POST', '/keys', { jwk }), 422, 'invalid', 'jwk', /2048 bits/);
  });

  it('returns a conflict for too many keys, even for simultaneous requests', async () => {
    const harness = await startHarness();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => harness.api('POST', '/keys')),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(15);
    const refused = answers.find(({ status }) => status !== 201);
    if (refused === undefined) throw new Error('none was refused');
    expectError(refused, 409, 'conflict', undefined, /at most 16 keys; retire one first/);
    const jwk = await foreignJwk();
    expectError(await harness.api('POST', '/keys', { jwk }), 409, 'conflict');
    expect(new Set(await kidsOf(harness)).size).toBe(16);
  });

  it('keeps the keys of the current workspace, and the newest 16 of former ones', async () => {
    const harness = await startHarness();
    const put = async () => {
      const keys = await Promise.all(Array.from({ length: 20 }, () => foreignJwk()));
      const answer = await harness.api('PUT', '/workspace', workspaceInput({ keys }));
      expect(answer.status).toBe(200);
      return kidsOf(harness);
    };
    const first = await put();
    const second = await put();
    const third = await put();
    expect(first).toHaveLength(21);
    expect(second).toHaveLength(36);
    expect(third).toHaveLength(36);
    expect(third.slice(20)).toEqual(second.slice(0, 16));
  });
});

describe('POST /keys/{kid}/retire', () => {
  it('behaviour 2.13: removes the key from the JWKS, and its tokens are no longer valid', async () => {
    const { harness, access_token } = await startSignedIn();
    const [old = ''] = await kidsOf(harness);
    const { kid } = await harness.post<SigningKey>('/keys');
    harness.machine.now += 1000;
    expect(await harness.post(`/keys/${old}/retire`)).toEqual({
      kid: old,
      retired_at: new Date(START + 1000).toISOString(),
      signing_kid: kid,
    });
    expect(await publishedKids(harness)).toEqual([kid]);
    expect(await kidsOf(harness)).toEqual([kid]);
    expect((await introspect(harness, access_token)).body).toEqual({ active: false });
  });

  it('behaviour 2.13: lists its tokens as inactive and counts them as no longer live, until the key is added again', async () => {
    const harness = await startHarness();
    await harness.signIn();
    await harness.patch('/clients/demo-app', { access_token_format: 'opaque' });
    await harness.signIn();
    const { private_jwk: jwk } = harness.engine.service.keyring.list()[0] ?? {};
    const states = async (query = '') => {
      const path = `/tokens?kind=access_token&live_counts=true${query}`;
      const { items, live } = await harness.get<{ items: Credential[]; live?: LiveCounts[] }>(path);
      return [...items.map(({ state }) => state), live?.[0]?.access_tokens];
    };
    expect(await states()).toEqual(['active', 'active', 2]);
    await harness.post(`/keys/${jwk?.kid ?? ''}/retire`);
    expect(await states()).toEqual(['active', 'inactive', 1]);
    expect(await states('&state=active')).toEqual(['active', 1]);
    expect(await states('&state=inactive')).toEqual(['inactive', 1]);
    await harness.post('/keys', { jwk });
    expect(await states()).toEqual(['active', 'active', 2]);
    await harness.post(`/keys/${jwk?.kid ?? ''}/retire`);
    const items = await harness.list<Credential>('/tokens?state=inactive');
    expect(items).toMatchObject([{ ended_at: null }]);
    await harness.post(`/tokens/${items[0]?.id ?? ''}/revoke`);
    await harness.post('/keys', { jwk });
    expect(await states(), 'revoked is final').toEqual(['active', 'revoked', 1]);
  });

  it('generates a new key at once when the last key that can sign is retired', async () => {
    const harness = await startHarness();
    const [old = ''] = await kidsOf(harness);
    const { signing_kid } = await harness.post<{ signing_kid: string }>(`/keys/${old}/retire`);
    expect(signing_kid).not.toBe(old);
    expect(await publishedKids(harness)).toEqual([signing_kid]);
    expect(await kidOfNewToken(harness)).toBe(signing_kid);
  });

  it('generates no key for another algorithm', async () => {
    const harness = await startHarness();
    const { kid } = await harness.post<SigningKey>('/keys', { alg: 'EdDSA' });
    await harness.post(`/keys/${kid}/retire`);
    expect((await keysOf(harness)).map(({ alg }) => alg)).toEqual(['ES256']);
  });

  it('is 404 for an unknown key, and succeeds once for simultaneous requests', async () => {
    const harness = await startHarness();
    expectError(await harness.api('POST', '/keys/none/retire'), 404, 'not_found');
    const [kid = ''] = await kidsOf(harness);
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => harness.api('POST', `/keys/${kid}/retire`)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
    expect(await kidsOf(harness)).toHaveLength(1);
  });

  it('behaviour 5: does not count the replacement of a token that it signed as redundant', async () => {
    const { harness, refresh_token } = await startSignedIn();
    const [kid = ''] = await kidsOf(harness);
    await harness.post(`/keys/${kid}/retire`);
    await refresh(harness, refresh_token);
    expect(await harness.get('/advisories')).toMatchObject({ items: [] });
  });
});

describe('keys are saved', () => {
  const fileOf = async (file: string) =>
    JSON.parse(await readFile(file, 'utf8')) as { keys?: { kid: string; d?: string }[] };

  it('with a workspace that has keys, whether generated, imported or retired', async () => {
    const file = await workspaceFile({ keys: [await foreignJwk()] });
    const workspace = { file, save: true };
    const harness = await startHarness({ engine: { workspace } });
    const [imported = ''] = await kidsOf(harness);
    const made = await harness.post<SigningKey>('/keys');
    await harness.post('/keys', { jwk: { ...(await foreignJwk()), kid: 'mine' } });
    await harness.post(`/keys/${imported}/retire`);
    await harness.engine.close();
    const saved = await fileOf(file);
    expect(saved.keys?.map(({ kid }) => kid)).toEqual(['mine', made.kid]);
    const second = await startHarness({ engine: { workspace } });
    expect(await kidsOf(second)).toEqual(['mine', made.kid]);
    expect(await kidOfNewToken(second)).toBe('mine');
  });

  it('not with a workspace without keys', async () => {
    const file = await workspaceFile();
    const harness = await startHarness({ engine: { workspace: { file, save: true } } });
    await harness.post('/keys');
    await harness.patch('/settings', { profile: 'strict' });
    await harness.engine.close();
    expect(await fileOf(file)).not.toHaveProperty('keys');
  });

  it('in the workspace document, even when its file is not written', async () => {
    const harness = await startHarness({ workspace: { keys: [await foreignJwk()] } });
    const made = await harness.post<SigningKey>('/keys');
    const { keys = [] } = await harness.get<{ keys?: { kid: string }[] }>('/workspace');
    expect(keys.map(({ kid }) => kid)).toEqual(await kidsOf(harness));
    expect(keys[0]?.kid).toBe(made.kid);
  });

  it('so that a workspace full of keys can be read again', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => foreignJwk()));
    const file = await workspaceFile({ keys });
    const workspace = { file, save: true };
    const harness = await startHarness({ engine: { workspace } });
    await harness.patch('/settings', { signing_alg: 'EdDSA' });
    await harness.engine.close();
    const second = await startHarness({ engine: { workspace } });
    expect((await fileOf(file)).keys).toHaveLength(20);
    expect((await keysOf(second)).find(({ signing }) => signing)?.alg).toBe('EdDSA');
  });

  it('only once, and a repeated key is reported by its path', async () => {
    const jwk = await foreignJwk();
    const answer = await shared().api('PUT', '/workspace', { version: 1, keys: [jwk, jwk] });
    expectError(answer, 422, 'invalid', 'keys[1].kid', /repeats/);
  });
});

const { serve, closeAll } = createLoopbackServers();

afterEach(closeAll);

const setOf = (keys: unknown): RequestListener => json({ keys });

describe('behaviour 12.19: POST /keys/fetch', () => {
  it('returns the public parts of the keys, and keeps none of them', async () => {
    const jwk = await foreignJwk();
    const { d: _private, ...open } = jwk as Record<string, unknown>;
    const url = `${await serve(setOf([jwk, { kty: 'oct', k: 'c2VjcmV0' }]))}/jwks`;
    const harness = shared();
    const before = await kidsOf(harness);
    expect(await harness.post('/keys/fetch', { url })).toEqual({ keys: [open] });
    expect(await kidsOf(harness)).toEqual(before);
    expect(await publishedKids(harness)).toEqual(before);
  });

  it.each([
    ['a relative path', '/jwks', /must be an http or https URL at/],
    ['another scheme', 'file:///etc/passwd', /must be an http/],
    ['another machine', 'https://192.0.2.1/jwks', /must be an http/],
    ['a link-local address', 'https://169.254.169.254/', /must be an http/],
    [
      'a host name that only ends like this machine’s',
      'https://localhost.example/',
      /must be an http/,
    ],
    ['a URL with a user', 'http://a:b@localhost/', /must be an http/],
    ['a URL that is too long', `http://localhost/${'a'.repeat(2048)}`, /2048/],
    ['nothing', '', /\w/],
  ])('rejects %s', async (_, url, rule) => {
    expectError(await shared().api('POST', '/keys/fetch', { url }), 422, 'invalid', 'url', rule);
  });

  it.each<[string, RequestListener, RegExp]>([
    ['redirects', (_, response) => response.writeHead(302, { location: '/' }).end(), /redirects/],
    ['responds with HTML', (_, response) => response.end('<html>'), /responds with HTML/],
    ['has no keys', (_, response) => response.end('{}'), /has no keys/],
    ['has too many keys', setOf(Array.from({ length: 101 }, () => ({ kty: 'EC' }))), /101 keys/],
    ['is too long', (_, response) => response.end(' '.repeat(2 ** 21)), /more than 1 MB/],
    ['fails', (_, response) => response.writeHead(500).end(), /status 500/],
  ])('reports a server that %s', async (_, answer, rule) => {
    const url = `${await serve(answer)}/jwks`;
    expectError(await shared().api('POST', '/keys/fetch', { url }), 409, 'conflict', 'url', rule);
  });

  it('aborts a pending request when the sandbox closes', async () => {
    const heard = new EventEmitter();
    const url = `${await serve(({ socket }) => heard.emit('request', socket))}/jwks`;
    const { api, engine } = await startHarness();
    const request = once(heard, 'request');
    const answer = api('POST', '/keys/fetch', { url });
    const [socket] = (await request) as [Socket];
    const left = once(socket, 'close');
    await engine.close();
    await left;
    expectError(await answer, 409, 'conflict', 'url', /aborted/);
  });
});
