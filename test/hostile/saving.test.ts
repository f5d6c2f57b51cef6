// Persistence under bad conditions: a process killed right after it reported a revocation, dangling links, and failing
// saves.

import { writeFileSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliFolder } from '../support/cli-folder.ts';
import type { Ready } from '../support/cli-process.ts';
import { DEMO_ES256 } from '../support/demo-es256.ts';
import { startEngine } from '../support/engine.ts';
import * as calls from '../support/form-calls.ts';
import {
  CREDENTIALS,
  sendForm,
  startHarness,
  temporaryFolder,
  workspaceFile,
} from '../support/harness.ts';
import { ask, DEMO } from '../support/token-calls.ts';

const SLOW = { timeout: 60_000 };

describe('a confirmed revocation survives a kill', () => {
  const ISSUER = 'http://sandbox.test';

  interface Issued {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly lineage_id: string;
  }
  /** The address of the OAuth endpoints, and of control. */
  interface Served extends Ready {
    readonly url: string;
  }
  /** A request that revokes the tokens of an authorization, and the access token that it must revoke. */
  type Ending = (
    served: Served,
    issued: Issued,
  ) => Promise<{ token: string; end: () => Promise<number> }>;

  const oauth = (url: string, path: string, members: Record<string, string>) =>
    sendForm(url, path, { ...CREDENTIALS, ...members });
  const byToken =
    (kind: 'access_token' | 'refresh_token'): Ending =>
    ({ url }, issued) =>
      Promise.resolve({
        token: issued.access_token,
        end: async () => (await oauth(url, '/oauth/revoke', { token: issued[kind] })).status,
      });
  const overControl =
    (pathOf: (lineage: string) => string): Ending =>
    (served, { access_token: token, lineage_id }) =>
      Promise.resolve({
        token,
        end: () => ask(served, 'POST', pathOf(lineage_id)).then(() => 200),
      });

  const ENDINGS: readonly Ending[] = [
    byToken('access_token'),
    byToken('refresh_token'),
    overControl((lineage) => `/lineages/${lineage}/revoke`),
    overControl((lineage) => `/tokens/${lineage}.1/expire`),
    async (served) => {
      const { client_id, redirect_uri } = DEMO;
      const { code } = await ask<{ code: string }>(served, 'POST', '/codes', {
        client_id,
        redirect_uri,
      });
      const redeem = () =>
        oauth(served.url, '/oauth/token', { grant_type: 'authorization_code', code, redirect_uri });
      const { access_token: token } = (await redeem()).body as Issued;
      return { token, end: async () => (await redeem()).status };
    },
  ];

  const { at, serve } = cliFolder('revoking');

  /**
   * Revokes all tokens but the last, and kills the process at the response of this number. @returns the tokens
   * whose revocation was confirmed
   */
  async function killAfter(file: string, answers: number) {
    const cli = serve(
      '--quiet',
      '--workspace',
      at('es256.json'),
      '--keep',
      file,
      '--issuer',
      ISSUER,
    );
    const ready = await cli.ready();
    const { port } = await ask<{ port: number }>(ready, 'GET', '/server');
    const served = { ...ready, url: `http://127.0.0.1:${port}` };
    const mint = () => ask<Issued>(ready, 'POST', '/tokens', { client_id: DEMO.client_id });
    const untouched = await mint();
    // Only a kill immediately after they were issued may lose tokens.
    await expect.poll(() => readFile(file, 'utf8').catch(() => ''), SLOW).toContain('"epoch"');
    const endings = await Promise.all(ENDINGS.map(async (ending) => ending(served, await mint())));
    const answered = new Map<string, number>();
    await Promise.allSettled(
      endings.map(async ({ token, end }) => {
        const status = await end();
        if (cli.child.killed) return;
        answered.set(token, status);
        if (answered.size === answers) cli.child.kill('SIGKILL');
      }),
    );
    expect((await cli.ended).signal).toBe('SIGKILL');
    return { answered, untouched: untouched.access_token };
  }

  it('by each way of revoking, after each number of answers, and other tokens stay valid', async () => {
    writeFileSync(at('es256.json'), JSON.stringify(DEMO_ES256));
    for (let answers = 1; answers <= ENDINGS.length; answers++) {
      const file = join(await temporaryFolder(), 'keep.json');
      const { answered, untouched } = await killAfter(file, answers);
      for (const status of answered.values()) expect([200, 400]).toContain(status);
      const { engine } = await startEngine(DEMO_ES256, { keep_file: file, issuer: ISSUER });
      const url = `http://127.0.0.1:${engine.server().port}`;
      const isActive = async (token: string) =>
        ((await oauth(url, '/oauth/introspect', { token })).body as { active: unknown }).active;
      for (const token of answered.keys()) expect(await isActive(token)).toBe(false);
      expect(await isActive(untouched)).toBe(true);
      await engine.close();
      expect(await readdir(dirname(file))).toEqual(['keep.json']);
    }
  });
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
    const revoked = await calls.form(harness, '/oauth/revoke', { token: refresh_token });
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
