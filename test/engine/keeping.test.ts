// Behaviour 2 and docs/guides/keys.md: data that is kept between starts (keys, epochs, the denial list), so that access
// tokens survive. Only the owner can read the file, it is always complete, and it is never overwritten unread.

import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Engine, EngineOptions } from '../../src/engine/engine.ts';
import { createEngine, WorkspaceError } from '../../src/engine/engine.ts';
import { seededRandom } from '../support/core.ts';
import * as calls from '../support/form-calls.ts';
import type { Harness } from '../support/harness.ts';
import { problemsWith } from '../support/refused-file.ts';
import {
  startHarness,
  temporaryFolder,
  workspaceFile,
  workspaceInput,
} from '../support/harness.ts';

const ISSUER = 'http://sandbox.test';

interface KeptFile {
  version: number;
  keys: { created_at: number; jwk: { kid: string; alg: string; d?: string } }[];
  epochs: { epoch: string; until: number }[];
  denials: { key: string; reason: string; until: number }[];
}

const keepFile = async () => join(await temporaryFolder(), 'keep.json');

const read = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as KeptFile;

const keysOf = ({ service }: Engine) =>
  service.keyring.list().map(({ kid, alg, created_at }) => ({ kid, alg, created_at }));

let runs = 0;

/** A run with this file, with the same issuer as the others and its own randomness. */
function run(keep_file: string | undefined, options: Partial<EngineOptions> = {}) {
  const random = seededRandom(++runs);
  return startHarness({ engine: { keep_file, issuer: ISSUER, random, ...options } });
}

/** Ends a run and begins the next one on the same file. */
async function restart({ engine }: Harness, keep_file: string | undefined, now?: number) {
  await engine.close();
  return run(keep_file, now === undefined ? {} : { now: () => now });
}

async function introspect(harness: Harness, token: string): Promise<Record<string, unknown>> {
  const answer = await calls.introspect(harness, token);
  expect(answer.status).toBe(200);
  return answer.body as Record<string, unknown>;
}

/** The first run on a file, and a token that it issued. */
async function signedIn() {
  const file = await keepFile();
  const first = await run(file);
  return { file, first, ...(await first.signIn()) };
}

const isActive = async (harness: Harness, token: string) =>
  (await introspect(harness, token))['active'];

/** The newest credential of a kind, as control lists it. */
async function newest({ get }: Harness, kind: string): Promise<string> {
  const { items } = await get<{ items: { id: string; kind: string }[] }>('/tokens');
  return items.find((item) => item.kind === kind)?.id ?? 'none';
}

describe('an access token', () => {
  it('behaviour 2.9: survives a restart with its key and epoch', async () => {
    const { file, first, access_token } = await signedIn();
    const before = await introspect(first, access_token);
    const second = await restart(first, file);
    expect(await introspect(second, access_token)).toEqual(before);
    expect(before).toMatchObject({ active: true, client_id: 'demo-app', iss: ISSUER });
  });

  it('behaviour 2: survives any number of restarts until it expires', async () => {
    const file = await keepFile();
    let harness = await run(file);
    const { access_token } = await harness.signIn();
    for (let count = 0; count < 4; count++) {
      harness = await restart(harness, file);
      expect(await isActive(harness, access_token)).toBe(true);
      await harness.signIn();
    }
    await harness.engine.flush();
    expect((await read(file)).epochs).toHaveLength(5);
    await harness.patch('/clock', { advance_seconds: 86_400 });
    expect(await isActive(harness, access_token)).toBe(false);
  });

  it('behaviour 2: is inactive after a restart when nothing was kept', async () => {
    const first = await run(undefined);
    const { access_token } = await first.signIn();
    expect(await isActive(await restart(first, undefined), access_token)).toBe(false);
  });

  it('behaviour 2.9: is inactive in another epoch when only the key was kept', async () => {
    const { file, first, access_token } = await signedIn();
    await first.engine.close();
    await writeFile(file, JSON.stringify({ ...(await read(file)), epochs: [] }));
    expect(await isActive(await run(file), access_token)).toBe(false);
  });

  it.each([
    ['revoke', 'access_token'],
    ['expire', 'access_token'],
    ['revoke', 'refresh_token'],
  ])(
    'behaviour 2, RFC 7009 2.1: stays ended by %s of its %s, while its neighbour stays active',
    async (operation, kind) => {
      const file = await keepFile();
      const first = await run(file);
      const neighbour = await first.signIn();
      const { access_token } = await first.signIn();
      await first.post(`/tokens/${await newest(first, kind)}/${operation}`);
      const second = await restart(first, file);
      expect(await isActive(second, access_token)).toBe(false);
      expect(await isActive(second, neighbour.access_token)).toBe(true);
    },
  );

  it('RFC 7009 2.1: of a former run can be revoked, without affecting a token with the same number', async () => {
    const file = await keepFile();
    const first = await run(file);
    const old = await first.signIn();
    const second = await restart(first, file);
    const young = await second.signIn();
    await calls.form(second, '/oauth/revoke', { token: old.access_token });
    const seen = async (harness: Harness) => [
      await isActive(harness, old.access_token),
      await isActive(harness, young.access_token),
    ];
    expect(await seen(second)).toEqual([false, true]);
    expect(await seen(await restart(second, file))).toEqual([false, true]);
  });

  it('behaviour 2: is inactive when its key is retired, now and after a restart', async () => {
    const { file, first, access_token } = await signedIn();
    const [key] = keysOf(first.engine);
    await first.post(`/keys/${key?.kid}/retire`);
    expect(await isActive(first, access_token)).toBe(false);
    const second = await restart(first, file);
    expect(await isActive(second, access_token)).toBe(false);
    expect(keysOf(second.engine).map(({ kid }) => kid)).not.toContain(key?.kid);
  });

  it('behaviour 2: is ended by a reset, whichever run issued it', async () => {
    const file = await keepFile();
    const first = await run(file);
    const old = await first.signIn();
    const second = await restart(first, file);
    const young = await second.signIn();
    await second.post('/reset');
    const third = await restart(second, file);
    expect(await isActive(third, old.access_token)).toBe(false);
    expect(await isActive(third, young.access_token)).toBe(false);
    expect(await read(file)).toMatchObject({ epochs: [], denials: [] });
    expect(keysOf(third.engine)).toEqual(keysOf(first.engine));
  });

  it('behaviour 4: stays expired in later runs if it expired while the clock was ahead', async () => {
    const { file, first, access_token } = await signedIn();
    await first.patch('/clock', { advance_seconds: 2 * 86_400 });
    const ahead = await first.signIn();
    const second = await restart(first, file);
    expect(await isActive(second, access_token)).toBe(false);
    expect(await isActive(second, ahead.access_token)).toBe(true);
  });

  it('does not survive in the opaque format, whose record is not kept', async () => {
    const file = await keepFile();
    const first = await run(file);
    await first.patch('/settings', { access_token_format: 'opaque' });
    const { access_token } = await first.signIn();
    expect(await isActive(first, access_token)).toBe(true);
    expect(await isActive(await restart(first, file), access_token)).toBe(false);
  });
});

describe('the file', () => {
  it('is version 1, readable by its owner only, with the generated keys', async () => {
    const file = join(await temporaryFolder(), 'data', 'keep.json');
    const first = await run(file);
    const { kid, created_at } = keysOf(first.engine)[0] ?? {};
    await first.signIn();
    await first.post(`/tokens/${await newest(first, 'access_token')}/revoke`);
    await first.engine.close();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const epoch = first.engine.service.epoch.name;
    const until = expect.any(Number) as number;
    expect(await read(file)).toEqual({
      version: 1,
      keys: [
        {
          created_at,
          jwk: expect.objectContaining({ kid, alg: 'ES256', d: expect.any(String) as string }),
        },
      ],
      epochs: [{ epoch, until }],
      denials: [{ key: `${epoch}.1.2`, reason: 'revoked', at: first.machine.now, until }],
    });
    const second = await run(file, { now: () => first.machine.now + 1000 });
    expect(keysOf(second.engine)).toEqual(keysOf(first.engine));
  });

  it('is accepted in the former format with only keys, and rewritten when something changes', async () => {
    const file = await keepFile();
    const first = await run(undefined);
    const [key] = first.engine.service.keyring.list();
    const old = JSON.stringify({ keys: [key?.private_jwk] });
    await writeFile(file, old);
    const second = await run(file);
    expect(keysOf(second.engine).map(({ kid }) => kid)).toEqual([key?.kid]);
    expect(await readFile(file, 'utf8')).toBe(old);
    await second.signIn();
    await second.engine.close();
    expect(await read(file)).toMatchObject({
      version: 1,
      keys: [{ jwk: { kid: key?.kid } }],
      epochs: [{}],
    });
  });

  it('is not written when nothing changed', async () => {
    const file = await keepFile();
    const first = await run(file);
    await first.signIn();
    await first.engine.close();
    const text = ` ${await readFile(file, 'utf8')}`;
    await writeFile(file, text);
    const second = await run(file);
    await second.patch('/settings', { profile: 'interop' });
    await second.engine.close();
    expect(await readFile(file, 'utf8')).not.toBe(text);
    const third = await run(file);
    const settled = await readFile(file, 'utf8');
    const { mtimeMs } = await stat(file);
    await third.patch('/settings', { profile: 'strict' });
    await third.engine.close();
    expect(await readFile(file, 'utf8')).toBe(settled);
    expect((await stat(file)).mtimeMs).toBe(mtimeMs);
  });

  it('gets the key of another algorithm when the settings change', async () => {
    const file = await keepFile();
    const { patch, engine } = await run(file);
    await patch('/settings', { signing_alg: 'EdDSA' });
    await engine.flush();
    expect((await read(file)).keys.map(({ jwk }) => jwk.alg)).toEqual(['EdDSA', 'ES256']);
  });

  it('never contains keys that the workspace keeps', async () => {
    const [kept] = (await run(undefined)).engine.service.keyring.list();
    const keys = [kept?.private_jwk ?? { kty: 'EC', alg: 'ES256' }];
    const workspace = {
      file: await workspaceFile({ keys, settings: { signing_alg: 'EdDSA' } }),
      save: false,
    };
    const file = await keepFile();
    const { engine } = await run(file, { workspace });
    await engine.flush();
    expect((await read(file)).keys.map(({ jwk }) => jwk.alg)).toEqual(['EdDSA']);
    expect(keysOf(engine)[1]).toMatchObject({ kid: kept?.kid, alg: 'ES256' });
  });

  it('is not written by an engine that failed to start', async () => {
    const file = await keepFile();
    const broken = { ...workspaceInput({ settings: { signing_alg: 'RS256' } }), extra: 1 };
    const workspace = { file: await workspaceFile(JSON.stringify(broken)), save: true };
    await expect(run(file, { workspace })).rejects.toBeInstanceOf(WorkspaceError);
    const { engine, faults } = await run(file);
    await engine.close();
    expect((await read(file)).keys.map(({ jwk }) => jwk.alg)).toEqual(['ES256']);
    expect(faults).toEqual([]);
  });

  it('drops epochs and entries whose tokens have all expired', async () => {
    const file = await keepFile();
    const first = await run(file);
    await first.signIn();
    await first.post(`/tokens/${await newest(first, 'access_token')}/revoke`);
    const later = first.machine.now + 3 * 86_400_000;
    const second = await restart(first, file, later);
    const { access_token } = await second.signIn();
    await second.engine.flush();
    const { epochs, denials } = await read(file);
    expect(epochs.map(({ epoch }) => epoch)).toEqual([second.engine.service.epoch.name]);
    expect(denials).toEqual([]);
    expect(await isActive(second, access_token)).toBe(true);
  });

  it('works with 20,000 entries as with one, more than the journal may have', async () => {
    const file = await keepFile();
    const first = await run(file);
    await first.signIn();
    const { service } = first.engine;
    const epoch = service.epoch.name;
    const until = first.machine.now + 1000;
    const end = async (n: number) => {
      const id = { epoch, lineage: 'many', n };
      await service.ports.stores.endAccessToken(id, 'revoked', first.machine.now, until, null);
    };
    await Promise.all(Array.from({ length: 20_000 }, (_, n) => end(n)));
    const second = await restart(first, file);
    const { stores } = second.engine.service.ports;
    const find = (n: number) => stores.findDenial({ epoch, lineage: 'many', n });
    expect(await find(0)).toMatchObject({ reason: 'revoked', until });
    expect(await find(19_999)).toMatchObject({ reason: 'revoked' });
    expect(await find(20_000)).toBeUndefined();
  });

  it('leftover temporary files of killed processes are removed at start', async () => {
    const file = await keepFile();
    // No process has this id.
    await writeFile(`${file}.tmp-999999999-1f`, 'x');
    await (await run(file)).engine.close();
    expect(await readdir(dirname(file))).toEqual(['keep.json']);
  });
});

describe('an invalid file is an error with its path, and is not changed', () => {
  const open = (keep_file: string) => createEngine({ port: 0, version: 'test', keep_file });

  const problemsOf = async (text: string | Buffer) => problemsWith(await keepFile(), text, open);

  const kept = (members: object) =>
    JSON.stringify({ version: 1, keys: [], epochs: [], denials: [], ...members });

  it.each([
    ['', 'is not JSON: line 1, column 1: expected a value, found the end of the text'],
    ['[]', 'must be a JSON object'],
    ['{"keys": 1}', 'keys must be an array'],
    ['{"keys": [7]}', 'keys[0] must be a JSON object'],
    [
      '{"keys": [{"kty": "RSA", "alg": "RS256"}]}',
      'keys[0].d is required: a signing key must include its private part',
    ],
    ['{"keys": [], "more": 1}', 'more is not a known member'],
    ['{}', 'version is required'],
    [
      kept({ version: 2 }),
      'version is 2: written by a newer Grantbench; this one supports up to 1',
    ],
    [kept({ version: 0 }), 'version must be 1: the only format that this release supports'],
    [kept({ keys: [{ created_at: 0, jwk: {} }] }), 'keys[0].jwk.kty is required'],
    [kept({ epochs: [{ epoch: 'a b', until: 0 }] }), 'epochs[0].epoch must be an epoch'],
    [kept({ epochs: [{ epoch: 'a' }] }), 'epochs[0].until is required'],
    [
      kept({ denials: [{ key: 'a', reason: 'revoked', at: 0, until: 0 }] }),
      'denials[0].key must identify a token, a lineage or a client',
    ],
    [
      kept({ denials: [{ key: 'a.b', reason: 'lost', at: 0.5, until: -1 }] }),
      'denials[0].reason must be revoked or expired',
    ],
    [kept({ secrets: [] }), 'secrets is not a known member'],
  ])('%s', async (text, problem) => {
    expect(await problemsOf(text)).toContain(problem);
  });

  it('with a key that cannot sign, or a repeated key', async () => {
    const [key] = (await run(undefined)).engine.service.keyring.list();
    const jwk = key?.private_jwk;
    const broken = { ...jwk, d: 'AA' };
    // Which of the two finds it depends on the version of OpenSSL.
    expect(await problemsOf(JSON.stringify({ keys: [broken] }))).toEqual([
      expect.stringMatching(
        /^keys\[0\] is not a private key that can sign: its (members do not match|public part does not verify what it signs)$/,
      ),
    ]);
    const twice = [
      { created_at: 0, jwk },
      { created_at: 0, jwk },
    ];
    expect(await problemsOf(kept({ keys: twice }))).toEqual([
      `keys[1].jwk.kid repeats "${key?.kid}"`,
    ]);
  });

  it('with more epochs than 1,000', async () => {
    const epochs = Array.from({ length: 1001 }, () => ({ epoch: 'a', until: 1 }));
    expect(await problemsOf(kept({ epochs }))).toEqual(['epochs must have at most 1000 entries']);
  });

  it('with more keys than 50, with their age and alone', async () => {
    const [key] = (await run(undefined)).engine.service.keyring.list();
    const jwks = Array.from({ length: 51 }, () => key?.private_jwk);
    const keys = jwks.map((jwk) => ({ created_at: 0, jwk }));
    const problem = 'keys must have at most 50 entries';
    expect(await problemsOf(kept({ keys }))).toEqual([problem]);
    expect(await problemsOf(JSON.stringify({ keys: jwks }))).toEqual([problem]);
  });

  it('that is not UTF-8, or a folder', async () => {
    const [problem] = await problemsOf(Buffer.from([0x7b, 0xff, 0x7d]));
    expect(problem).toMatch(/^cannot be read: .*utf-8/);
    const folder = join(await temporaryFolder(), 'folder');
    await mkdir(folder);
    await expect(open(folder)).rejects.toMatchObject({
      file: folder,
      problems: [{ path: '', message: expect.stringMatching(/^cannot be read: /) as string }],
    });
  });
});

describe('while it runs', () => {
  it('a file that another process changed is not overwritten, which is reported once', async () => {
    const file = await keepFile();
    const { engine, faults, get, signIn, post, patch } = await run(file);
    expect(await get('/server')).toMatchObject({ keep_problem: null });
    await engine.flush();
    await writeFile(file, '{"theirs": true}');
    await signIn();
    await engine.flush();
    await post('/keys');
    await patch('/settings', { signing_alg: 'EdDSA' });
    await engine.flush();
    expect(await readFile(file, 'utf8')).toBe('{"theirs": true}');
    expect(faults).toEqual([expect.stringMatching(/^keep\.json was changed by another program/)]);
    expect(await get('/server')).toMatchObject({ keep_problem: faults[0] });
  });

  it('a file that can no longer be written is reported, and this run continues normally', async () => {
    const folder = join(await temporaryFolder(), 'data');
    const harness = await run(join(folder, 'keep.json'));
    await harness.engine.flush();
    await rm(folder, { recursive: true });
    await writeFile(folder, 'a file where the folder was');
    await harness.patch('/settings', { signing_alg: 'EdDSA' });
    const { access_token } = await harness.signIn();
    await harness.engine.flush();
    expect(harness.faults).toEqual([
      expect.stringMatching(/^keep\.json could not be saved: .*ENOTDIR/),
    ]);
    expect(await harness.get('/server')).toMatchObject({ keep_problem: harness.faults[0] });
    expect(await isActive(harness, access_token)).toBe(true);
    await rm(folder);
    await mkdir(folder);
    await harness.post('/keys');
    await harness.engine.flush();
    expect((await read(join(folder, 'keep.json'))).keys).toHaveLength(3);
    expect(await harness.get('/server')).toMatchObject({ keep_problem: null });
  });
});
