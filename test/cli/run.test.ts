// `grantbench run`: scenarios from files, their reports, and exit codes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callCli } from '../support/call-cli.ts';
import { cliFolder } from '../support/cli-folder.ts';
import { CLI } from '../support/cli-process.ts';
import { runCli } from '../support/run-cli.ts';

const { at, start } = cliFolder('run');

const run = (...args: readonly string[]) => callCli(['run', ...args]);

/** Writes a scenario with these steps, or any text. @returns the name of its file */
function file(name: string, content: readonly unknown[] | string): string {
  const document = { format: 'grantbench-scenario', version: 1, name, steps: content };
  const text = typeof content === 'string' ? content : JSON.stringify(document, null, 2);
  const path = at(`${name}.scenario.json`);
  writeFileSync(path, text);
  return path;
}

const EXCHANGE = [
  { issue_code: {} },
  { token: { grant: 'authorization_code' }, expect: { status: 200, body: { expires_in: 86_400 } } },
];

const WRONG = [
  { issue_code: {} },
  {
    name: 'exchange #1',
    token: { grant: 'authorization_code' },
    expect: {
      status: 201,
      body: { $only: { access_token: { $absent: true }, expires_in: { $at_most: 60 } } },
      advisories: ['over_fetch'],
    },
  },
  { token: { grant: 'refresh_token' } },
];

describe('the results of scenarios', () => {
  test('are printed as TAP 14, with exit code 0 when all passed', async () => {
    const files = [file('good', EXCHANGE), file('again', EXCHANGE)];
    const { code, stdout, stderr } = await runCli(['run', ...files]);
    expect(stdout.replace(/time=\d+ms/g, 'time=1ms')).toBe(
      [
        'TAP version 14',
        '1..2',
        '# Subtest: good',
        '    1..2',
        '    ok 1 - issue a code',
        '    ok 2 - token request with authorization_code',
        'ok 1 - good # time=1ms',
        '# Subtest: again',
        '    1..2',
        '    ok 1 - issue a code',
        '    ok 2 - token request with authorization_code',
        'ok 2 - again # time=1ms',
        '# 2 scenarios: 2 passed, 0 failed',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test('contain a diff with its position for a failed expectation, without secrets, and exit code 1', async () => {
    const path = file('wrong', WRONG);
    const { code, stdout } = await run(path);
    expect(code).toBe(1);
    const [, block = ''] = /not ok 2 - exchange \\#1\n([\s\S]*?\n) {6}\.\.\./.exec(stdout) ?? [];
    expect(block.replaceAll('\n      ', '\n').trim()).toBe(
      [
        '---',
        'message: "6 values differ from what was expected"',
        `at: ${JSON.stringify(`${path}:9:5`)}`,
        'exchange: "exchange 1: POST /oauth/token got 200"',
        'diff: |',
        '  --- expected',
        '  +++ actual',
        '  @@ status @@',
        '  -201',
        '  +200',
        '  @@ body.access_token @@',
        '  -nothing',
        '  +"[access_token]"',
        '  @@ body.expires_in @@',
        '  -at most 60',
        '  +86400',
        '  @@ body.token_type @@',
        '  -nothing',
        '  +"Bearer"',
        '  @@ body.refresh_token @@',
        '  -nothing',
        '  +"[refresh_token]"',
        '  @@ advisories @@',
        '  -["over_fetch"]',
        '  +[]',
      ].join('\n'),
    );
    expect(stdout).toContain('    ok 3 - token request with refresh_token # SKIP an earlier step');
    expect(stdout).toContain('not ok 1 - wrong');
    expect(stdout).not.toMatch(/eyJ/);
  });

  test('of the scenarios that were finished are reported when it is interrupted', async () => {
    const slow = { name: 'slow', when: 'instead', delay_ms: 300_000, effect: { kind: 'drop' } };
    const late = [{ fault: slow }, ...EXCHANGE];
    const report = at('r.json');
    const cli = start(['run', file('good', EXCHANGE), file('late', late), '--report', report]);
    await cli.stdout.line(/^ok 1 - good/);
    cli.child.kill('SIGINT');
    const { code, stdout } = await cli.ended;
    expect(code).toBe(130);
    expect(stdout).toContain('Bail out! SIGINT\n# 1 scenario: 1 passed, 0 failed');
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      totals: { passed: 1, failed: 0 },
      scenarios: [{ name: 'good' }],
    });
  });

  test('are written with --report as TAP, JUnit and JSON, creating the folder', async () => {
    const [tap, xml, json] = ['r.tap', 'r.xml', 'r.json'].map((name) => at('out', name));
    const reports = [tap, xml, json].flatMap((name = '') => ['--report', name]);
    const { code, stdout } = await run(file('good', EXCHANGE), file('wrong', WRONG), ...reports);
    expect(code).toBe(1);
    expect(stdout).toContain(readFileSync(tap ?? '', 'utf8').trim());
    const junit = readFileSync(xml ?? '', 'utf8');
    expect(junit).toContain('<testsuites tests="5" failures="1" errors="0" skipped="1"');
    expect(junit).toContain('<failure message="6 values differ from what was expected">');
    expect(junit).toContain('@@ body.expires_in @@\n-at most 60\n+86400');
    expect(JSON.parse(readFileSync(json ?? '', 'utf8'))).toMatchObject({
      totals: { passed: 1, failed: 1, skipped: 0 },
      scenarios: [
        { name: 'good', verdict: 'passed', steps: [{ verdict: 'passed' }, { verdict: 'passed' }] },
        {
          name: 'wrong',
          steps: [
            { verdict: 'passed' },
            {
              failure: {
                differences: [{ what: 'status', expected: '201', got: '200' }, {}, {}, {}, {}, {}],
              },
            },
            { verdict: 'skipped', failure: null },
          ],
        },
      ],
    });
  });

  test('end with the first failure with --bail, and are JSON with --json', async () => {
    const { code, stdout } = await run('--bail', file('a', WRONG), file('b', EXCHANGE));
    expect(stdout).toContain('ok 2 - b # SKIP an earlier scenario failed');
    expect(stdout).toContain('# 2 scenarios: 0 passed, 1 failed, 1 skipped');
    expect(code).toBe(1);
    const { stdout: json } = await run('--json', file('c', EXCHANGE));
    expect(JSON.parse(json)).toMatchObject({ totals: { passed: 1 }, scenarios: [{ name: 'c' }] });
  });

  test('include a file once that is named twice', async () => {
    const named = file('one', EXCHANGE);
    const { code, stdout } = await run(named, relative('.', named), at());
    expect(stdout).toContain('# 1 scenario: 1 passed');
    expect(code).toBe(0);
  });

  test('include all scenarios of a folder, and exit code 2 for a report that cannot be written', async () => {
    mkdirSync(at('deep'));
    file('one', EXCHANGE);
    file(join('deep', 'two'), EXCHANGE);
    writeFileSync(at('other.json'), '{}');
    const { code, stdout, stderr } = await run(at(), '--report', at('other.json', 'r.xml'));
    expect(stdout).toContain('# 2 scenarios: 2 passed');
    expect(stderr).toMatch(/^Cannot write the report /);
    expect(code).toBe(2);
  });
});

test.runIf(existsSync('/dev/full'))(
  'results that cannot be written: one line, the reports, and exit code 2',
  async () => {
    const report = at('r.json');
    const full = openSync('/dev/full', 'w');
    const child = spawn(
      process.execPath,
      [CLI, 'run', file('good', EXCHANGE), '--report', report],
      {
        stdio: ['ignore', full, 'pipe'],
      },
    );
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += String(chunk)));
    const [code] = (await once(child, 'close')) as [number];
    closeSync(full);
    expect(stderr).toMatch(/^Cannot write the results: ENOSPC[^\n]*\n$/);
    expect(code).toBe(2);
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ totals: { passed: 1 } });
  },
);

describe('a file that cannot be run', () => {
  test('is reported with every problem by line and column, and nothing is run', async () => {
    const bad = file(
      'bad',
      `{
  "format": "grantbench-scenario",
  "version": 1,
  "nmae": "A typing error",
  "workspace": { "clients": [{ "client_id": "app" }] },
  "steps": [
    { "issue_code": { "user": "adda" } },
    { "token": { "grant": "authorization_code", "feilds": {} },
      "expect": { "body": { "access_token": { "$tpye": "string" } } } },
    { "token": { "grant": "refresh_token", "fields": { "refresh_token": "{{refesh_token}}" } } },
    { "fault": "throtled_twice" }
  ]
}`,
    );
    const { code, stdout, stderr } = await run(file('good', EXCHANGE), bad);
    expect(stdout).toBe('');
    expect(code).toBe(2);
    expect(stderr.replaceAll(bad, 'bad')).toBe(
      [
        'bad:1:1: name is required',
        'bad:4:3: nmae is not a known member; did you mean name?',
        'bad:5:30: workspace.clients[0].client_secret is required with token_endpoint_auth_method client_secret_post',
        'bad:8:49: steps[1].token.feilds is not a known member; did you mean fields?',
        'bad:9:47: steps[1].expect.body.access_token.$tpye is not a matcher; the matchers are $type, $matches, $includes, $at_least, $at_most, $any, $not, $only, $absent',
        'bad:10:56: steps[2].token.fields.refresh_token uses {{refesh_token}}, which no earlier step provides; did you mean refresh_token?',
        'bad:11:7: steps[3].fault is "throtled_twice", which is not a preset; did you mean throttled_twice?',
        '7 problems in 1 of 2 files; nothing was run.',
        '',
      ].join('\n'),
    );
  });

  test.each([
    ['an unknown client', [{ issue_code: { client: 'demo-ap' } }], /did you mean demo-app\?/],
    [
      'an unknown user',
      [{ issue_code: { user: 'bob' } }],
      /which is not a user of the workspace; there is ada/,
    ],
    [
      'a code that was never issued',
      [{ token: { grant: 'authorization_code' } }],
      /: steps\[0\]\.token sends \{\{code\}\}, but no earlier step provides it: add \{"issue_code": \{\}\} before this step/,
    ],
    [
      'an invalid fault',
      [{ fault: { when: 'instead', effect: { kind: 'nap' } } }],
      /fault\.effect.* must be one of answer, drop/,
    ],
    [
      'statuses that are not counted',
      [{ request: { path: '/userinfo' }, repeat: 2, expect: { statuses: { 401: 2 } } }],
      /steps\[0\]\.expect\.statuses needs repeat to be an object, such as \{"times": 2\}/,
    ],
    [
      'a request for a tunnel',
      [{ request: { method: 'CONNECT', path: '/x' } }],
      /request\.method must be an HTTP method in capitals, and not CONNECT/,
    ],
    [
      'a time out of range while requests are held',
      [{ hold: { meanwhile: { now: '1960-01-01T00:00:00Z' } } }],
      /steps\[0\]\.hold\.meanwhile\.now must be between the years 1970 and 9900/,
    ],
    [
      'text that is not JSON',
      '{\n  "a": 1\n  "b": 2\n}',
      /:3:3: is not JSON: expected a comma or a closing brace/,
    ],
    ['a repeated member', '{ "name": "a", "name": "b" }', /:1:16: name is present more than once/],
    [
      'another kind of file',
      '{ "version": 1, "clients": [] }',
      /format is required|format must be/,
    ],
    ['an empty file', '', /:1:1: is not JSON: expected a value, found the end of the text/],
  ])('%s', async (_what, content, words) => {
    const { code, stderr, stdout } = await run(file('bad', content));
    expect(stderr).toMatch(words);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('a missing file or scenario, and a report of another kind', async () => {
    const none = await run(at('none.json'), '', at());
    expect(none.stderr).toContain('none.json: the file or folder does not exist');
    expect(none.stderr).toContain('"": the file or folder does not exist');
    expect(none.stderr).toContain('no file in this folder ends in .scenario.json');
    expect(none.code).toBe(2);
    const { code, stderr } = await run(file('good', EXCHANGE), '--report', 'r.txt');
    expect(stderr).toMatch(/must end in \.tap, \.xml or \.json/);
    expect(code).toBe(2);
  });
});

test('--help explains with examples and exit codes', async () => {
  const { code, stdout } = await run('--help');
  expect(stdout).toContain('grantbench run scenarios --bail --json');
  expect(code).toBe(0);
});
