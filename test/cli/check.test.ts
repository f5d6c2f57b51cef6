// `grantbench check`: the command it runs, its findings, formats and exit codes. It runs inside this process, but for
// a check of the built program, and for those that are killed.

import { EventEmitter, once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Settings } from '../../src/core/records/schemas.ts';
import { callCli } from '../support/call-cli.ts';
import { cliFolder } from '../support/cli-folder.ts';
import { stopCli, type Ready } from '../support/cli-process.ts';
import { DEMO_ES256 } from '../support/demo-es256.ts';
import { freePort } from '../support/free-port.ts';
import { login as carelessly } from '../support/logins/careless.mjs';
import { login as carefully } from '../support/logins/openid-client.mjs';
import { createLoopbackServers } from '../support/loopback-servers.ts';
import { runCli, type Ran } from '../support/run-cli.ts';
import { ask } from '../support/token-calls.ts';

interface Report {
  readonly login_tells: boolean;
  readonly totals: Readonly<Record<string, number>>;
  readonly cases: readonly {
    readonly id: string;
    readonly level: string;
    readonly result: string;
    readonly fault: boolean;
    readonly why: string;
  }[];
}

const { at: file, start, serve } = cliFolder('check', 'all');

const CAREFUL = 'test/support/logins/run-openid-client.mjs';

const cases = (...ids: readonly string[]) => ids.flatMap((id) => ['--case', id]);

/** The demo workspace in a file, without the throttle that check turns off in its own. */
const workspace = () => file('check.grantbench.json');
beforeAll(() => {
  const settings: Settings = { ...DEMO_ES256.settings, profile: 'interop' };
  const throttle = { ...settings.throttle, mode: 'off' } as const;
  writeFileSync(
    workspace(),
    JSON.stringify({ ...DEMO_ES256, settings: { ...settings, throttle } }),
  );
});

const checkArgs = (flags: readonly string[], command: readonly string[]) => [
  ...['check', '--workspace', workspace(), ...flags],
  ...['--', process.execPath, ...command],
];

const check = (flags: readonly string[], ...command: readonly string[]) =>
  callCli(checkArgs(flags, command));

/** A program given as source. */
function script(name: string, source: string): string {
  writeFileSync(file(name), source);
  return file(name);
}

type Variables = Readonly<Record<string, string>>;
/** Ends when the user is signed in. @param gone resolves when the command has ended before */
type Login = (variables: Variables, gone: Promise<unknown>) => Promise<unknown>;

const setupOf = (variables: Variables) => ({
  issuer: variables['GRANTBENCH_ISSUER'] ?? '',
  client: {
    client_id: variables['GRANTBENCH_CLIENT_ID'] ?? '',
    client_secret: variables['GRANTBENCH_CLIENT_SECRET'] ?? '',
  },
});
/** @param shown whether the app shows its user the message of a refused response */
const signIn = (variables: Variables, shown: boolean) =>
  carefully(setupOf(variables)).catch(async (error: unknown) => {
    const { GRANTBENCH_CONTROL_URL: url = '', GRANTBENCH_CONTROL_TOKEN: token = '' } = variables;
    if (variables['GRANTBENCH_LOOK_FOR'] !== undefined)
      await ask({ control: { url, token } } as Ready, 'PATCH', '/client-checks', { shown });
    throw error;
  });
const careful: Login = (variables) => signIn(variables, false);
const careless: Login = (variables) => carelessly(setupOf(variables));

const { serve: serveApp, closeAll } = createLoopbackServers();
afterAll(closeAll);

/**
 * A command that has an app sign in which runs in this process, as at a web server: it passes on its variables and waits.
 * Loading a client library for each login would take most of the time of these tests.
 */
async function signInAt(login: Login): Promise<readonly [string, string]> {
  const app = await serveApp((request, response) => {
    const gone = once(response, 'close');
    void text(request)
      .then((variables) => login(JSON.parse(variables) as Variables, gone))
      .then(
        () => response.writeHead(200).end(),
        () => response.writeHead(500).end(),
      );
  });
  const source = `require('node:http')
    .request(process.argv[2], { method: 'POST' }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
    .end(JSON.stringify(process.env));`;
  return [script('sign-in.cjs', source), app];
}

/** A login that waits in one of the cases, until its command has ended or it is released. */
function waitingIn(id: string) {
  const events = new EventEmitter();
  const login: Login = async (variables, gone) => {
    if (variables['GRANTBENCH_CASE'] !== id) return void (await careful(variables, gone));
    events.emit('begun');
    await Promise.race([gone, once(events, 'release')]);
    events.emit('ended');
  };
  const [begun, ended] = ['begun', 'ended'].map((name) => once(events, name));
  return { login, begun, ended, release: () => events.emit('release') };
}

const checkApp = async (flags: readonly string[], login: Login) =>
  check(flags, ...(await signInAt(login)));

const resultsIn = (stdout: string) =>
  Object.fromEntries((JSON.parse(stdout) as Report).cases.map(({ id, result }) => [id, result]));

describe('a careless app, by the built program', () => {
  const read = (ending: string) => readFileSync(file(`out/report.${ending}`), 'utf8');
  let ran: Ran;
  beforeAll(async () => {
    const reports = ['tap', 'xml', 'json', 'sarif'].map((ending) => file(`out/report.${ending}`));
    const flags = reports.flatMap((name) => ['--report', name]);
    const ids = cases(
      ...['state-missing', 'state-invalid', 'id-token-aud-other', 'id-token-aud-list', 'token-503'],
    );
    const args = ['check', '--profile', 'interop', ...flags, ...ids];
    ran = await runCli([...args, '--', process.execPath, ...(await signInAt(careless))]);
  });

  test('causes a finding for each case that it accepts, and exit code 1', () => {
    expect(ran.code).toBe(1);
    expect(resultsIn(read('json'))).toEqual({
      'state-invalid': 'accepted',
      'state-missing': 'accepted',
      'id-token-aud-other': 'accepted',
      'id-token-aud-list': 'passed',
      'token-503': 'accepted',
    });
  });

  test('gets the fix, and once for the same faults its name in common libraries', () => {
    const { stdout } = ran;
    expect(stdout).toMatch(
      /Faults of the app:\nResponse with another state .+\n {2}Check state .+\nResponse without state .+\n {2}Check state .+\n {4}openid-client: .*expectedState/,
    );
    expect(stdout.match(/openid-client: .*expectedState/g)).toHaveLength(1);
  });

  test('is reported as TAP, JUnit, JSON and SARIF of one run', () => {
    expect(read('tap')).toMatch(/not ok 3 - .*id-token-aud-other/);
    expect(read('xml')).toMatch(/<failure message="The app used the tokens\./);
    // No file contains the cases, so none has a position.
    expect(read('tap') + read('xml')).not.toContain(':1:1');
    const [first = {}] = (JSON.parse(read('json')) as Report).cases;
    expect(Object.keys(first).sort()).toEqual([
      'advice',
      'awaits_good_login',
      'client_id',
      'ended_at',
      'expected',
      'fault',
      'id',
      'known',
      'level',
      'libraries',
      'reached_exchange',
      'result',
      'section',
      'seen_exchange',
      'title',
      'why',
    ]);
    expect(JSON.parse(read('sarif'))).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          results: [
            { ruleId: 'state-invalid', level: 'error' },
            { ruleId: 'state-missing', level: 'error' },
            { ruleId: 'id-token-aud-other', level: 'error' },
            { ruleId: 'token-503', level: 'warning' },
          ],
        },
      ],
    });
  });
});

describe('a careful app', () => {
  const noted: string[] = [];
  let port: number;
  let ran: Ran;
  beforeAll(async () => {
    port = await freePort();
    const ids = ['id-token-aud-list', 'state-invalid', 'authorization-error-iss-other'];
    const others = ['id-token-iat-old', 'id-token-azp-other'];
    const flags = ['--port', String(port), '--only', 'must', ...cases(...ids, ...others)];
    ran = await checkApp(flags, async (variables, gone) => {
      const { issuer, client } = setupOf(variables);
      noted.push(`${variables['GRANTBENCH_CASE']} ${issuer} ${client.client_id}`);
      await careful(variables, gone);
    });
  });

  test('logs in well, then in a case that must fail, and in each case of the level of --only with a good login after a refusal, at one issuer', () => {
    const who = `http://localhost:${port} demo-app`;
    expect(noted).toEqual(
      [
        ...['good-login', 'token-500', 'state-invalid', 'good-login'],
        ...['authorization-error-iss-other', 'good-login', 'id-token-aud-list'],
      ].map((id) => `${id} ${who}`),
    );
  });

  test('causes no finding, and exit code 0', () => {
    const { code, stdout, stderr } = ran;
    expect({ code, stderr: stderr.match(/^3 of 3 /m)?.[0] }).toEqual({
      code: 0,
      stderr: '3 of 3 ',
    });
    expect(stdout).toMatch(
      /^state-invalid +must +refuse +refused +The login failed; a good login/m,
    );
    expect(stdout).toMatch(/^authorization-error-iss-other +must +refuse +refused /m);
    expect(stdout).toMatch(/^id-token-aud-list +must +accept +passed +The login succeeded\.$/m);
    expect(stdout).toMatch(
      /^1 passed, 2 refused, faults: 0 must, 0 should; 0 unclear, 0 not reached, 0 skipped$/m,
    );
  });
});

describe('findings', () => {
  test('count no refusal of an app that refuses everything', async () => {
    const { code, stdout } = await checkApp(
      ['--json', ...cases('id-token-aud-list')],
      async (variables, gone) => {
        if (variables['GRANTBENCH_CASE'] === 'good-login') return careful(variables, gone);
        await fetch(`${setupOf(variables).issuer}/authorize`);
        throw new Error('refused');
      },
    );
    expect(resultsIn(stdout)).toEqual({ 'id-token-aud-list': 'not_reached' });
    expect(code).toBe(2);
  });

  test('include what the app must not show, if the login says whether it does', async () => {
    const flags = ['--json', ...cases('authorization-error-iss-other')];
    const { code, stdout } = await checkApp(flags, (variables) => signIn(variables, true));
    expect([code, resultsIn(stdout)]).toEqual([1, { 'authorization-error-iss-other': 'accepted' }]);
  });

  test('depend only on traffic when the exit code is always 0', async () => {
    const { code, stdout } = await checkApp(
      ['--json', ...cases('id-token-aud-other', 'userinfo-sub-other')],
      (variables, gone) => careful(variables, gone).catch(() => undefined),
    );
    expect((JSON.parse(stdout) as Report).login_tells).toBe(false);
    // A successful login calls userinfo, which this app did not do. After userinfo, traffic shows nothing more.
    expect(resultsIn(stdout)).toEqual({
      'id-token-aud-other': 'refused',
      'userinfo-sub-other': 'unclear',
    });
    expect(code).toBe(0);
  });

  test('are unclear for a login that never ends, which is killed with its child processes', async () => {
    let killed: Promise<unknown> | undefined;
    const command = await signInAt(async (variables, gone) => {
      if (variables['GRANTBENCH_CASE'] === 'token-slow') await (killed = gone);
      await careless(variables, gone);
    });
    const parent = `process.argv.splice(1, 1);
      if (process.env.GRANTBENCH_CASE !== 'token-slow') require(process.argv[1]);
      else require('node:child_process').spawnSync(process.execPath, process.argv.slice(1));`;
    const ids = cases('userinfo-sub-other', 'token-slow');
    const flags = ['--json', '--timeout', '8', ...ids];
    const { stdout } = await check(flags, script('parent.cjs', parent), ...command);
    expect(resultsIn(stdout)).toEqual({
      'userinfo-sub-other': 'accepted',
      'token-slow': 'unclear',
    });
    const { cases: found } = JSON.parse(stdout) as Report;
    expect(found.find(({ id }) => id === 'token-slow')?.why).toBe(
      'The login did not end within 8 s.',
    );
    expect(killed).toBeDefined();
    await killed;
  });

  test('name a good login afterwards that does not end in time', async () => {
    let logins = 0;
    const { stdout } = await checkApp(
      ['--timeout', '8', ...cases('state-invalid')],
      async (variables, gone) => {
        logins += 1;
        if (logins > 1 && variables['GRANTBENCH_CASE'] === 'good-login') await gone;
        await careful(variables, gone);
      },
    );
    expect(stdout).toMatch(/ unclear .* The good login afterwards did not end within 8 s\.$/m);
  });
});

describe('a run', () => {
  test('with --https is trusted by a login on Node.js, unless it trusts other certificates', async () => {
    const args = checkArgs(['--https', '--json', ...cases('id-token-aud-list')], [CAREFUL]);
    const run = (NODE_EXTRA_CA_CERTS: string) => runCli(args, { env: { NODE_EXTRA_CA_CERTS } });
    const trusting = await run('');
    expect(trusting.code).toBe(0);
    expect(resultsIn(trusting.stdout)).toEqual({ 'id-token-aud-list': 'passed' });
    const { code, stderr } = await run(script('other.pem', ''));
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /Does the command use GRANTBENCH_ISSUER, and trust \S+certificate\.pem\?/,
    );
  });

  test('ends with its login when it is interrupted', async () => {
    const { begun, ended, login } = waitingIn('id-token-aud-list');
    const args = checkArgs(cases('id-token-aud-list'), await signInAt(login));
    const run = start(args);
    await begun;
    run.child.kill('SIGINT');
    expect(await run.ended).toMatchObject({ code: 130, stdout: '' });
    await ended;
  });

  test('is interrupted, and the cases that were finished are reported', async () => {
    const { begun, ended, login } = waitingIn('id-token-aud-list');
    const report = file('interrupted.json');
    const ids = cases('id-token-aud-other', 'id-token-aud-list');
    const run = start(checkArgs(['--report', report, ...ids], await signInAt(login)));
    await begun;
    run.child.kill('SIGTERM');
    await run.stderr.line(/^Stopped after 1 of 2 cases\.$/);
    expect(await run.ended).toMatchObject({ code: 143 });
    await ended;
    expect(resultsIn(readFileSync(report, 'utf8'))).toEqual({ 'id-token-aud-other': 'refused' });
  });
});

test('a reader that closes the pipe changes neither the reports nor the exit code', async () => {
  const report = file('closed.json');
  const flags = ['--report', report, ...cases('state-invalid')];
  const run = start(checkArgs(flags, await signInAt(careless)));
  run.child.stdout?.destroy();
  expect(await run.ended).toMatchObject({ code: 1 });
  expect(Object.keys(resultsIn(readFileSync(report, 'utf8')))).toEqual(['state-invalid']);
});

describe('behaviour 18.2: a killed process leaves no misbehaviour behind', () => {
  test('in a server that saves its workspace', async () => {
    const path = file('killed.grantbench.json');
    writeFileSync(path, JSON.stringify(DEMO_ES256));
    const started = async () => {
      const run = serve('--quiet', '--workspace', path, '--save');
      const ready = await run.ready();
      const status = async () => (await fetch(ready.token_endpoint, { method: 'POST' })).status;
      return { run, ready, status };
    };
    const first = await started();
    await ask(first.ready, 'POST', '/client-checks', { case: 'token-500' });
    expect(await first.status()).toBe(500);
    await stopCli(first.run);
    const second = await started();
    expect(await ask(second.ready, 'GET', '/client-checks')).toEqual({ active: null });
    expect(await second.status()).toBe(400);
  });

  test('in the workspace of a check', async () => {
    const before = readFileSync(workspace(), 'utf8');
    const { begun, login, release } = waitingIn('token-500');
    const run = start(checkArgs(cases('token-500'), await signInAt(login)));
    await begun;
    await stopCli(run);
    release();
    expect(readFileSync(workspace(), 'utf8')).toBe(before);
  });
});

describe('an app that reads the metadata when it starts', () => {
  const CASE = 'discovery-issuer-mismatch';
  let metadata: { issuer?: string } | undefined;
  beforeEach(() => {
    metadata = undefined;
  });
  const runOf = (...flags: readonly string[]) =>
    checkApp([...flags, ...cases(CASE)], async (variables) => {
      const setup = setupOf(variables);
      const url = `${setup.issuer}/.well-known/openid-configuration`;
      metadata ??= (await (await fetch(url)).json()) as { issuer: string };
      if (metadata.issuer !== setup.issuer) throw new Error('another issuer');
      await carelessly({ ...setup, metadata });
    });
  const inShell = (...args: readonly string[]) =>
    [process.execPath, ...args].map((word) => `"${word}"`).join(' ');

  test('is restarted with --restart before such a case, and before the good login after it', async () => {
    const restart = await signInAt(() => Promise.resolve((metadata = undefined)));
    const port = ['--port', String(await freePort())];
    const { code, stdout } = await runOf('--json', ...port, '--restart', inShell(...restart));
    expect(resultsIn(stdout)).toMatchObject({ [CASE]: 'refused' });
    expect(code).toBe(0);
  });

  test('has an unclear result when --restart fails before the good login after the case', async () => {
    const restart = await signInAt((variables) => {
      if (variables['GRANTBENCH_CASE'] === 'good-login') return Promise.reject(new Error('failed'));
      return Promise.resolve((metadata = undefined));
    });
    const { stdout } = await runOf('--restart', inShell(...restart));
    expect(stdout).toMatch(/ unclear .*\. The command of --restart failed, /);
  });

  test.each<[string, readonly string[], RegExp]>([
    ['without --restart', [], /If the app reads it only when it starts, use --restart/],
    [
      'when its command fails',
      ['--restart', inShell('-e', 'process.exit(1)')],
      /^The command of --restart failed/,
    ],
  ])('has the case skipped %s', async (_, flags, why) => {
    const { code, stdout } = await runOf('--json', ...cases('id-token-aud-list'), ...flags);
    const { cases: found } = JSON.parse(stdout) as Report;
    expect(found.find(({ id }) => id === CASE)).toMatchObject({
      result: 'skipped',
      why: expect.stringMatching(why) as string,
    });
    expect(code).toBe(0);
  });

  test('is counted as skipped, not as not reached', async () => {
    const { stdout } = await runOf();
    expect(stdout).toMatch(/\nSkipped:\ndiscovery-issuer-mismatch\n.* use --restart/);
    expect(stdout).toMatch(/ 0 not reached, 1 skipped$/m);
  });
});

describe('errors', () => {
  test('a login that never succeeds: exit code 2 with the cause', async () => {
    const { code, stdout, stderr } = await check(
      [],
      '-e',
      `await fetch(process.env.GRANTBENCH_TOKEN_ENDPOINT, { method: 'POST', body: new URLSearchParams({ grant_type: 'nope' }) }); process.exit(1)`,
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /The good login failed, so the cases would show nothing\. Newest rejected/,
    );
    expect(stderr).toMatch(/POST \/oauth\/token, 400/);
  });

  test('a command that sends nothing to the sandbox', async () => {
    const { code, stderr } = await check([], '-e', '0');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^The good login sent no request to the sandbox\. Does the command use GRANTBENCH_ISSUER/m,
    );
  });

  test('a command that sends nothing in its time', async () => {
    const { stderr } = await check(['--timeout', '1'], '-e', 'setInterval(() => undefined, 1000)');
    expect(stderr).toMatch(
      /login did not end within 1 s, and sent no request to the sandbox\. Does/,
    );
  });

  test('a command that does not exist', async () => {
    const { code, stderr } = await callCli(['check', '--', 'no-such-command-anywhere']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/The command no-such-command-anywhere was not found/);
  });

  test.each([
    [['--case', 'nope'], /--case names nope, which is not a case/],
    [['--baseline', '/nowhere/at/all'], /Cannot read \/nowhere\/at\/all/],
    [['--timeout', '0'], /whole number from 1 to 3000/],
    [['--report', 'x.pdf'], /must end in .tap, .xml, .json or .sarif/],
    [['--only', 'should'], /Allowed choices are must/],
    [['--only', 'must', ...cases('id-token-azp-other')], /No case of --case has the level/],
  ])('%j is rejected', async (flags, message) => {
    const { code, stderr } = await check(flags, '-e', '0');
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe('a baseline', () => {
  test('keeps an entry for a case that the login does not reach', async () => {
    writeFileSync(file('unreached.txt'), 'token-type-bearer-for-dpop\n');
    const ids = cases('token-type-bearer-for-dpop', 'id-token-aud-list');
    const { code } = await checkApp(['--baseline', file('unreached.txt'), ...ids], careful);
    expect(code).toBe(0);
  });

  test('lists faults that are no failure, but an obsolete entry is one', async () => {
    writeFileSync(file('known.txt'), '# to do\nid-token-aud-other\n');
    const flags = ['--baseline', file('known.txt'), ...cases('id-token-aud-other')];
    const known = await checkApp(['--tap', ...flags, ...cases('id-token-aud-list')], careless);
    expect({ code: known.code, stdout: known.stdout }).toEqual({
      code: 0,
      stdout: [
        'TAP version 14',
        '1..1',
        '# Subtest: Client check',
        '    1..2',
        '    ok 1 - id-token-aud-other: ID token for another client # SKIP known fault: accepted: The app used the tokens',
        '    ok 2 - id-token-aud-list: aud as a list',
        'ok 1 - Client check',
        '',
      ].join('\n'),
    });
    const { code, stderr } = await checkApp(flags, careful);
    expect(code).toBe(1);
    expect(stderr).toMatch(/id-token-aud-other is in the baseline, but is no longer a fault/);
  });
});
