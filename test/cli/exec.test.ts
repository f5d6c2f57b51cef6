// `grantbench exec`: a sandbox while a command runs.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { gather } from '../../src/cli/commands/exec/run-summary.ts';
import { callCli } from '../support/call-cli.ts';
import { cliFolder } from '../support/cli-folder.ts';
import { CLI, type CliProcess } from '../support/cli-process.ts';
import { DEMO_ES256 } from '../support/demo-es256.ts';
import { givenWorkspace, startEngine } from '../support/engine.ts';

const { at, start } = cliFolder('exec');

beforeEach(() => {
  writeFileSync(at('workspace.json'), JSON.stringify(DEMO_ES256));
});

/** The arguments that run this script with node as the command. */
function running(flags: readonly string[], script: string): string[] {
  const file = at('command.mjs');
  writeFileSync(file, script);
  const workspace = ['--workspace', at('workspace.json')];
  return ['exec', ...workspace, ...flags, '--', process.execPath, file];
}

const exec = (flags: readonly string[], script: string): CliProcess =>
  start(running(flags, script));

/** Runs it inside this process, which suits scripts that print nothing: they say something in a file instead. */
const execHere = (flags: readonly string[], script: string, env: NodeJS.ProcessEnv = {}) =>
  callCli(running(flags, script), { env: { SAID: at('said'), ...env } });

const said = () => readFileSync(at('said'), 'utf8');

const SAY = `import { writeFileSync } from 'node:fs';
const say = (...words) => writeFileSync(process.env.SAID, words.join(' '));
`;

const CALLS = `
const { GRANTBENCH_TOKEN_ENDPOINT: url, GRANTBENCH_CLIENT_ID: client_id, GRANTBENCH_CLIENT_SECRET: client_secret } = process.env;
const control = (method, path, body) => fetch(process.env.GRANTBENCH_CONTROL_URL + '/api' + path, {
  method, body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ' + process.env.GRANTBENCH_CONTROL_TOKEN },
}).then((response) => response.json());
const post = (members) => fetch(url, { method: 'POST', body: new URLSearchParams({ client_id, client_secret, ...members }) });
const refresh = (refresh_token) => post({ grant_type: 'refresh_token', refresh_token });
`;

const MIXED = `${CALLS}
await control('PATCH', '/settings', { throttle: { limit: 2 } });
const { refresh_token } = await control('POST', '/tokens', { client_id });
for (let index = 0; index < 3; index += 1) await refresh(refresh_token);
await refresh('<unknown & "odd">');
await post({ grant_type: 'refresh_token', refresh_token: 'x', extra: 'y' });
`;

interface Report {
  readonly exit_code: number;
  readonly totals: Record<string, number>;
  readonly refused_by_cause: readonly { cause: string; count: number; exchanges: number[] }[];
  readonly deviations: readonly unknown[];
}

describe('grantbench exec: the command', () => {
  test('finds a sandbox on free ports in its environment, which ends with it', async () => {
    const script = `${SAY}${CALLS}
      const { code } = await control('POST', '/codes', { client_id, redirect_uri: 'http://localhost:3000/callback' });
      const { GRANTBENCH_ISSUER: audience } = process.env;
      const response = await post({ grant_type: 'authorization_code', code, audience, redirect_uri: 'http://localhost:3000/callback' });
      say(response.status, url === audience + '/oauth/token', audience, process.env.GRANTBENCH_CONTROL_URL);`;
    const { code, stderr } = await execHere([], script);
    const [status, isBelow, ...urls] = said().split(' ');
    expect([status, isBelow]).toEqual(['200', 'true']);
    for (const url of urls) await expect(fetch(url)).rejects.toThrow();
    expect(stderr).toMatch(/^grantbench: 1 exchange, 0 rejected, 0 throttled, 0 redundant/);
    expect(code).toBe(0);
  });

  test('gets its arguments, including flags of ours, and determines the exit code', async () => {
    const script = 'console.log(process.argv.slice(1).join("|")); process.exit(42)';
    const command = [process.execPath, '-e', script, 'a b', '--report', '"c"'];
    const { ended } = start(['exec', '--quiet', '--', ...command]);
    expect(await ended).toMatchObject({ code: 42, stdout: 'a b|--report|"c"', stderr: '' });
  });

  test.skipIf(process.platform === 'win32').each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)('gets %s, and the exit code is %i', async (signal, exit) => {
    const cli = exec([], `console.log(process.pid); setInterval(() => {}, 1000);`);
    const pid = Number(await cli.stdout.line(/^\d+$/));
    cli.child.kill(signal);
    expect((await cli.ended).code).toBe(exit);
    expect(() => process.kill(pid, 0)).toThrow();
  });

  test.skipIf(process.platform === 'win32')(
    'gives exit code 128 plus the number of a signal that ends it',
    async () => {
      const { code } = await execHere([], `process.kill(process.pid, 'SIGKILL');`);
      expect(code).toBe(137);
    },
  );

  test.skipIf(process.platform === 'win32')(
    'never runs after Ctrl+C during the start',
    async () => {
      const cli = exec([], `console.log('it ran');`);
      cli.child.kill('SIGINT');
      const { code, signal, stdout } = await cli.ended;
      expect(signal ?? code).toBe(signal === null ? 130 : 'SIGINT');
      expect(stdout).toBe('');
    },
  );

  test('commands inside use its sandbox, whatever instance the environment names, and the paths of its shape', async () => {
    const inside = `${SAY}import { spawnSync } from 'node:child_process';
      const { stdout } = spawnSync(process.execPath, [${JSON.stringify(CLI)}, 'server', 'get', '--json'], { encoding: 'utf8' });
      say(JSON.parse(stdout).issuer === process.env.GRANTBENCH_ISSUER, process.env.GRANTBENCH_TOKEN_ENDPOINT);`;
    const file = at('okta.json');
    writeFileSync(file, '{"version":1,"name":"Okta","shape":{"provider":"okta"}}');
    const elsewhere = { GRANTBENCH_CONTROL: 'http://localhost:1' };
    expect((await execHere(['--workspace', file], inside, elsewhere)).code).toBe(0);
    expect(said()).toMatch(/^true http\S+\/oauth2\/default\/v1\/token$/);
  });

  test.skipIf(process.platform === 'win32')(
    'may clean up after a signal, and its own exit code counts',
    async () => {
      const cli = exec(
        ['--quiet'],
        `process.on('SIGTERM', () => { console.log('cleaned'); process.exit(7); });
         console.log('ready'); setInterval(() => {}, 1000);`,
      );
      await cli.stdout.line(/^ready$/);
      cli.child.kill('SIGTERM');
      expect(await cli.ended).toMatchObject({ code: 7, stdout: 'ready\ncleaned' });
    },
  );

  test('is reported in one sentence when it is missing (127) or cannot be run (126)', async () => {
    const missing = await callCli(['exec', '--', 'grantbench-no-such-command']);
    expect(missing).toMatchObject({
      code: 127,
      stderr:
        'grantbench: The command grantbench-no-such-command was not found. Check that it is installed and in PATH.\n',
    });
    if (process.platform === 'win32') return;
    const file = at('plain.txt');
    writeFileSync(file, 'no program');
    const { code, stderr } = await callCli(['exec', '--', file]);
    expect(code).toBe(126);
    expect(stderr).toMatch(/^grantbench: The command .*plain\.txt cannot be started: .*EACCES/);
  });

  test('continues when the reader of its output ends', async () => {
    const cli = exec([], `console.error('begun'); ${MIXED} process.exit(5);`);
    await cli.stderr.line(/^begun$/);
    cli.child.stderr?.destroy();
    cli.child.stdout?.destroy();
    expect((await cli.ended).code).toBe(5);
  });
});

describe('grantbench exec: findings', () => {
  test('are reported in JSON and JUnit, each with exchange, client and reason, without secrets, in created folders, and cause no failure without --fail-on', async () => {
    const [json, xml] = [at('out', 'r.json'), at('out', 'r.xml')];
    const { code } = await execHere(['--report', json, '--report', xml], MIXED);
    expect(code).toBe(0);
    const text = readFileSync(json, 'utf8');
    const report = JSON.parse(text) as Report;
    const found = (exchange: number, why: RegExp) => ({
      exchange,
      client_id: 'demo-app',
      text: expect.stringMatching(why) as unknown,
    });
    expect(report).toMatchObject({
      command: process.execPath,
      exit_code: 0,
      failed_on: [],
      duration_ms: expect.any(Number) as unknown,
      totals: { exchanges: 5, refused: 2, throttled: 1, over_fetch: 1, faults: 0 },
      throttled: [found(3, /^2 requests in 1 min/)],
      over_fetch: [found(2, /was valid for another \d+ (s|min|h|d)/)],
      exchanges: [1, 2, 3, 4, 5].map((number) => ({ number, client_id: 'demo-app' })),
    });
    expect(report.refused_by_cause[0]).toMatchObject({ count: 2, exchanges: [4, 5] });
    expect(report.totals['deviations']).toBeGreaterThan(0);
    expect(report.deviations).toContainEqual(found(5, /ignored/));
    const junit = readFileSync(xml, 'utf8');
    expect(junit).toContain('<testsuites tests="5" failures="0" errors="0" skipped="4"');
    expect(junit).toContain('<skipped message="2 × refused; not in --fail-on"/>');
    for (const secret of ['demo-secret', '<unknown', command()])
      expect(junit).not.toContain(secret);
    expect(text).not.toContain('demo-secret');
  });

  test('are reported in JUnit with a case for the command and for each kind, failures with their count, and do not hide the exit code of the command', async () => {
    const xml = at('r.xml');
    const flags = ['--fail-on', 'refused,throttled', '--report', xml];
    const { code } = await execHere(flags, `${MIXED} process.exit(4);`);
    expect(code).toBe(4);
    const text = readFileSync(xml, 'utf8');
    const cases = [
      ...text.matchAll(/<testcase [^>]*name="([^"]*)">(?:<failure message="([^"]*)")?/g),
    ];
    expect(cases.map(([, name, failure]) => [name, failure])).toEqual([
      [expect.stringMatching(/ ends with 0$/), 'it ended with 4'],
      ['no redundant', undefined],
      ['no throttled', '1 × throttled'],
      ['no refused', '2 × refused'],
      ['no deviation', undefined],
    ]);
    expect(text).toMatch(/<testsuites tests="5" failures="3" errors="0" .*time="\d+\.\d{3}">/);
    expect(text).toMatch(/<system-out>exchange 4: .+\nexchange 5: .+<\/system-out>/);
    // The text without tags contains no character that XML requires to be escaped.
    expect(text.replace(/<\/?[\w?][^<>]*>/g, '')).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot);)/);
  });

  const kinds = ['redundant', 'throttled', 'refused', 'deviation'];

  test('cause exit code 3 with each kind of --fail-on when the command succeeds, with the exchange', async () => {
    const xml = at('r.xml');
    const lists = [kinds.slice(0, 2), kinds.slice(1)].flatMap((some) => ['--fail-on', some.join()]);
    const { code, stderr } = await execHere([...lists, '--report', xml], MIXED);
    expect(code).toBe(3);
    for (const kind of kinds)
      expect(stderr).toMatch(new RegExp(`^grantbench: ${kind}: exchange \\d+: \\S`, 'm'));
    expect(readFileSync(xml, 'utf8')).toContain('failures="4"');
  });

  test('survive a reset by the command, and cause exit code 3 with one kind of --fail-on', async () => {
    const script = `${MIXED} await control('POST', '/reset', {});`;
    const [json, xml] = [at('r.json'), at('r.xml')];
    const flags = ['--fail-on', 'throttled', '--report', json, '--report', xml];
    const { code, stderr } = await execHere(flags, script);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^grantbench: throttled: exchange 3: \S/m);
    expect(stderr).not.toMatch(/^grantbench: (redundant|refused|deviation): /m);
    expect(readFileSync(xml, 'utf8')).toContain('failures="1"');
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ failed_on: ['throttled'] });
  });

  test('are all counted, also those beyond the number that is listed', async () => {
    const { engine, issuer } = await startEngine(await givenWorkspace({}));
    const gathered = await gather(engine, 2);
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'unknown' });
    for (let count = 0; count < 3; count += 1) {
      await fetch(`${issuer}/oauth/token`, { method: 'POST', body });
    }
    const { total, exchanges, found } = await gathered();
    expect(total).toBe(3);
    expect(exchanges.map(({ number }) => number)).toEqual([2, 3]);
    const { count, counts, findings } = found.refused;
    expect([count, findings.map(({ exchange }) => exchange)]).toEqual([3, [1, 2]]);
    expect([...counts.values()]).toEqual([3]);
  });

  test('are no failure when there are none', async () => {
    expect((await execHere(['--fail-on', kinds.join()], '')).code).toBe(0);
  });

  test('cause one sentence and exit code 3 when the report cannot be written', async () => {
    writeFileSync(at('file'), '');
    const { code, stderr } = await execHere(['--report', at('file', 'r.json')], '');
    expect(code).toBe(3);
    expect(stderr).toMatch(/^grantbench: Cannot write the report .*r\.json: /m);
  });
});

describe('grantbench exec: bad input', () => {
  /** A command that would leave a file. */
  const leavingFile = () =>
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(at('ran'))}, '');`;

  test.each([
    ['no command', null, /missing required argument 'command'/],
    ['an unknown flag', ['--raport', 'x'], /unknown option '--raport'[\s\S]*--report/],
    [
      'an unknown kind',
      ['--fail-on', 'refusals'],
      /a comma-separated list of redundant, throttled/,
    ],
    ['a report of another kind', ['--report', 'r.txt'], /must end in \.xml or \.json/],
  ])('%s: exit 2, and the command is not run', async (_name, flags, words) => {
    const args = flags === null ? ['exec'] : running(flags, leavingFile());
    const { code, stdout, stderr } = await callCli(args);
    expect(stderr).toMatch(words);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(existsSync(at('ran'))).toBe(false);
  });

  test('a missing workspace: exit 2, and the command is not run', async () => {
    const missing = ['--workspace', at('nowhere.json')];
    const { code, stdout, stderr } = await execHere(missing, leavingFile());
    expect(stderr).toBe(`Cannot use the file ${at('nowhere.json')}.\n  there is no such file\n`);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(existsSync(at('ran'))).toBe(false);
  });
});

/** Reports contain only the name of the command, because arguments may be secret. */
function command(): string {
  return at('command.mjs');
}
