// `grantbench check`: the command it runs, its findings, formats and exit codes. It runs inside this process, but for
// a check of the built program, and for those that are killed.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Settings } from '../../src/core/records/schemas.ts';
import { callCli } from '../support/call-cli.ts';
import { cliFolder } from '../support/cli-folder.ts';
import { stopCli } from '../support/cli-process.ts';
import { DEMO_ES256 } from '../support/demo-es256.ts';
import { freePort } from '../support/free-port.ts';
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

const CARELESS = 'test/support/logins/run-careless.mjs';
const CAREFUL = 'test/support/logins/run-openid-client.mjs';
const urlOf = (path: string) => JSON.stringify(new URL(`../../${path}`, import.meta.url).href);
const [CARELESS_URL, CAREFUL_URL] = [urlOf(CARELESS), urlOf(CAREFUL)];

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

/** A login by a program given as source. */
function script(name: string, text: string): string {
  writeFileSync(file(name), text);
  return file(name);
}

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
    ran = await runCli([...args, '--', process.execPath, CARELESS]);
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
  let port: number;
  let ran: Ran;
  beforeAll(async () => {
    port = await freePort();
    const noting = script(
      'noting.mjs',
      `import { appendFileSync } from 'node:fs';
       const { GRANTBENCH_CASE, GRANTBENCH_ISSUER, GRANTBENCH_CLIENT_ID } = process.env;
       appendFileSync(process.argv[2], [GRANTBENCH_CASE, GRANTBENCH_ISSUER, GRANTBENCH_CLIENT_ID].join(' ') + '\\n');
       await import(${CAREFUL_URL});`,
    );
    const ids = ['id-token-aud-list', 'state-invalid', 'authorization-error-iss-other'];
    const others = ['id-token-iat-old', 'id-token-azp-other'];
    const flags = ['--port', String(port), '--only', 'must', ...cases(...ids, ...others)];
    ran = await check(flags, noting, file('noted.txt'));
  });

  test('logs in well, then in a case that must fail, and in each case of the level of --only with a good login after a refusal, at one issuer', () => {
    const who = `http://localhost:${port} demo-app`;
    expect(readFileSync(file('noted.txt'), 'utf8').trimEnd().split('\n')).toEqual(
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
    const refuser = script(
      'refuser.mjs',
      `if (process.env.GRANTBENCH_CASE === 'good-login') await import(${CAREFUL_URL});
       else { await fetch(process.env.GRANTBENCH_ISSUER + '/authorize'); process.exit(1); }`,
    );
    const { code, stdout } = await check(['--json', ...cases('id-token-aud-list')], refuser);
    expect(resultsIn(stdout)).toEqual({ 'id-token-aud-list': 'not_reached' });
    expect(code).toBe(2);
  });

  test('include what the app must not show, if the login says whether it does', async () => {
    const shows = script(
      'shows.mjs',
      `if (process.env.GRANTBENCH_LOOK_FOR) process.prependOnceListener('uncaughtException', (error) => {
         error.message = process.env.GRANTBENCH_LOOK_FOR;
       });
       await import(${CAREFUL_URL});`,
    );
    const { code, stdout } = await check(
      ['--json', ...cases('authorization-error-iss-other')],
      shows,
    );
    expect([code, resultsIn(stdout)]).toEqual([1, { 'authorization-error-iss-other': 'accepted' }]);
  });

  test('depend only on traffic when the exit code is always 0', async () => {
    const always = script(
      'always.mjs',
      `process.on('uncaughtException', () => process.exit(0));
       await import(${CAREFUL_URL});`,
    );
    const { code, stdout } = await check(
      ['--json', ...cases('id-token-aud-other', 'userinfo-sub-other')],
      always,
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
    const stuck = script(
      'stuck.mjs',
      `await import(${CARELESS_URL});
       if (process.env.GRANTBENCH_CASE === 'token-slow') setInterval(() => undefined, 1000);
       else process.exit();`,
    );
    const ids = cases('userinfo-sub-other', 'token-slow');
    const { stdout } = await check(['--json', '--timeout', '8', ...ids], stuck);
    expect(resultsIn(stdout)).toEqual({
      'userinfo-sub-other': 'accepted',
      'token-slow': 'unclear',
    });
    const { cases: found } = JSON.parse(stdout) as Report;
    expect(found.find(({ id }) => id === 'token-slow')?.why).toMatch(
      /\. The login did not end within 8 s\.$/,
    );
  });

  test('name a good login afterwards that does not end in time', async () => {
    const stuck = script(
      'stuck-later.mjs',
      `import { existsSync, writeFileSync } from 'node:fs';
       const once = ${JSON.stringify(file('stuck-later'))};
       if (process.env.GRANTBENCH_CASE === 'good-login' && existsSync(once)) {
         setInterval(() => undefined, 1000);
       } else {
         writeFileSync(once, '');
         await import(${CAREFUL_URL});
       }`,
    );
    const { stdout } = await check(['--timeout', '8', ...cases('state-invalid')], stuck);
    expect(stdout).toMatch(/ unclear .* The good login afterwards did not end within 8 s\.$/m);
  });
});

describe('a run', () => {
  test('with --https is trusted by a login on Node.js, unless it trusts other certificates', async () => {
    const args = checkArgs(['--https', '--json', ...cases('id-token-aud-other')], [CAREFUL]);
    const run = (NODE_EXTRA_CA_CERTS: string) => runCli(args, { env: { NODE_EXTRA_CA_CERTS } });
    const trusting = await run('');
    expect(trusting.code).toBe(0);
    expect(resultsIn(trusting.stdout)).toEqual({ 'id-token-aud-other': 'refused' });
    const { code, stderr } = await run(script('other.pem', ''));
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /Does the command use GRANTBENCH_ISSUER, and trust \S+certificate\.pem\?/,
    );
  });

  test('ends with its login when it is interrupted', async () => {
    const waits = script(
      'waits.mjs',
      `if (process.env.GRANTBENCH_CASE === 'id-token-aud-list') {
         console.error('waits as ' + process.pid);
         setInterval(() => undefined, 1000);
       } else await import(${CAREFUL_URL});`,
    );
    const run = start(checkArgs(['--verbose', ...cases('id-token-aud-list')], [waits]));
    const pid = Number((await run.stderr.line(/^waits as /)).split(' ').at(-1));
    run.child.kill('SIGINT');
    expect(await run.ended).toMatchObject({ code: 130, stdout: '' });
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('is interrupted, and the cases that were finished are reported', async () => {
    const waits = script(
      'waits-later.mjs',
      `if (process.env.GRANTBENCH_CASE === 'id-token-aud-list') {
         console.error('waits');
         setInterval(() => undefined, 1000);
       } else await import(${CAREFUL_URL});`,
    );
    const report = file('interrupted.json');
    const ids = cases('id-token-aud-other', 'id-token-aud-list');
    const run = start(checkArgs(['--verbose', '--report', report, ...ids], [waits]));
    await run.stderr.line(/^waits$/);
    run.child.kill('SIGTERM');
    await run.stderr.line(/^Stopped after 1 of 2 cases\.$/);
    expect(await run.ended).toMatchObject({ code: 143 });
    expect(resultsIn(readFileSync(report, 'utf8'))).toEqual({ 'id-token-aud-other': 'refused' });
  });
});

test('a reader that closes the pipe does not prevent the reports', async () => {
  const report = file('closed.json');
  const run = start(checkArgs(['--report', report, ...cases('token-500')], [CARELESS]));
  run.child.stdout?.destroy();
  expect(await run.ended).toMatchObject({ code: 0 });
  expect(Object.keys(resultsIn(readFileSync(report, 'utf8')))).toEqual(['token-500']);
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
    const waits = script(
      'waits-for-its-parent.mjs',
      `const { ppid } = process;
       if (process.env.GRANTBENCH_CASE === 'token-500') {
         console.error('waits');
         setInterval(() => process.ppid === ppid || process.exit(), 20);
       } else await import(${CAREFUL_URL});`,
    );
    const run = start(checkArgs(['--verbose', ...cases('token-500')], [waits]));
    await run.stderr.line(/^waits/);
    await stopCli(run);
    expect(readFileSync(workspace(), 'utf8')).toBe(before);
  });
});

describe('an app that reads the metadata when it starts', () => {
  const CASE = 'discovery-issuer-mismatch';
  const runOf = (...flags: readonly string[]) =>
    check(
      [...flags, ...cases(CASE)],
      script(
        'keeps.mjs',
        `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
         const [kept, issuer] = [${JSON.stringify(file('kept.json'))}, process.env.GRANTBENCH_ISSUER];
         if (!existsSync(kept)) {
           const answer = await fetch(issuer + '/.well-known/openid-configuration');
           writeFileSync(kept, await answer.text());
         }
         if (JSON.parse(readFileSync(kept, 'utf8')).issuer !== issuer) process.exit(1);
         const { fetch: send } = globalThis;
         globalThis.fetch = (url, init) => String(url).endsWith('/openid-configuration')
           ? Promise.resolve(new Response(readFileSync(kept)))
           : send(url, init);
         await import(${CARELESS_URL});`,
      ),
    );
  const shell = (name: string, text: string) => `"${process.execPath}" "${script(name, text)}"`;
  const restart = () =>
    shell(
      'restart.mjs',
      `import { rmSync } from 'node:fs'; rmSync(${JSON.stringify(file('kept.json'))});`,
    );

  test('is restarted with --restart before such a case, and before the good login after it', async () => {
    rmSync(file('kept.json'), { force: true });
    const port = ['--port', String(await freePort())];
    const { code, stdout } = await runOf('--json', ...port, '--restart', restart());
    expect(resultsIn(stdout)).toMatchObject({ [CASE]: 'refused' });
    expect(code).toBe(0);
  });

  test.each<[string, () => readonly string[], RegExp]>([
    ['without --restart', () => [], /If the app reads it only when it starts, use --restart/],
    [
      'when its command fails',
      () => ['--restart', shell('fails.mjs', 'process.exit(1)')],
      /^The command of --restart failed/,
    ],
  ])('has the case skipped %s', async (_, flags, why) => {
    rmSync(file('kept.json'), { force: true });
    const { code, stdout } = await runOf('--json', ...cases('id-token-aud-list'), ...flags());
    const { cases: found } = JSON.parse(stdout) as Report;
    expect(found.find(({ id }) => id === CASE)).toMatchObject({
      result: 'skipped',
      why: expect.stringMatching(why) as string,
    });
    expect(code).toBe(0);
  });

  test('is counted as skipped, not as not reached', async () => {
    rmSync(file('kept.json'), { force: true });
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
    expect((await check(['--baseline', file('unreached.txt'), ...ids], CAREFUL)).code).toBe(0);
  });

  test('lists faults that are no failure, but an obsolete entry is one', async () => {
    writeFileSync(file('known.txt'), '# to do\nid-token-aud-other\n');
    const flags = ['--baseline', file('known.txt'), ...cases('id-token-aud-other')];
    const known = await check(['--tap', ...flags, ...cases('id-token-aud-list')], CARELESS);
    expect({ code: known.code, stdout: known.stdout }).toEqual({
      code: 0,
      stdout: [
        'TAP version 14',
        '1..1',
        '# Subtest: Client check',
        '    1..2',
        '    ok 1 - id-token-aud-other: ID token for another client # SKIP known fault: accepted: The app used the tokens',
        '    ok 2 - id-token-aud-list: aud as a list',
        'ok 1 - Client check # time=0ms',
        '',
      ].join('\n'),
    });
    const { code, stderr } = await check(flags, CAREFUL);
    expect(code).toBe(1);
    expect(stderr).toMatch(/id-token-aud-other is in the baseline, but is no longer a fault/);
  });
});
