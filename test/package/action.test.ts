// Runs the steps of action.yml as a runner does, with inputs as variables and files for outputs, and the package that
// `npm pack` makes. Needs a build; contacts no registry.

import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { pack } from '../support/packed.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Action {
  readonly outputs: object;
  readonly runs: { readonly main: string; readonly post: string };
}

interface Step {
  readonly code: number;
  readonly stdout: string;
}

let packed: string;
let tarball: string;
let action: Action;

beforeAll(async () => {
  packed = await mkdtemp(join(tmpdir(), 'grantbench-packed-'));
  tarball = join(packed, (await pack(packed)).filename);
  action = parse(await readFile(join(ROOT, 'action.yml'), 'utf8')) as Action;
});

const jobs: { readonly folder: string; readonly post: () => Promise<Step> }[] = [];

afterAll(async () => {
  for (const { folder, post } of jobs) {
    await post();
    await rm(folder, { recursive: true, force: true });
  }
  await rm(packed, { recursive: true });
});

function step(script: string, env: NodeJS.ProcessEnv): Promise<Step> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(ROOT, script)],
      { env, cwd: env['RUNNER_TEMP'] },
      (_error, stdout) => resolve({ code: child.exitCode ?? 1, stdout }),
    );
  });
}

/** A job on its own runner. `env` contains the variables that its step sets. */
async function job(env: NodeJS.ProcessEnv = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'grantbench-runner-'));
  const file = (name: string) => join(folder, name);
  const lines = async (name: string) =>
    (await readFile(file(name), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  const pairs = async (name: string): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await lines(name)).map((line) => [
        line.slice(0, line.indexOf('=')),
        line.slice(line.indexOf('=') + 1),
      ]),
    );
  const inherited = Object.entries(process.env).filter(([name]) => !/^GRANTBENCH_/i.test(name));
  const given: NodeJS.ProcessEnv = {
    ...Object.fromEntries(inherited),
    GITHUB_OUTPUT: file('output'),
    GITHUB_STATE: file('state'),
    GITHUB_PATH: file('path'),
    RUNNER_TEMP: folder,
    GRANTBENCH_USER_DATA: file('data'),
    INPUT_PACKAGE: tarball,
    INPUT_PORT: '0',
    npm_config_offline: 'true',
    // The last step does not wait for the sandbox, which would write this cache while the folder is deleted.
    NODE_DISABLE_COMPILE_CACHE: '1',
    ...env,
  };
  const post = async () => {
    const state = Object.entries(await pairs('state'));
    return step(action.runs.post, {
      ...given,
      ...Object.fromEntries(state.map(([name, value]) => [`STATE_${name}`, value])),
    });
  };
  jobs.push({ folder, post });
  return {
    folder,
    main: () => step(action.runs.main, given),
    post,
    outputs: () => pairs('output'),
    path: () => lines('path'),
  };
}

/** The PATH of a job in which `npm` is this script. */
async function standInNpm(script: string): Promise<NodeJS.ProcessEnv> {
  const bin = await mkdtemp(join(packed, 'bin-'));
  await writeFile(join(bin, 'npm'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: [bin, process.env['PATH']].join(delimiter) };
}

/** An npm that links this checkout instead of installing, which takes longer; Windows would need a .cmd. */
const linkingNpm = async (): Promise<NodeJS.ProcessEnv> =>
  process.platform === 'win32'
    ? {}
    : standInNpm(`mkdir "$3/node_modules" && ln -s '${ROOT}' "$3/node_modules/grantbench"`);

describe('the action', () => {
  let started: Awaited<ReturnType<typeof job>>;
  let main: Step;
  let outputs: Record<string, string>;

  beforeAll(async () => {
    started = await job();
    main = await started.main();
    outputs = await started.outputs();
  });

  it('sets every output, and its sandbox is ready when the step ends', async () => {
    expect(main.code).toBe(0);
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(action.outputs).sort());
    expect((await fetch(`${outputs['issuer']}/readyz`)).status).toBe(200);
  });

  it('gives access to the control API, and masks the control token', async () => {
    const { 'control-url': url, 'control-token': token = '' } = outputs;
    expect(token.length).toBeGreaterThan(21);
    const shown = main.stdout.split('\n').filter((line) => line.includes(token));
    expect(shown).toEqual([`::add-mask::${token}`]);
    const headers = { Authorization: `Bearer ${token}` };
    expect((await fetch(`${url}/api/clients`, { headers })).status).toBe(200);
  });

  it('logs each exchange in the file of its output', async () => {
    const { log = '' } = outputs;
    const watcher = watch(log);
    const { status } = await fetch(outputs['token-endpoint']!, { method: 'POST' });
    expect(status).toBe(400);
    // The line is written after the response; watch before reading, so that no change is missed.
    for (;;) {
      const changed = once(watcher, 'change');
      if ((await readFile(log, 'utf8')).includes('/oauth/token')) break;
      await changed;
    }
    watcher.close();
  });

  it('adds the command to PATH for later steps, where it finds the sandbox', async () => {
    const [bin = ''] = await started.path();
    const { status, stdout } = spawnSync('grantbench', ['server', 'get', '--json'], {
      encoding: 'utf8',
      shell: process.platform === 'win32',
      env: {
        ...process.env,
        PATH: [bin, process.env['PATH']].join(delimiter),
        GRANTBENCH_USER_DATA: join(started.folder, 'data'),
      },
    });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ issuer: outputs['issuer'] });
  });

  it('stops the sandbox at the end of the job', async () => {
    const { hostname, port } = new URL(outputs['issuer']!);
    const connection = connect(Number(port), hostname);
    await once(connection, 'connect');
    const closed = once(connection, 'close');
    expect(await started.post()).toEqual({ code: 0, stdout: '' });
    await closed;
  });

  it('passes its inputs and the variables of its step to serve', async () => {
    const clients = [{ client_id: 'of-the-file', client_secret: 'secret', redirect_uris: [] }];
    const workspace = join(packed, 'team.json');
    await writeFile(workspace, JSON.stringify({ version: 1, clients }));
    const configured = await job({
      ...(await linkingNpm()),
      INPUT_WORKSPACE: workspace,
      INPUT_SHAPE: 'keycloak',
      GRANTBENCH_ISSUER: 'http://sandbox.test:4280',
    });
    await configured.main();
    const given = await configured.outputs();
    expect(given['issuer']).toBe('http://sandbox.test:4280/realms/sandbox');
    const headers = { Authorization: `Bearer ${given['control-token']}` };
    const answer = await fetch(`${given['control-url']}/api/clients`, { headers });
    expect(await answer.text()).toContain('of-the-file');
  });
});

describe('the action fails', () => {
  it('with the message of serve on one line and no outputs, when serve does not start', async () => {
    const env = { ...(await linkingNpm()), INPUT_WORKSPACE: 'missing.json' };
    const { main, outputs } = await job(env);
    const { code, stdout } = await main();
    expect(code).toBe(1);
    const [, message = ''] = /^::error title=Grantbench::(.*)$/m.exec(stdout) ?? [];
    expect(message).toContain('serve ended with 2:%0A');
    expect(message).toContain('missing.json');
    expect(await outputs()).toEqual({});
  });

  it('with the name of the package, when npm cannot install it', async () => {
    const { main } = await job({ INPUT_PACKAGE: 'grantbench@0.0.0-missing' });
    const { code, stdout } = await main();
    expect(code).toBe(1);
    expect(stdout).toContain(
      '::error title=Grantbench::npm could not install grantbench@0.0.0-missing.',
    );
  });

  it.skipIf(process.platform === 'win32')(
    'not at its end, but warns, when the sandbox has already ended',
    async () => {
      const { pid } = spawnSync(process.execPath, ['--version']);
      const { stdout, code } = await step(action.runs.post, {
        ...process.env,
        STATE_pid: `${pid}`,
      });
      expect(code).toBe(0);
      expect(stdout).toMatch(/^::warning title=Grantbench::The sandbox had ended/);
    },
  );
});

describe.skipIf(process.platform === 'win32')('without inputs (Windows needs a .cmd)', () => {
  it('the action installs the package of its own version', async () => {
    const env = await standInNpm('echo "asked for: $*"; exit 1');
    const { main } = await job({ ...env, INPUT_PACKAGE: '' });
    const { stdout } = await main();
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(stdout).toMatch(new RegExp(`^asked for: install .* grantbench@${version}$`, 'm'));
  });
});
