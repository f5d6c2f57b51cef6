// Persistence under bad conditions: a process killed right after it reported a revocation, dangling links, and failing
// saves.

import { once } from 'node:events';
import { lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/engine.ts';
import { DEMO_ES256 } from '../support/demo-es256.ts';
import { childProgram, firstLine } from '../support/child-program.ts';
import {
  call,
  CREDENTIALS,
  startHarness,
  temporaryFolder,
  workspaceFile,
} from '../support/harness.ts';

describe('a confirmed revocation survives a kill', () => {
  const program = childProgram(new URL('../support/revoking-child.ts', import.meta.url));

  const ISSUER = 'http://sandbox.test';
  const REDIRECT_URI = 'http://localhost:3000/callback';
  const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const form = (members: Record<string, string>) => ({
    raw: new URLSearchParams({ ...CREDENTIALS, ...members }).toString(),
    headers: FORM,
  });

  interface Issued {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly lineage_id: string;
    readonly code: string;
  }
  interface Ready {
    readonly port: number;
    readonly control: { readonly url: string; readonly token: string };
    readonly tokens: readonly Issued[];
  }
  /** A request that revokes the tokens of an authorization, and the access token that it must revoke. */
  type Ending = (
    ready: Ready,
    issued: Issued,
  ) => Promise<{ token: string; end: () => Promise<number> }>;

  const oauth = async ({ port }: Ready, path: string, members: Record<string, string>) =>
    call(`http://127.0.0.1:${port}`, 'POST', path, form(members));
  const revoke = (ready: Ready, token: string) => async () =>
    (await oauth(ready, '/oauth/revoke', { token })).status;
  const overControl =
    ({ control }: Ready, path: string) =>
    async () => {
      const headers = { authorization: `Bearer ${control.token}` };
      return (await call(control.url, 'POST', `/api${path}`, { headers, body: {} })).status;
    };

  const ENDINGS: readonly Ending[] = [
    (ready, { access_token }) =>
      Promise.resolve({ token: access_token, end: revoke(ready, access_token) }),
    (ready, { access_token, refresh_token }) =>
      Promise.resolve({ token: access_token, end: revoke(ready, refresh_token) }),
    (ready, { access_token, lineage_id }) =>
      Promise.resolve({
        token: access_token,
        end: overControl(ready, `/lineages/${lineage_id}/revoke`),
      }),
    (ready, { access_token, lineage_id }) =>
      Promise.resolve({
        token: access_token,
        end: overControl(ready, `/tokens/${lineage_id}.1/expire`),
      }),
    async (ready, { code }) => {
      const members = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
      const { body } = await oauth(ready, '/oauth/token', members);
      const { access_token: token } = body as { access_token: string };
      return { token, end: async () => (await oauth(ready, '/oauth/token', members)).status };
    },
  ];

  /**
   * Revokes all tokens but the last, and kills the process at the response of this number. @returns the tokens
   * whose revocation was confirmed
   */
  async function killAfter(file: string, answers: number) {
    const child = program.start(file, ISSUER, String(ENDINGS.length + 1));
    const closed = once(child, 'close');
    const ready = await firstLine<Ready>(child);
    const endings = await Promise.all(
      ENDINGS.map((ending, n) => ending(ready, ready.tokens[n] as Issued)),
    );
    const answered = new Map<string, number>();
    await Promise.allSettled(
      endings.map(async ({ token, end }) => {
        const status = await end();
        if (child.killed) return;
        answered.set(token, status);
        if (answered.size === answers) child.kill('SIGKILL');
      }),
    );
    await closed;
    expect(child.signalCode).toBe('SIGKILL');
    const untouched = ready.tokens.at(-1)?.access_token ?? '';
    return { answered, untouched };
  }

  async function isActive(url: string, token: string): Promise<unknown> {
    const { body } = await call(url, 'POST', '/oauth/introspect', form({ token }));
    return (body as { active: unknown }).active;
  }

  it('by each way of revoking, twice after each number of answers, and other tokens stay valid', async () => {
    for (let round = 0; round < 2 * ENDINGS.length; round++) {
      const file = join(await temporaryFolder(), 'keep.json');
      const { answered, untouched } = await killAfter(file, 1 + (round % ENDINGS.length));
      for (const status of answered.values()) expect([200, 400]).toContain(status);
      const engine = await createEngine({
        port: 0,
        version: 'test',
        keep_file: file,
        issuer: ISSUER,
        base: DEMO_ES256,
      });
      await engine.start();
      const url = `http://127.0.0.1:${engine.server().port}`;
      for (const token of answered.keys()) expect(await isActive(url, token)).toBe(false);
      expect(await isActive(url, untouched)).toBe(true);
      await engine.close();
      expect(await readdir(dirname(file))).toEqual(['keep.json']);
    }
  }, 120_000);
});

/** The result of the last save, as in the server state. */
async function settled({ engine }: Awaited<ReturnType<typeof startHarness>>) {
  await engine.flush();
  return engine.server().workspace;
}

const saving = async (file: string) =>
  startHarness({ engine: { workspace: { file, save: true } } });

describe('a failing save is reported once in the server state and as an error, and repeated later', () => {
  const failures: [
    string,
    (file: string) => Promise<unknown>,
    (file: string) => Promise<unknown>,
  ][] = [
    [
      'a folder in place of the file',
      async (file) => {
        await rm(file);
        await mkdir(file);
      },
      (file) => rm(file, { recursive: true }),
    ],
    [
      'a file in place of the folder',
      async (file) => {
        await rm(dirname(file), { recursive: true });
        await writeFile(dirname(file), '');
      },
      async (file) => {
        await rm(dirname(file));
        await mkdir(dirname(file));
      },
    ],
    [
      'a link into a missing folder',
      async (file) => {
        await rm(file);
        await symlink(join(dirname(file), 'gone', 'there.json'), file);
      },
      (file) => mkdir(join(dirname(file), 'gone')),
    ],
  ];

  it.each(failures)('%s', async (_, breakIt, mend) => {
    const file = await workspaceFile();
    const harness = await saving(file);
    await breakIt(file);
    await harness.patch('/settings', { profile: 'strict' });
    const problem = /^workspace\.json could not be saved: .*tried again at the next change\.$/;
    const failed = await settled(harness);
    expect(failed).toMatchObject({ state: 'failed' });
    expect(failed.message).toMatch(problem);
    await harness.patch('/settings', { profile: 'interop' });
    expect(await settled(harness)).toEqual(failed);
    expect(harness.faults).toEqual([failed.message]);
    expect(await harness.get('/settings')).toMatchObject({ profile: 'interop' });
    await mend(file);
    await harness.post('/users', { sub: 'bea' });
    expect(await settled(harness)).toMatchObject({ state: 'saved', message: null });
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      settings: { profile: 'interop' },
      users: [{}, { sub: 'bea' }],
    });
  });
});

describe.skipIf(process.platform === 'win32')('a saved file', () => {
  const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

  it('stays in its place when Save As fails, and the failure is reported', async () => {
    const file = await workspaceFile();
    const harness = await saving(file);
    const link = join(await temporaryFolder(), 'link.json');
    await symlink(join(dirname(link), 'gone', 'there.json'), link);
    await expect(harness.engine.saveWorkspaceAs(link)).rejects.toThrow(
      /link\.json: could not be saved: it is a link to .*there\.json, and there is no folder .*gone$/,
    );
    expect(harness.faults).toEqual([]);
    await harness.patch('/settings', { profile: 'strict' });
    expect(await settled(harness)).toMatchObject({ state: 'saved', file: 'workspace.json' });
    expect(await readFile(file, 'utf8')).toContain('"profile": "strict"');
  });

  it('of stored state is written to the target of a link, with its journal beside the target', async () => {
    const target = join(await temporaryFolder(), 'target.json');
    const link = join(await temporaryFolder(), 'keep.json');
    await symlink(target, link);
    const harness = await startHarness({ engine: { keep_file: link } });
    const { refresh_token } = await harness.signIn();
    const revoked = await call(harness.url(), 'POST', '/oauth/revoke', {
      raw: new URLSearchParams({ ...CREDENTIALS, token: refresh_token }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(revoked.status).toBe(200);
    expect(await readFile(`${target}.journal`, 'utf8')).toContain('"reason":"revoked"');
    expect(await modeOf(`${target}.journal`)).toBe(0o600);
    await harness.engine.flush();
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(target, 'utf8')).toContain('"reason":"revoked"');
    expect(await modeOf(target)).toBe(0o600);
    expect(await readdir(dirname(target))).toEqual(['target.json']);
  });
});
