// The commands that connect to a running instance, inside this process, with one `grantbench serve`.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAll } from '../../src/cli/connect.ts';
import { decodeJwt } from '../../src/oauth/jwt.ts';
import { assertionClaims, clientKey, signAssertion } from '../support/assertion.ts';
import type { Ready } from '../support/cli-process.ts';
import { callCli } from '../support/call-cli.ts';
import { cliFolder } from '../support/cli-folder.ts';
import { ask, DEMO, exchange } from '../support/token-calls.ts';

const { at, serve } = cliFolder('commands', 'all');
let ready: Ready;
beforeAll(async () => {
  ready = await serve('--quiet').ready();
});

beforeEach(async () => {
  await ask(ready, 'POST', '/reset', { workspace: true });
});

/** The JSON output of a command. */
async function json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await callCli([...args, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

function file(name: string, content: unknown): string {
  const path = at(name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('codes and tokens', () => {
  test('code issues a code that the token endpoint accepts, for the first client and user', async () => {
    const { code, redirect_to } = await json('code');
    expect(redirect_to).toContain(`${DEMO.redirect_uri}?code=`);
    expect((await exchange(ready, code as string)).status).toBe(200);
    const { stdout } = await callCli(['code', '--scope', 'openid', '--state', 'x=1']);
    expect(stdout).toMatch(/^code +\S{20,}$/m);
    expect(stdout).toMatch(/^redirect_to +http:\S+state=x%3D1/m);
  });

  test('behaviour 1.11: code, token and refresh name the scopes that the profile interop ignored', async () => {
    await callCli(['settings', 'set', 'profile=interop']);
    const asked = ['--scope', 'openid nope', '--json'];
    const granting = async (...command: string[]) => {
      const { stdout, stderr } = await callCli([...command, ...asked]);
      const answer = JSON.parse(stdout) as { scope: string; refresh_token: string };
      expect([answer.scope, stderr]).toEqual(['openid', '1 scope not granted: nope\n']);
      return answer;
    };
    await granting('code');
    const { refresh_token } = await granting('token');
    await granting('refresh', refresh_token);
    const { stdout, stderr } = await callCli(['code', '--scope', 'openid']);
    expect(stdout).toMatch(/^scope +openid$/m);
    expect(stderr).toBe('');
  });

  test('token runs the grant over real HTTP; refresh redeems its refresh token', async () => {
    const tokens = await json<Record<string, string>>('token', '--scope', 'openid email');
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 86_400 });
    expect(tokens).toHaveProperty('id_token');
    const input = `${tokens['refresh_token']}\n`;
    const refreshed = await callCli(['refresh', '-', '--explain'], { input });
    expect(refreshed.code).toBe(0);
    expect(refreshed.stdout).toMatch(/^access_token +ey/m);
    expect(refreshed.stdout).toMatch(/^Exchange \d+: POST \/oauth\/token got 200 in /m);
    expect(refreshed.stdout).toMatch(/^passed {2}The refresh token is known +spec 5\.4$/m);
  });

  test('token --dpop proves its own key and prints its thumbprint; a required nonce is sent once', async () => {
    await callCli(['settings', 'set', 'profile=interop', 'dpop.require_nonce=true']);
    const { code, stdout, stderr } = await callCli(['token', '--dpop', '--json', '--explain']);
    expect(code).toBe(0);
    const {
      response,
      trace,
      exchange: number,
    } = JSON.parse(stdout) as {
      response: { token_type: string; access_token: string };
      trace: { id: string; verdict: string }[];
      exchange: number;
    };
    expect(response.token_type).toBe('DPoP');
    expect(trace).toContainEqual(expect.objectContaining({ id: 'dpop_nonce', verdict: 'passed' }));
    const { cnf } = decodeJwt(response.access_token)?.payload as { cnf: { jkt: string } };
    expect(stderr).toContain(`bound to the key with thumbprint ${cnf.jkt}`);
    const former = await json<{ error: string }>('traffic', '--explain', String(number - 1));
    expect(former.error).toBe('use_dpop_nonce');
  });

  test('token --dpop says that a profile without DPoP has issued a bearer token', async () => {
    const { code, stdout, stderr } = await callCli(['token', '--dpop', '--json']);
    expect([code, (JSON.parse(stdout) as { token_type: string }).token_type]).toEqual([
      0,
      'Bearer',
    ]);
    expect(stderr).toContain('is not bound to the key');
  });

  test('token --grant token-exchange exchanges a new token of the user, or the one that is named', async () => {
    const grant = 'urn:ietf:params:oauth:grant-type:token-exchange';
    await json('clients', 'set', 'demo-app', `grant_types=["authorization_code","${grant}"]`);
    const exchanged = await json<Record<string, string>>('token', '--grant', 'token-exchange');
    expect(exchanged).toMatchObject({ token_type: 'Bearer' });
    expect(decodeJwt(exchanged['access_token'] ?? '')?.payload).toMatchObject({ sub: 'ada' });
    const subject = exchanged['access_token'] ?? '';
    const again = await callCli(['token', '--grant', 'token-exchange', '--subject-token', subject]);
    expect(again.code).toBe(0);
    const bad = await callCli(['token', '--grant', 'token-exchange', '--subject-token', 'none']);
    expect(bad).toMatchObject({ code: 3, stdout: '' });
    expect(bad.stderr).toMatch(/^Rejected with 400 invalid_request: /);
  });

  test('token --grant jwt-bearer sends the assertion that the client has signed, and needs one', async () => {
    const key = await clientKey();
    const { issuer } = await json<{ issuer: string }>('server');
    const { now } = await json<{ now: string }>('clock');
    const record = {
      client_id: 'backend',
      client_secret: 'backend-secret',
      grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
      jwks: { keys: [key.jwk] },
    };
    await json('clients', 'add', '--file', file('backend.json', record));
    const claims = assertionClaims(issuer, Date.parse(now), { iss: 'backend', sub: 'ada' });
    const assertion = await signAssertion(key, claims);
    const args = ['token', '--grant', 'jwt-bearer', '--client-id', 'backend'];
    const answer = await json<Record<string, string>>(...args, '--assertion', assertion);
    expect(decodeJwt(answer['access_token'] ?? '')?.payload).toMatchObject({ sub: 'ada' });
    const replayed = await callCli([...args, '--assertion', assertion]);
    expect(replayed.stderr).toMatch(/^Rejected with 400 invalid_grant: .*\n {2}The assertion was/);
    expect(await callCli(args)).toMatchObject({
      code: 2,
      stderr:
        'The jwt-bearer grant needs an assertion that the client has signed. Set it with --assertion.\n',
    });
  });

  test('token --grant password asks for the password of a user who has one, and never prints it', async () => {
    await json('clients', 'set', 'demo-app', 'grant_types=["password"]');
    const any = await json<Record<string, string>>('token', '--grant', 'password');
    expect(decodeJwt(any['access_token'] ?? '')?.payload).toMatchObject({ sub: 'ada' });
    const password = 'correct horse battery staple';
    expect(await json('users', 'set', 'ada', '--password', password)).toMatchObject({
      has_password: true,
    });
    expect((await callCli(['users'])).stdout).toMatch(/^ada +Ada Example +\S+ +set/m);
    const args = ['token', '--grant', 'password', '--explain'];
    expect(await callCli(args)).toMatchObject({
      code: 2,
      stderr: 'The password grant needs the password of ada. Set it with --password.\n',
    });
    const right = await callCli([...args, '--username', 'ada', '--password', password]);
    expect(right).toMatchObject({ code: 0, stderr: '' });
    expect(right.stdout).toMatch(/^Deviations\n {2}The client used the password of a user/m);
    const wrong = await callCli([...args, '--password', 'a wrong one']);
    expect(wrong.code).toBe(3);
    expect(wrong.stderr).toMatch(/The password of the user is wrong/);
    for (const { stdout, stderr } of [right, wrong]) {
      expect(stdout + stderr).not.toMatch(/correct horse|a wrong one/);
    }
    const eve = await callCli([...args, '--username', 'eve', '--password', 'x']);
    expect(eve.stderr).toMatch(/No registered user has this username/);
  });

  test('a rejection is exit code 3 with the error, its cause and what to do; --explain prints the failed check', async () => {
    const { code, stdout, stderr } = await callCli(['refresh', 'never-issued', '--explain']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^Rejected with 400 invalid_grant: .* \(exchange \d+\)\.\n {2}\S/);
    expect(stderr + stdout).not.toContain('never-issued');
    expect(stdout).toMatch(/^FAILED {2}The refresh token is known/m);
    const own = await callCli(['token', '--grant', 'client_credentials', '--json']);
    expect(own.code).toBe(3);
    expect(JSON.parse(own.stdout)).toMatchObject({ error: 'unauthorized_client' });
  });

  test('a client without a secret uses PKCE; a rejected registration is reported by field', async () => {
    await json(
      'clients',
      'add',
      'spa',
      'token_endpoint_auth_method=none',
      'client_secret=null',
      'profile=interop',
      '--redirect-uri',
      'http://localhost:5173/',
    );
    const { response, trace } = await json<{
      response: Record<string, unknown>;
      trace: { rule: string; verdict: string; note: string | null }[];
    }>('token', '--client-id', 'spa', '--explain');
    expect(response).toHaveProperty('access_token');
    const pkce = trace.find(({ rule }) => rule.includes('code_verifier'));
    expect(pkce).toMatchObject({ verdict: 'passed' });
    expect(pkce?.note).not.toBe('not used');
    const bad = await callCli([
      'code',
      '--client-id',
      'spa',
      '--redirect-uri',
      'http://elsewhere.test/',
    ]);
    expect(bad).toMatchObject({ code: 3, stdout: '' });
    expect(bad.stderr).toMatch(/^redirect_uri .*\(\w+\)\.\n$/);
  });
});

describe('decode, without an instance', () => {
  const env = { GRANTBENCH_CONTROL: 'http://localhost:1' };
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test('prints header, claims, times in words and problems of a JWT', async () => {
    const token = `${part({ alg: 'RS256' })}.${part({ iss: 'https://a.test', sub: 'ada', iat: 1, exp: 90 })}.c2ln`;
    const { code, stdout } = await callCli(['decode', '-'], { env, input: `Bearer ${token}\n` });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}alg +RS256 +Signature algorithm$/m);
    expect(stdout).toMatch(/^ {2}exp +90 +Expired \d+ y \d+ d ago \(.*1970\)$/m);
    expect(stdout).toMatch(/^Expired|^ {2}iat +1 +Issued/m);
    const read = await callCli(['decode', token, '--json'], { env });
    expect(JSON.parse(read.stdout)).toMatchObject({
      kind: 'jws',
      payload: { sub: 'ada' },
      problems: [],
    });
  });

  test.each([
    ['an opaque token', 'abc', /no dots/],
    ['a malformed encrypted token', 'a.b.c.d.e', /^The header /],
    ['a truncated token', `${part({ alg: 'none' })}.${part({})}`, /^The signature is missing/],
    ['text that is not JSON', 'e30.bm8.c2ln', /^The payload is not JSON/],
    ['nothing', '', /^The token is empty\.$/m],
  ])('%s: exit code 2 and the reason', async (_name, token, words) => {
    const { code, stderr } = await callCli(['decode', token], { env });
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
  });
});

describe('the registry', () => {
  test('a record is added, shown, changed by flags and members, and removed', async () => {
    await json('users', 'add', 'grace', '--name', 'Grace', 'claims.roles=["admin"]');
    const team = ['claims.team=blue', 'claims.https://shop.example/team=["red"]'];
    await json('users', 'set', 'grace', '--email', 'grace@example.test', ...team);
    expect(await json('users', 'get', 'grace')).toEqual({
      sub: 'grace',
      name: 'Grace',
      email: 'grace@example.test',
      has_password: false,
      claims: { roles: ['admin'], team: 'blue', 'https://shop.example/team': ['red'] },
    });
    const { stdout } = await callCli(['users']);
    expect(stdout).toMatch(/^SUB +NAME +EMAIL +PASSWORD +CLAIMS\n/);
    expect(stdout).toMatch(
      /^grace +Grace +grace@example\.test +roles team https:\/\/shop\.example\/team$/m,
    );
    expect(await callCli(['users', 'remove', 'grace'])).toMatchObject({ code: 0, stdout: '' });
    expect(await callCli(['users', 'get', 'grace'])).toMatchObject({
      code: 3,
      stderr: 'there is no user "grace" (not_found).\n',
    });
  });

  test('members are read from a file or standard input; an invalid member is reported by its name', async () => {
    const client = { client_id: 'from-file', redirect_uris: ['http://localhost:3000/cb'] };
    const added = await json('clients', 'add', '--file', file('client.json', client));
    expect(added).toMatchObject(client);
    const input = '{"uri": "https://stock.example/api", "scopes": ["stock:read"]}';
    expect((await callCli(['audiences', 'add', '--file', '-'], { input })).code).toBe(0);
    const rules = '[{"methods":["GET"],"scopes":["stock:read"]}]';
    const stock = await json('apis', 'add', 'stock', `rules=${rules}`);
    expect(stock).toMatchObject({ name: 'stock', rules: [{ scopes: ['stock:read'] }] });
    expect((await callCli(['apis'])).stdout).toMatch(
      /^stock +http +\/api\/stock +<issuer>\/api\/stock +1/m,
    );
    const spa = await json('clients', 'add', 'spa', '--public', '--profile', 'interop');
    expect(spa).toMatchObject({
      client_secret: null,
      token_endpoint_auth_method: 'none',
      profile: 'interop',
    });
    const opened = await json('clients', 'set', 'from-file', '--public');
    expect(opened).toMatchObject({ client_secret: null, token_endpoint_auth_method: 'none' });
    const wrong = await callCli(['clients', 'set', 'from-file', 'redirect_uris=3']);
    expect(wrong).toMatchObject({ code: 3, stdout: '' });
    expect(wrong.stderr).toMatch(/^redirect_uris must be .*\(invalid\)\.\n$/);
    const broken = await callCli(['clients', 'add', '--file', file('broken.json', '{')]);
    expect(broken.code).toBe(2);
    expect(broken.stderr).toMatch(/broken\.json is not JSON/);
    for (const pair of ['name', '=5']) {
      expect(await callCli(['clients', 'set', 'from-file', pair])).toMatchObject({
        code: 2,
        stderr: `A member must have the form name=value, not "${pair}".\n`,
      });
    }
  });
});

describe('controlling the sandbox', () => {
  test('clock: shown, advanced, frozen, set, run, reset', async () => {
    expect(await json('clock')).toMatchObject({ frozen: false, offset_seconds: 0 });
    const { offset_seconds } = await json('clock', 'advance', '1h30m');
    expect(offset_seconds).toBeCloseTo(5400, 0);
    expect(await json('clock', 'freeze')).toMatchObject({ frozen: true });
    const now = '2031-01-01T00:00:00.000Z';
    expect(await json('clock', 'set', now)).toMatchObject({ now, frozen: true });
    expect(await json('clock', 'run')).toMatchObject({ frozen: false });
    expect(await json('clock', 'reset')).toMatchObject({ offset_seconds: 0 });
    expect(await callCli(['clock', 'advance', '2x'])).toMatchObject({ code: 2, stdout: '' });
  });

  test('faults: a preset is armed, listed, applied and cleared', async () => {
    const { stdout } = await callCli(['faults', 'presets']);
    expect(stdout).toMatch(/^throttled_twice +\S/m);
    expect(await json('faults', 'add', 'server_error', '--times', '3')).toMatchObject({
      remaining: 3,
    });
    expect((await callCli(['token'])).stderr).toMatch(/^Rejected with 500 server_error/);
    expect((await callCli(['faults'])).stdout).toMatch(/ +1 +2$/m);
    expect((await callCli(['faults', 'clear'])).code).toBe(0);
    expect(await json('faults')).toEqual([]);
    for (const times of ['0', 'x', '1.5']) {
      const { code, stderr } = await callCli(['faults', 'add', 'server_error', '--times', times]);
      expect({ times, code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('It must be a whole number, at least 1.') as string,
      });
    }
    expect((await callCli(['faults', 'add', 'nope'])).stderr).toMatch(/^preset must be one of/);
  });

  test('logout tells the app of each client, and fails if one does not accept it', async () => {
    const tokens: string[] = [];
    const app = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => tokens.push(text));
      request.on('end', () => response.writeHead(tokens.length === 1 ? 200 : 400).end());
    }).listen(0, '127.0.0.1');
    await once(app, 'listening');
    const { port } = app.address() as AddressInfo;
    const uri = `backchannel_logout_uri=http://127.0.0.1:${port}/logout`;
    expect((await callCli(['logout', '--user', 'ada'])).stdout).toBe(
      'No client has a backchannel_logout_uri.\n',
    );
    await callCli(['clients', 'set', DEMO.client_id, uri]);
    const reported = await callCli(['logout', '--user', 'ada']);
    expect([reported.code, reported.stdout]).toEqual([
      0,
      expect.stringMatching(/^demo-app +#\d+ +signed out, 200$/m) as string,
    ]);
    expect(tokens[0]).toMatch(/^logout_token=ey/);
    const again = await callCli(['logout', '--user', 'ada', '--client', DEMO.client_id]);
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringMatching(/An app did not accept its logout token/) as string,
    ]);
    expect(again.stdout).toMatch(/^demo-app +#\d+ +refused, 400$/m);
    expect((await callCli(['logout'])).code).toBe(2);
    app.close();
  });

  test('throttle: counters are listed and released; keys are rotated and retired; reset empties', async () => {
    await json('token');
    const [counter] = await json<{ id: string }[]>('throttle');
    expect((await callCli(['throttle'])).stdout).toMatch(/^\S{10} +code +demo-app +\S+ +1 of 30 /m);
    expect(await json('throttle', 'release', counter?.id.slice(0, 8) ?? '')).toEqual({
      released: 1,
    });
    expect(await json('throttle')).toEqual([]);
    const { code, stderr } = await callCli(['throttle', 'release', 'nope']);
    expect([code, stderr]).toEqual([3, 'there is no counter "nope" (not_found).\n']);
    const { kid } = await json<{ kid: string }>('keys', 'rotate');
    const keys = await json<{ kid: string; signing: boolean }[]>('keys');
    expect(keys[0]).toMatchObject({ kid, signing: true });
    expect(await json('keys', 'retire', kid.slice(0, 12))).toMatchObject({ kid });
    expect((await callCli(['reset'])).code).toBe(0);
    expect(await json('traffic')).toEqual([]);
  });
});

describe('operations of the contract', () => {
  test('tokens: signed for a test, with mistakes and members', async () => {
    const signed = await json<{ claims: object; mistakes: { name: string }[] }>(
      'tokens',
      'sign',
      '--client-id',
      'demo-app',
      '--wrong',
      'expired',
      '--wrong',
      'no_kid',
      'claims.role=admin',
      'claims.sub=null',
    );
    expect(signed.mistakes.map(({ name }) => name)).toEqual(['expired', 'no_kid']);
    expect(signed.claims).toMatchObject({ role: 'admin', client_id: 'demo-app' });
    expect(signed.claims).not.toHaveProperty('sub');
  });

  test('tokens: minted, listed by kind, read with and without their value, revoked', async () => {
    const minted = await json<{ lineage_id: string }>('tokens', 'mint', '--client-id', 'demo-app');
    const [token] = await json<{ id: string }[]>('tokens', '--kind', 'refresh_token');
    const id = token?.id ?? '';
    expect(await json('tokens', 'get', id)).toMatchObject({ state: 'active', value: null });
    expect(await json('tokens', 'get', id, '--secrets')).toMatchObject(
      expect.objectContaining({ value: expect.any(String) }),
    );
    expect(await json('tokens', 'revoke', id)).toMatchObject({ id, state: 'revoked' });
    expect((await callCli(['tokens'])).stdout).toMatch(/^ID +KIND +STATE +CLIENT +USER +EXPIRES\n/);
    const { lineage_id } = minted;
    expect(await json('lineages', 'get', lineage_id)).toMatchObject({ lineage_id });
    expect(await json('lineages', 'revoke', lineage_id)).toHaveProperty('revoked_at');
  });

  test('behaviour 9.6: devices: opened, listed, approved, denied', async () => {
    const grant = 'urn:ietf:params:oauth:grant-type:device_code';
    await json('clients', 'set', 'demo-app', `grant_types=["${grant}"]`);
    const open = () => json<{ user_code: string }>('devices', 'add', '--client-id', 'demo-app');
    const [first, second] = [await open(), await open()];
    const { stdout } = await callCli(['devices', '--state', 'pending']);
    expect(stdout).toMatch(/^USER CODE +STATE +CLIENT +USER +SCOPE +POLLS +EXPIRES\n/);
    const typed = first.user_code.toLowerCase().replace('-', '');
    const approved = await json('devices', 'approve', typed, '--sub', 'ada');
    expect(approved).toMatchObject({ user_code: first.user_code, state: 'approved', sub: 'ada' });
    expect(await json('devices', 'deny', second.user_code)).toMatchObject({ state: 'denied' });
    const again = await callCli(['devices', 'deny', first.user_code]);
    expect(again.code).not.toBe(0);
    expect(again.stderr).toMatch(/is approved, no longer pending/);
  });

  test('settings: read, changed by members, rejected with the invalid member', async () => {
    expect(await json('settings')).toMatchObject({ profile: 'documented' });
    const changed = await json('settings', 'set', 'profile=interop', 'throttle.limit=7');
    expect(changed).toMatchObject({ profile: 'interop', throttle: { limit: 7 } });
    const wrong = await callCli(['settings', 'set', 'throttle.limit=0']);
    expect(wrong).toMatchObject({ code: 3, stdout: '' });
    expect(wrong.stderr).toMatch(/^settings\.throttle\.limit .*\(invalid\)\.\n$/);
    expect((await callCli(['settings', 'set'])).stderr).toMatch(/^Nothing to change/);
  });

  test('a key is never given another value', async () => {
    const { code, stderr } = await callCli(['users', 'set', 'ada', 'sub=eve']);
    expect([code, stderr]).toEqual([2, 'sub is given twice: ada and eve.\n']);
  });

  test('behaviour 18.3: client-checks: what the app shows is recorded', async () => {
    await json('client-checks', 'start', '--case', 'authorization-error-iss-other');
    expect(await json('client-checks', 'set', '--shown')).toMatchObject({ shown: true });
    expect(await json('client-checks', 'set', 'shown=false')).toMatchObject({ shown: false });
    const ended = await json('client-checks', 'end', '--login', 'unknown', 'login_tells=false');
    expect(ended).toMatchObject({ result: 'not_reached' });
  });

  test('a list that was cut or filtered says so, and shows the totals that come with it', async () => {
    await json('tokens', 'mint', '--client-id', 'demo-app');
    const first = await callCli(['tokens', '--limit', '1', '--json']);
    const [, next = ''] =
      /^There are more\. Continue with --after (\S+)\.\n$/.exec(first.stderr) ?? [];
    const second = await json<object[]>('tokens', '--limit', '1', '--after', next);
    expect([JSON.parse(first.stdout), second]).not.toEqual([second, second]);
    const none = await callCli(['tokens', '--client-id', 'nobody']);
    expect(none).toEqual({ code: 0, stdout: 'No matching records.\n', stderr: '' });
    const counted = ['tokens', '--live-counts', '--limit', '1'];
    const live = /^live +\[\{"client_id":"demo-app","codes":/m;
    expect((await callCli(counted)).stdout).toMatch(live);
    const { stdout, stderr } = await callCli([...counted, '--json']);
    expect(JSON.parse(stdout)).toHaveLength(1);
    expect(stderr).toMatch(live);
  });

  test('server: its state is read; advisories: what is redundant is listed', async () => {
    expect(await json('server')).toMatchObject({ state: 'running', issuer: ready.issuer });
    const tokens = await json<{ refresh_token: string }>('token');
    await callCli(['refresh', tokens.refresh_token]);
    const { stdout, stderr } = await callCli(['advisories', '--client-id', 'demo-app', '--json']);
    expect(JSON.parse(stdout)).toHaveLength(1);
    expect(stderr).toMatch(/^clients +\[\{"client_id":"demo-app","over_fetch":1,/);
    expect((await callCli(['advisories', '--limit', 'x'])).stderr).toMatch(/It must be a number/);
  });
});

describe('traffic', () => {
  test('behaviour 13.1: lists, explains, and writes HAR without secrets', async () => {
    await exchange(ready, 'unknown-code');
    const { stdout } = await callCli(['traffic']);
    expect(stdout).toMatch(/^TIME +# +STATUS +MS +REQUEST +GRANT +CLIENT +SENT BY +WHY\n/);
    expect(stdout).toMatch(
      / \d+ +400 +[\d.]+ +POST \/oauth\/token +code +demo-app +app +invalid_grant; \S/,
    );
    expect(stdout).not.toContain('\u001b[');
    const [newest] = await json<{ number: number }[]>('traffic', '--limit', '1');
    const number = String(newest?.number);
    const explained = await callCli(['traffic', '--explain', number]);
    expect(explained.stdout).toMatch(/^Exchange \d+: POST \/oauth\/token got 400 invalid_grant/);
    expect(explained.stdout).toMatch(/^FAILED {2}The code is known/m);
    await callCli(['token']);
    const senders = async (who: string) =>
      (await json<{ sent_by: string }[]>('traffic', '--sent-by', who)).map(
        ({ sent_by }) => sent_by,
      );
    expect(await senders('app')).toEqual(['app']);
    expect(await senders('command_line')).toEqual(['command_line']);
    const har = at('traffic.har');
    expect((await callCli(['traffic', '--har', har, '--sent-by', 'app'])).stderr).toBe(
      `Wrote 1 exchange to ${har}.\n`,
    );
    const text = readFileSync(har, 'utf8');
    expect(JSON.parse(text)).toMatchObject({ log: { version: '1.2' } });
    for (const secret of [DEMO.client_secret, 'unknown-code']) expect(text).not.toContain(secret);
    expect(await callCli(['traffic', '--explain', '9999'])).toMatchObject({ code: 3, stdout: '' });
    expect(await callCli(['traffic', '--status', '418'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No matching requests.\n',
    });
  });

  test.each([
    [['--limit', '1001'], 'It must be a whole number from 1 to 1000.'],
    [['--explain', '1', '--follow'], "'--explain <number>' cannot be used with option"],
    [['--har', '-', '--limit', '5'], "'--har <file>' cannot be used with option"],
    [['--har', '-', '--json'], "'--har <file>' cannot be used with option"],
  ])('%j is rejected, because it would be ignored', async (flags, words) => {
    const { code, stdout, stderr } = await callCli(['traffic', ...flags]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
  });

  test.each(['--limit 5', '--client-id a', '--status 400', '--error a', '--sent-by app'])(
    '--explain is rejected with %s',
    async (flag) => {
      const { code, stderr } = await callCli(['traffic', '--explain', '1', ...flag.split(' ')]);
      expect(code).toBe(2);
      expect(stderr).toMatch(/'--explain <number>' cannot be used with option/);
    },
  );

  test.each([[[]], [['--json']], [['--follow']], [['--explain', '1']]])(
    '--secrets has no effect with %j, and is rejected',
    async (flags) => {
      const { code, stderr } = await callCli(['traffic', '--secrets', ...flags]);
      expect(code).toBe(2);
      expect(stderr).toContain('--secrets needs --har <file>, or --explain <number> with --json.');
    },
  );

  test.runIf(existsSync('/dev/full'))(
    'a full disk: exit code 1, one line, nothing lost',
    async () => {
      const device = await callCli(['traffic', '--har', '/dev/full']);
      const output = await callCli(['workspace', 'export', at('no-such-folder', 'x.json')]);
      expect(device).toMatchObject({ code: 1, stdout: '' });
      expect(device.stderr).toMatch(/^Cannot write \/dev\/full: ENOSPC[^\n]*\n$/);
      expect(output).toMatchObject({ code: 1, stdout: '' });
      expect(readdirSync(at()).filter((name) => name.includes('.tmp-'))).toEqual([]);
    },
  );
});

test('clock set names the one rule that a time breaks', async () => {
  const { code, stderr } = await callCli(['clock', 'set', 'tomorrow']);
  expect([code, stderr]).toEqual([
    3,
    'now must be a time with an offset, such as 2026-01-31T12:00:00Z (RFC 3339) (invalid).\n',
  ]);
});

test('a list is read to its end, such as for the client that was registered first', async () => {
  const pages = new Map([
    [undefined, { items: [3, 2], next: 'second' }],
    ['second', { items: [1], next: null }],
  ]);
  const list = ({ after }: { after?: string }) => Promise.resolve(pages.get(after)!);
  expect(await readAll(list)).toEqual([3, 2, 1]);
});

describe('workspace', () => {
  test('validate reports all problems at once, each with its path and position', async () => {
    const bad = file(
      'bad.json',
      '{"version": 1, "name": 3,\n  "users": [{"sub": ""}], "extra": 1}',
    );
    const { code, stderr } = await callCli(['workspace', 'validate', bad]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${bad}:1:16: name must be a string\n`);
    expect(stderr).toContain(`${bad}:2:14: users[0].sub `);
    expect(stderr).toMatch(/:2:\d+: extra is not a known member\n/);
    expect(stderr).toMatch(/is not a workspace: 3 problems\.\n$/);
    const refused = await callCli(['workspace', 'import', bad]);
    expect(refused).toMatchObject({ code: 2, stderr });
  });

  test('an exported workspace is valid and can be imported again', async () => {
    const out = at('team.json');
    await json('users', 'add', 'grace');
    expect((await callCli(['workspace', 'export', out])).code).toBe(0);
    expect((await callCli(['workspace', 'validate', out])).code).toBe(0);
    await callCli(['users', 'remove', 'grace']);
    const imported = await callCli(['workspace', 'import', out]);
    expect(imported.code).toBe(0);
    expect(imported.stderr).toMatch(/ is kept among the last 10\. To restore it: /);
    expect(await json('users', 'get', 'grace')).toMatchObject({ sub: 'grace' });
    expect((await callCli(['workspace', 'restore', 'nope'])).code).toBe(3);
    expect((await callCli(['workspace', 'restore', '99'])).code).toBe(3);
    const again = await callCli(['workspace', 'import', out]);
    expect(again.code).toBe(0);
    expect(again.stderr, 'nothing was replaced').toMatch(/^Imported [^\n]+\n$/);
  });
});
