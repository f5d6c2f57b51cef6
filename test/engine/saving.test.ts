// docs/reference/workspace.md: each change is saved atomically; changes by others are not overwritten; an unreadable
// file is not changed; nothing is written unless saving is on.

import { readdirSync } from 'node:fs';
import {
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEngine, type Engine, type EngineOptions } from '../../src/engine/engine.ts';
import type { Harness } from '../support/harness.ts';
import {
  expectError,
  startHarness,
  temporaryFolder,
  workspaceFile,
  workspaceInput,
} from '../support/harness.ts';
import { problemsWith } from '../support/refused-file.ts';

async function open(file: string, options: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await createEngine({
    port: 0,
    version: 'test',
    workspace: { file, save: true },
    ...options,
  });
  onTestFinished(() => engine.close());
  return engine;
}

/** The result of the last save. */
async function settled(engine: Engine) {
  while (engine.server().workspace.state === 'saving') {
    await new Promise((resolve) => setImmediate(resolve));
  }
  return engine.server().workspace;
}

const savingTo = (file: string): Promise<Harness> =>
  startHarness({ engine: { workspace: { file, save: true } } });

const saving = async (): Promise<{ harness: Harness; file: string }> => {
  const file = await workspaceFile();
  return { file, harness: await savingTo(file) };
};

const read = async (file: string) =>
  JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;

describe('with saving on', () => {
  it('each change of clients, users, audiences and settings is written to the file', async () => {
    const { harness, file } = await saving();
    const { engine, post, patch, api } = harness;
    await post('/clients', { client_id: 'new', client_secret: 'a-secret' });
    expect(await settled(engine)).toMatchObject({ state: 'saved', message: null });
    expect(await read(file)).toMatchObject({ clients: [{}, { client_id: 'new' }] });
    await patch('/users/ada', { name: 'Ada L.' });
    await settled(engine);
    expect(await read(file)).toMatchObject({ users: [{ name: 'Ada L.' }] });
    await post('/audiences', { uri: 'https://a.test/' });
    await patch('/settings', { profile: 'strict' });
    await api('DELETE', '/clients/new');
    await settled(engine);
    const saved = await read(file);
    expect(saved).toMatchObject({ settings: { profile: 'strict' }, name: 'Test' });
    expect(saved['clients']).toHaveLength(1);
    expect(saved['audiences']).toHaveLength(2);
    expect(saved).toEqual(await harness.get('/workspace'));
  });

  it('behaviour 16.2: items saved by name are written to the file, loaded from it, and removed completely', async () => {
    const { harness, file } = await saving();
    const before = await readFile(file, 'utf8');
    const scenario = {
      format: 'grantbench-scenario',
      version: 1,
      name: 'Checkout',
      steps: [{ issue_code: {}, save: { own: ['a', 1, null] } }],
    };
    await harness.api('PUT', '/saved-flows/Checkout', { scenario });
    await harness.api('PUT', '/saved-requests/Mine', { method: 'GET', path: '/userinfo' });
    await settled(harness.engine);
    const written = await read(file);
    expect(written).toMatchObject({
      version: 1,
      saved_flows: [{ scenario }],
      saved_requests: [{ name: 'Mine', path: '/userinfo' }],
    });
    const again = await savingTo(file);
    expect(await again.get('/workspace')).toEqual(written);
    await again.post('/reset', { workspace: true });
    expect(await again.list<unknown>('/saved-flows')).toHaveLength(1);
    await again.api('DELETE', '/saved-flows/Checkout');
    await again.api('DELETE', '/saved-requests/Mine');
    await settled(again.engine);
    const { saved_flows: _flows, saved_requests: _requests, ...others } = written;
    expect(await read(file)).toEqual(others);
    expect(before).not.toContain('saved_');
  });

  it('a saved request of an earlier file is kept as it was when the file is written again', async () => {
    const saved_requests = [
      {
        name: 'Wrong redirect',
        saved_at: '2025-11-02T10:00:00.000Z',
        template: 'exchange',
        client_id: 'demo-app',
        method: 'POST',
        path: '/oauth/token?note=a%20b&{{code}}',
        headers: [['Content-Type', 'application/json'] as [string, string]],
        format: 'json' as const,
        body: '{"grant_type" : "authorization_code", "code": "", "n": 5.0}',
      },
    ];
    const file = await workspaceFile({ saved_requests });
    const { engine, post, get } = await savingTo(file);
    expect((await get<{ items: unknown[] }>('/saved-requests')).items).toEqual(saved_requests);
    await post('/users', { sub: 'grace' });
    await settled(engine);
    expect(await read(file)).toMatchObject({ users: [{}, { sub: 'grace' }], saved_requests });
  });

  it('simultaneous changes are saved together, including the last', async () => {
    const { harness, file } = await saving();
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => harness.post('/users', { sub: `user-${index}` })),
    );
    await harness.engine.close();
    expect((await read(file))['users']).toHaveLength(101);
  });

  it('a change during saving as another file is written to that file', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'other.json');
    const engine = await open(join(folder, 'first.json'));
    const saving = engine.saveWorkspaceAs(file);
    while (!readdirSync(folder).some((name) => name.startsWith('other.json.tmp-'))) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    engine.service.setSettings({ ...engine.service.settings(), profile: 'strict' });
    await saving;
    await settled(engine);
    expect(await read(file)).toMatchObject({ settings: { profile: 'strict' } });
  });

  it('reading writes nothing', async () => {
    const file = await workspaceFile('{ "version": 1,  "name": "Mine" }');
    const engine = await open(file);
    await engine.start();
    await engine.close();
    expect(await readFile(file, 'utf8')).toBe('{ "version": 1,  "name": "Mine" }');
  });

  it('a reset to the file does not rewrite it', async () => {
    const text = `{ "version": 1, "settings": { "signing_alg": "ES256" } }`;
    const file = await workspaceFile(text);
    const harness = await savingTo(file);
    await harness.post('/reset', { workspace: true });
    expect(await settled(harness.engine)).toMatchObject({ state: 'saved' });
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('keys in the file are used and never dropped', async () => {
    const first = await startHarness();
    const [key] = first.engine.service.keyring.list();
    const file = await workspaceFile({ keys: [key?.private_jwk ?? { kty: 'EC', alg: 'ES256' }] });
    const { engine, patch } = await savingTo(file);
    expect(engine.service.keyring.list().map(({ kid }) => kid)).toEqual([key?.kid]);
    await patch('/settings', { profile: 'strict' });
    await settled(engine);
    expect(await read(file)).toMatchObject({
      keys: [{ kid: key?.kid, d: expect.any(String) as string }],
    });
  });

  it('a fixed issuer is for this run only', async () => {
    const file = await workspaceFile({ settings: { issuer: 'http://own.test' } });
    const { engine, get, patch } = await startHarness({
      engine: { workspace: { file, save: true }, issuer: 'http://flag.test' },
    });
    expect(await get('/server')).toMatchObject({ issuer: 'http://flag.test' });
    await patch('/settings', { profile: 'strict' });
    await settled(engine);
    expect(await read(file)).toMatchObject({
      settings: { issuer: 'http://own.test', profile: 'strict' },
    });
  });

  it('a missing file is created with the demo workspace', async () => {
    const file = join(await temporaryFolder(), 'deep', 'workspace.json');
    const engine = await open(file);
    expect(await settled(engine)).toMatchObject({ state: 'saved', name: 'Demo' });
    expect(await read(file)).toMatchObject({ clients: [{ client_id: 'demo-app' }] });
  });

  it('a linked file stays a link, and its target is written', async () => {
    const target = join(await temporaryFolder(), 'target.json');
    const link = join(await temporaryFolder(), 'link.json');
    await symlink(target, link);
    const { engine, patch } = await savingTo(link);
    await patch('/settings', { profile: 'strict' });
    expect(await settled(engine)).toMatchObject({ state: 'saved', file: 'link.json' });
    expect(await read(target)).toMatchObject({ settings: { profile: 'strict' } });
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readdir(dirname(target))).toEqual(['target.json']);
  });
});

describe('without saving', () => {
  it('nothing is written, whatever changes', async () => {
    const file = await workspaceFile();
    const before = await readFile(file, 'utf8');
    const { engine, post, api } = await startHarness({
      engine: { workspace: { file, save: false } },
    });
    await post('/clients', {});
    await api('PUT', '/workspace', workspaceInput({ name: 'Other' }));
    expect(engine.server().workspace).toMatchObject({ state: 'memory' });
    await engine.close();
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(await readdir(dirname(file))).toEqual(['workspace.json']);
  });

  it('a missing file is an error', async () => {
    const file = join(await temporaryFolder(), 'none.json');
    const failure = createEngine({ port: 0, version: 'test', workspace: { file, save: false } });
    await expect(failure).rejects.toMatchObject({
      file,
      problems: [{ path: '', message: 'there is no such file' }],
    });
  });
});

describe('if another process changed the file meanwhile', () => {
  it('nothing is overwritten and the conflict is reported', async () => {
    const { harness, file } = await saving();
    const theirs = `${JSON.stringify(workspaceInput({ name: 'Theirs' }))}\n`;
    await writeFile(file, theirs);
    await harness.patch('/settings', { profile: 'strict' });
    expect(await settled(harness.engine)).toMatchObject({
      state: 'conflict',
      message: expect.stringContaining('changed by another program') as string,
    });
    await harness.patch('/settings', { profile: 'interop' });
    expect(await settled(harness.engine)).toMatchObject({ state: 'conflict' });
    expect(await readFile(file, 'utf8')).toBe(theirs);
    expect(await harness.get('/settings')).toMatchObject({ profile: 'interop' });
  });

  it('even with the same length and modification time', async () => {
    const { harness, file } = await saving();
    const text = await readFile(file, 'utf8');
    const { atime, mtime } = await stat(file);
    await writeFile(file, text.replace('"Test"', '"Tset"'));
    await utimes(file, atime, mtime);
    await harness.patch('/settings', { profile: 'strict' });
    expect(await settled(harness.engine)).toMatchObject({ state: 'conflict' });
  });

  it('nor after a preview of the reset', async () => {
    const { harness, file } = await saving();
    const theirs = `${JSON.stringify(workspaceInput({ name: 'Theirs' }))}\n`;
    await writeFile(file, theirs);
    await harness.post('/workspace/preview', { reset: true });
    await harness.patch('/settings', { profile: 'strict' });
    expect(await settled(harness.engine)).toMatchObject({ state: 'conflict' });
    expect(await readFile(file, 'utf8')).toBe(theirs);
  });

  it('a reset to the workspace loads the changed file, and saving continues', async () => {
    const { harness, file } = await saving();
    await writeFile(file, JSON.stringify(workspaceInput({ name: 'Theirs' })));
    await harness.patch('/settings', { profile: 'strict' });
    await settled(harness.engine);
    await harness.post('/reset', { workspace: true });
    expect(await settled(harness.engine)).toMatchObject({ state: 'saved', name: 'Theirs' });
    expect(await harness.get('/settings')).toMatchObject({ profile: 'documented' });
    await harness.patch('/settings', { profile: 'interop' });
    expect(await settled(harness.engine)).toMatchObject({ state: 'saved' });
    expect(await read(file)).toMatchObject({ name: 'Theirs', settings: { profile: 'interop' } });
  });

  it('writing the same text again is not a conflict', async () => {
    const { harness, file } = await saving();
    await writeFile(file, await readFile(file, 'utf8'));
    await harness.patch('/settings', { profile: 'strict' });
    expect(await settled(harness.engine)).toMatchObject({ state: 'saved' });
  });

  it('a deleted file is created again', async () => {
    const { harness, file } = await saving();
    await rm(file);
    await harness.patch('/settings', { profile: 'strict' });
    expect(await settled(harness.engine)).toMatchObject({ state: 'saved' });
    expect(await read(file)).toMatchObject({ settings: { profile: 'strict' } });
  });
});

describe('an invalid file is an error with all problems, and is not changed', () => {
  const problemsOf = async (text: string | Buffer, save = true) =>
    problemsWith(await workspaceFile(), text, (file) =>
      createEngine({ port: 0, version: 'test', workspace: { file, save } }),
    );

  it.each<[text: string, ...problems: string[]]>([
    ['', 'is not JSON: line 1, column 1: expected a value, found the end of the text'],
    [
      '{"version": 1,\n  "name" "x"}',
      'is not JSON: line 2, column 10: expected a colon, found "\\""',
    ],
    [
      '{"version": 1,}',
      'is not JSON: line 1, column 15: expected a member name in double quotes, found "}"',
    ],
    ['// comment\n{}', 'is not JSON: line 1, column 1: expected a value, found "/"'],
    ['{"version": 1, "name": "a", "name": "b"}', 'name is present more than once'],
    [
      '{"version": 2, "clients": "other"}',
      'version is 2: written by a newer Grantbench; this one supports up to 1',
    ],
    ['{"version": 0}', 'version must be 1: the only workspace format that this release supports'],
    ['{}', 'version is required'],
    ['[]', 'must be a JSON object'],
    ['null', 'must be a JSON object'],
    [
      '{"version": 1, "users": [{}, 7], "title": "x"}',
      'users[0].sub is required',
      'users[1] must be a JSON object',
      'title is not a known member',
    ],
  ])('%j', async (text, ...problems) => {
    expect(await problemsOf(text)).toEqual(problems);
    expect(await problemsOf(text, false)).toEqual(problems);
  });

  it('that is not UTF-8', async () => {
    const [problem] = await problemsOf(Buffer.from([0x7b, 0xff, 0x7d]));
    expect(problem).toMatch(/^cannot be read: .*utf-8/);
  });

  it('a key that cannot sign', async () => {
    const key = { kty: 'EC', alg: 'ES256', crv: 'P-256', x: 'AA', y: 'AA', d: 'AA' };
    const problems = await problemsOf(JSON.stringify({ ...workspaceInput(), keys: [key] }));
    expect(problems).toEqual([expect.stringMatching(/^keys\[0\] is not a private key/)]);
  });

  it('a folder', async () => {
    const file = join(await temporaryFolder(), 'folder');
    await mkdir(file);
    const failure = createEngine({ port: 0, version: 'test', workspace: { file, save: true } });
    await expect(failure).rejects.toMatchObject({
      problems: [
        { path: '', message: expect.stringMatching(/cannot be read: .*EISDIR/) as string },
      ],
    });
  });

  it('during a run, and is not overwritten', async () => {
    const { harness, file } = await saving();
    const newer = '{"version": 2, "everything": "else"}';
    await writeFile(file, newer);
    await harness.patch('/settings', { profile: 'strict' });
    expect(await settled(harness.engine)).toMatchObject({ state: 'conflict' });
    expectError(await harness.api('POST', '/reset', { workspace: true }), 409, 'conflict');
    await harness.patch('/settings', { profile: 'interop' });
    expect(await settled(harness.engine)).toMatchObject({ state: 'conflict' });
    await harness.engine.close();
    expect(await readFile(file, 'utf8')).toBe(newer);
  });
});

describe('leftover temporary files', () => {
  it('of killed processes are removed at start, others stay', async () => {
    const file = await workspaceFile();
    const folder = dirname(file);
    // No process has this id.
    const swept = 'workspace.json.tmp-999999999-1f';
    const kept = ['workspace.json.tmp-1-1f', 'workspace.json.tmp-mine', 'other.json.tmp-999999-1f'];
    for (const name of [swept, ...kept]) await writeFile(join(folder, name), 'x');
    await open(file);
    expect((await readdir(folder)).toSorted()).toEqual([...kept, 'workspace.json'].toSorted());
  });
});
