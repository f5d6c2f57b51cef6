// What each action calls over control, what it sends, and which variables it leaves to later steps: in a sandbox that
// records its calls.

import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { createProofKey } from '../../src/oauth/dpop.ts';
import {
  composeStep,
  neededBy,
  performStep,
  titleOf,
  variablesOf,
} from '../../src/scenario/actions/index.ts';
import { actionOf, withParties } from '../../src/scenario/actions/names.ts';
import { atServer } from '../../src/scenario/actions/request.ts';
import { createVariables } from '../../src/scenario/actions/variables.ts';
import { createAssertionKeys } from '../../src/scenario/runner/assertion-keys.ts';
import { createRun, forkRun } from '../../src/scenario/runner/create-run.ts';
import {
  answeredBy,
  sendOverControl,
  sendRequestOf,
} from '../../src/scenario/runner/over-control.ts';
import type { HttpAnswer, WireRequest } from '../../src/scenario/runner/scenario-sandbox.ts';
import { serverPathsOf } from '../../src/scenario/server-paths.ts';
import { composing, sentExactly } from '../support/composing.ts';
import { client, REDIRECT_URI } from '../support/core.ts';
import { exchangeOf } from '../support/exchanges.ts';
import { ISSUER, type Recorded, recordedSandbox } from '../support/recorded-sandbox.ts';

const FORM = 'application/x-www-form-urlencoded';

/** A run in a sandbox that records its calls. */
function start(recorded: Recorded = {}) {
  const { sandbox, calls, sent } = recordedSandbox(recorded);
  const run = createRun(sandbox);
  return { run, calls, sent, perform: (step: object) => performStep(step, run) };
}

const fieldsOf = ({ body = '' }: WireRequest) =>
  Object.fromEntries(new URLSearchParams(body as string));

describe('issue_code', () => {
  const issued = { onCall: () => ({ code: 'the-code', redirect_to: 'there' }) };

  it('issues a code of the first client for its first redirect URI and the issuer', async () => {
    const { run, calls, perform } = start(issued);
    const answer = await perform({ issue_code: {} });
    expect(calls).toEqual([
      ['codes.create', { client_id: 'demo-app', redirect_uri: REDIRECT_URI, audience: ISSUER }],
    ]);
    expect(answer?.body).toEqual({ code: 'the-code', redirect_to: 'there' });
    expect(run.variables.filled(['{{code}}', '{{redirect_uri}}', '{{audience}}'])).toEqual([
      'the-code',
      REDIRECT_URI,
      ISSUER,
    ]);
    expect(run.variables.has('code_verifier')).toBe(false);
  });

  it('sends what the step names, with a challenge, and keeps its verifier', async () => {
    const { run, calls, perform } = start(issued);
    await perform({
      issue_code: {
        client: 'admin',
        user: 'bob',
        redirect_uri: '{{client.redirect_uri}}/x',
        audience: null,
        scope: 'openid',
        nonce: 'n',
        code_expires_in: 5,
        pkce: 'plain',
      },
    });
    const [[, order] = []] = calls;
    const verifier = run.variables.filled('{{code_verifier}}');
    expect(order).toEqual({
      client_id: 'admin',
      sub: 'bob',
      redirect_uri: `${REDIRECT_URI}/x`,
      scope: 'openid',
      nonce: 'n',
      code_expires_in: 5,
      code_challenge: verifier,
      code_challenge_method: 'plain',
    });
    // A code without an audience is for the issuer.
    expect(run.variables.filled('{{audience}}')).toBe(ISSUER);
  });

  it('each code is redeemed with its own values, and then the newest is the default again', async () => {
    let count = 0;
    const onCall = (name: string) => (name === 'codes.create' ? { code: `code-${++count}` } : {});
    const { run, sent, perform } = start({ onCall });
    await perform({ issue_code: { pkce: 'S256' } });
    const first = run.variables.filled('{{code_verifier}}');
    await perform({ issue_code: { pkce: 'S256', redirect_uri: `${REDIRECT_URI}/2` } });
    const second = run.variables.filled('{{code_verifier}}');
    expect(second).not.toBe(first);
    const redeem = async (code?: string) => {
      const fields = code === undefined ? {} : { fields: { code } };
      await perform({ token: { grant: 'authorization_code', ...fields } });
      const members = JSON.parse(sent.at(-1)?.body as string) as Record<string, unknown>;
      return [members['code'], members['redirect_uri'], members['code_verifier']];
    };
    expect(await redeem('code-1')).toEqual(['code-1', REDIRECT_URI, first]);
    expect(await redeem()).toEqual(['code-2', `${REDIRECT_URI}/2`, second]);
    await perform({ issue_code: {} });
    expect(await redeem('code-2')).toEqual(['code-2', `${REDIRECT_URI}/2`, second]);
    expect(await redeem()).toEqual(['code-3', REDIRECT_URI, undefined]);
    expect(await redeem('another')).toEqual(['another', REDIRECT_URI, undefined]);
  });
});

describe('token', () => {
  const credentials = { client_id: 'demo-app', client_secret: 'demo-secret' };

  it('sends a form with the credentials in the body, below the path of the issuer', async () => {
    const { run, sent, perform } = start({
      responses: [{ text: '{"access_token":"a","refresh_token":"r","id_token":5}' }],
    });
    await perform({ token: { grant: 'client_credentials' } });
    const [request] = sent;
    expect(request).toMatchObject({ method: 'POST', path: '/tenant/oauth/token' });
    expect(request?.headers).toEqual([
      ['Content-Type', FORM],
      ['Accept', 'application/json'],
    ]);
    expect(request && fieldsOf(request)).toEqual({
      ...credentials,
      grant_type: 'client_credentials',
      audience: ISSUER,
    });
    expect(run.variables.filled(['{{access_token}}', '{{refresh_token}}'])).toEqual(['a', 'r']);
    expect(run.variables.has('id_token')).toBe(false);
  });

  it('sends the credentials of another client in the header', async () => {
    const { sent, perform } = start();
    const more = { client: 'admin', client_auth: 'basic', format: 'json' };
    await perform({ token: { grant: 'client_credentials', ...more } });
    expect(sent[0]?.headers).toEqual([
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json'],
      ['Authorization', `Basic ${btoa('admin:admin-secret')}`],
    ]);
    expect(JSON.parse(sent[0]?.body as string)).toEqual({
      grant_type: 'client_credentials',
      audience: ISSUER,
    });
  });

  it('replaces, adds, repeats and omits fields, parameters and headers', async () => {
    const { sent, perform } = start();
    await perform({
      token: {
        grant: 'client_credentials',
        client_auth: 'none',
        fields: { audience: null, scope: ['a', 'b'], grant_type: '{{issuer}}' },
        query: { x: ['1', '{{client.client_id}}'], y: null },
        headers: { accept: 'text/plain', 'x-request-id': '{{user.sub}}' },
      },
    });
    expect(sent[0]).toEqual({
      method: 'POST',
      path: '/tenant/oauth/token?x=1&x=demo-app',
      headers: [
        ['Content-Type', FORM],
        ['Accept', 'text/plain'],
        ['X-Request-Id', 'ada'],
      ],
      body: new URLSearchParams([
        ['scope', 'a'],
        ['scope', 'b'],
        ['grant_type', ISSUER],
      ]).toString(),
    });
  });

  it('sends the name and password of the user with the grant password', async () => {
    const { sent, perform } = start();
    await perform({ token: { grant: 'password' } });
    await perform({ token: { grant: 'password', user: 'bob' } });
    expect(sent.map(fieldsOf)).toEqual([
      { ...credentials, grant_type: 'password', username: 'ada', password: 'lovelace' },
      { ...credentials, grant_type: 'password', username: 'bob' },
    ]);
  });

  it('sends no credentials of a client or user that the sandbox does not have', async () => {
    const { sent, perform } = start();
    await perform({ token: { grant: 'password', client: 'unknown', user: 'unknown' } });
    expect(sent.map(fieldsOf)).toEqual([{ grant_type: 'password' }]);
  });

  it.each([
    ['authorization_code', 'code', 'issue_code'],
    ['refresh_token', 'refresh_token', 'issue_tokens'],
    ['urn:ietf:params:oauth:grant-type:token-exchange', 'subject_token', 'issue_tokens'],
    ['urn:ietf:params:oauth:grant-type:device_code', 'device_code', 'authorize_device'],
    ['urn:ietf:params:oauth:grant-type:jwt-bearer', 'assertion', 'sign_assertion'],
  ])('needs, with the grant %s, the field %s that %s provides', (grant, field, provider) => {
    expect(neededBy({ token: { grant } })).toMatchObject({
      field,
      provided_by: `{"${provider}": {}}`,
    });
    expect(neededBy({ token: { grant, fields: { other: 'x' } } })).not.toBeNull();
    expect(neededBy({ token: { grant, fields: { [field]: 'x' } } })).toBeNull();
  });

  it.each(['client_credentials', 'toString', 5, undefined])(
    'needs nothing with the grant %j',
    (grant) => {
      expect(neededBy({ token: { grant } })).toBeNull();
    },
  );
});

describe('authorize', () => {
  const queryOf = ({ path }: WireRequest) => Object.fromEntries(new URL(path, ISSUER).searchParams);
  const approved: Partial<HttpAnswer> = {
    status: 302,
    headers: { location: `${REDIRECT_URI}?code=granted&state=scenario` },
  };
  const USUAL = {
    response_type: 'code',
    client_id: 'demo-app',
    redirect_uri: REDIRECT_URI,
    audience: ISSUER,
    state: 'scenario',
  };

  it('sends the parameters of a correct client, and keeps the code', async () => {
    const { run, calls, sent, perform } = start({ responses: [approved] });
    const answer = await perform({ authorize: {} });
    expect(sent).toHaveLength(1);
    expect(calls).toEqual([]);
    expect(sent[0]).toMatchObject({ method: 'GET', headers: [['Accept', 'text/html']] });
    expect(sent[0]?.path).toMatch(/^\/tenant\/authorize\?/);
    expect(sent[0] && queryOf(sent[0])).toEqual(USUAL);
    expect(answer?.redirect).toEqual({ code: 'granted', state: 'scenario' });
    expect(run.variables.filled(['{{code}}', '{{redirect_uri}}', '{{audience}}'])).toEqual([
      'granted',
      REDIRECT_URI,
      ISSUER,
    ]);
  });

  it('names the user as login_hint, and binds the code to the key of the run', async () => {
    const { run, sent, perform } = start({ responses: [approved] });
    await perform({ authorize: { user: 'bob', dpop: true, parameters: { state: null } } });
    const { state: _state, ...usual } = USUAL;
    expect(sent[0] && queryOf(sent[0])).toEqual({
      ...usual,
      login_hint: 'bob',
      dpop_jkt: run.variables.filled('{{dpop_jkt}}'),
    });
  });

  it('keeps the code of an earlier step, with its values, if the response has none', async () => {
    const rejected = { status: 302, headers: { location: `${REDIRECT_URI}?error=access_denied` } };
    const { run, perform } = start({ onCall: () => ({ code: 'earlier' }), responses: [rejected] });
    await perform({ issue_code: { redirect_uri: `${REDIRECT_URI}/2` } });
    expect((await perform({ authorize: {} }))?.error).toBe('access_denied');
    expect(run.variables.filled(['{{code}}', '{{redirect_uri}}'])).toEqual([
      'earlier',
      `${REDIRECT_URI}/2`,
    ]);
    expect([...run.codes.keys()]).toEqual(['earlier']);
  });

  it('accepts a response whose exchange was not recorded', async () => {
    const onCall = () => ({ items: [] });
    const { perform } = start({ onCall, responses: [{ ...approved, exchange: null }] });
    expect((await perform({ authorize: {} }))?.redirect?.['code']).toBe('granted');
  });

  it.each([
    ['HS256', 'HS256'],
    ['ES256', 'ES256'],
    [undefined, 'ES256'],
  ] as const)('signs a request object of a client for %s with %s', async (registered, alg) => {
    const { alg: keyAlg, sign } = await createProofKey();
    const asked: string[] = [];
    const assertionKey = (client_id: string) => {
      asked.push(client_id);
      return Promise.resolve({ alg: keyAlg, kid: 'k', sign });
    };
    const clients = [
      client({
        client_secret: 's'.repeat(32),
        ...(registered && { request_object_signing_alg: registered }),
      }),
    ];
    const onCall = () => ({ now: '2030-01-01T00:00:00Z' });
    const { sent, perform } = start({ onCall, sandbox: { clients, assertionKey } });
    await perform({ authorize: { request_object: {} } });
    const { request, ...outside } = sent[0] ? queryOf(sent[0]) : {};
    expect(outside).toEqual({ client_id: 'demo-app', response_type: 'code' });
    expect(decodeProtectedHeader(request ?? '').alg).toBe(alg);
    expect(decodeJwt(request ?? '')).toMatchObject({ state: 'scenario', aud: ISSUER });
    expect(asked).toEqual(alg === 'HS256' ? [] : ['demo-app']);
  });

  const reference = { status: 201, text: '{"request_uri":"urn:pushed"}' };

  it('pushes the parameters with the credentials, and then sends only the reference', async () => {
    const { sent, perform } = start({ responses: [reference, approved] });
    await perform({ authorize: { push: true } });
    const [pushed, asked] = sent;
    expect(pushed).toMatchObject({ method: 'POST', path: '/tenant/oauth/par' });
    expect(pushed?.headers).toEqual([
      ['Content-Type', FORM],
      ['Accept', 'application/json'],
    ]);
    expect(pushed && fieldsOf(pushed)).toEqual({ ...USUAL, client_secret: 'demo-secret' });
    expect(asked && queryOf(asked)).toEqual({ client_id: 'demo-app', request_uri: 'urn:pushed' });
  });

  it('pushes with the credentials in the header, and a proof instead of dpop_jkt', async () => {
    const onCall = () => ({ now: '2030-01-01T00:00:00Z' });
    const { sent, perform } = start({ onCall, responses: [reference, approved] });
    await perform({ authorize: { push: true, client_auth: 'basic', dpop: true } });
    expect(sent[0]?.headers.map(([name]) => name)).toEqual([
      'Content-Type',
      'Accept',
      'Authorization',
      'DPoP',
    ]);
    expect(sent[0]?.headers[2]?.[1]).toBe(`Basic ${btoa('demo-app:demo-secret')}`);
    expect(sent[0] && fieldsOf(sent[0])).toEqual(USUAL);
  });

  it.each([
    [{ status: 400, text: '{"error":"invalid_request"}' }],
    [{ status: 201, text: '{"request_uri":5}' }],
    [{ status: 200, text: '{"request_uri":"urn:pushed"}' }],
  ])('ends with the response to the push if it is %j', async (response) => {
    const { run, sent, perform } = start({ responses: [response] });
    expect((await perform({ authorize: { push: true } }))?.status).toBe(response.status);
    expect(sent).toHaveLength(1);
    expect(run.variables.has('code')).toBe(false);
  });

  describe('on the sign-in page', () => {
    const sign_in = { form: 'f', scopes: ['openid'], authentication: 'none', one_time_code: null };
    const shown = (members: object = {}) => {
      const exchange = exchangeOf({
        number: 9,
        sign_in: { ...sign_in, ...members } as never,
        response: {
          headers: [
            ['Set-Cookie', 'b=1; Path=/'],
            ['Content-Type', 'text/html; charset=utf-8'],
          ],
        },
      });
      return {
        onCall: (name: string) => (name === 'exchanges.get' ? exchange : {}),
        responses: [{ exchange, headers: { 'content-type': 'text/html' } }, approved, approved],
      };
    };
    const forms = (sent: readonly WireRequest[]) => sent.slice(1).map(fieldsOf);
    const APPROVAL = { grantbench_form: 'f', sub: 'ada', scope: 'openid', decision: 'approve' };
    const cookiesIn = (sent: readonly WireRequest[]) =>
      sent.slice(1).map(({ headers }) => headers.find(([name]) => name === 'Cookie')?.[1]);

    it('reads the form with its secrets, and approves as the first user', async () => {
      const { calls, sent, perform } = start(shown());
      const answer = await perform({ authorize: {} });
      expect(calls).toEqual([['exchanges.get', { number: 9, secrets: true }]]);
      expect(sent[1]).toMatchObject({ method: 'POST', path: '/tenant/authorize' });
      expect(forms(sent)).toEqual([APPROVAL]);
      expect(cookiesIn(sent)).toEqual(['b=1']);
      expect(answer?.status).toBe(302);
    });

    it.each([
      ['approve_twice', [APPROVAL, APPROVAL]],
      ['deny', [{ grantbench_form: 'f', decision: 'deny' }]],
      ['login_required', [{ grantbench_form: 'f', decision: 'login_required' }]],
      ['server_error', [{ grantbench_form: 'f', decision: 'server_error' }]],
      ['temporarily_unavailable', [{ grantbench_form: 'f', decision: 'temporarily_unavailable' }]],
      ['stop', []],
    ])('with %s sends %j', async (decision, expected) => {
      const { sent, perform } = start(shown());
      await perform({ authorize: { sign_in: decision } });
      expect(forms(sent)).toEqual(expected);
    });

    it('sends no cookie with approve_without_cookie', async () => {
      const { sent, perform } = start(shown());
      await perform({ authorize: { sign_in: 'approve_without_cookie' } });
      expect(cookiesIn(sent)).toEqual(['']);
    });

    const asked = { authentication: 'password_and_code', one_time_code: '123456' };

    it.each([
      ['approve', { password: 'lovelace', one_time_code: '123456' }],
      ['wrong_password', { password: 'not lovelace', one_time_code: '123456' }],
      ['wrong_code', { password: 'lovelace', one_time_code: 'wrong' }],
    ])('with %s enters %j if the page asks', async (decision, entered) => {
      const { sent, perform } = start(shown(asked));
      await perform({ authorize: { sign_in: decision } });
      expect(forms(sent)).toEqual([{ ...APPROVAL, ...entered }]);
    });

    it('asks for a password that it does not know, and enters none if the user has none', async () => {
      const askedFor: string[] = [];
      const passwordOf = (sub: string) => {
        askedFor.push(sub);
        return Promise.resolve(sub === 'bob' ? 'builder' : null);
      };
      const known = start({ ...shown(asked), sandbox: { passwordOf } });
      await known.perform({ authorize: { user: 'bob' } });
      const none = start({ ...shown(asked), sandbox: { passwordOf } });
      await none.perform({ authorize: { user: 'eve', sign_in: 'wrong_password' } });
      expect(askedFor).toEqual(['bob', 'eve']);
      expect(forms(known.sent)[0]).toMatchObject({ sub: 'bob', password: 'builder' });
      expect(forms(none.sent)[0]).toMatchObject({ sub: 'eve', password: 'not ' });
    });

    it('asks for no password if the page does not, and names no user if there is none', async () => {
      const passwordOf = () => Promise.reject(new Error('asked'));
      const { sent, perform } = start({ ...shown(), sandbox: { users: [], passwordOf } });
      await perform({ authorize: {} });
      expect(forms(sent)).toEqual([{ ...APPROVAL, sub: '' }]);
    });

    it('replaces claims of the user in this sign-in', async () => {
      const { sent, perform } = start(shown());
      await perform({ authorize: { claims: { email: '{{user.sub}}@example.com' } } });
      expect(forms(sent)).toEqual([{ ...APPROVAL, claims: '{"email":"ada@example.com"}' }]);
    });
  });
});

describe('a step with a proof', () => {
  const now = () => ({ now: '2030-01-01T00:00:00Z' });

  it.each([
    [true, true],
    [{}, true],
    [{ claims: { jti: 'j' } }, true],
    [{ key: 'other' }, false],
    [{ key: 'other', claims: {} }, false],
  ])('with dpop %j provides the thumbprint of the key of the run: %j', async (dpop, provided) => {
    const { run, perform } = start({ onCall: now });
    await perform({ request: { path: '/', dpop } });
    expect(run.variables.has('dpop_jkt')).toBe(provided);
  });

  it('that replays provides no thumbprint, and needs an earlier proof', async () => {
    const { run, perform } = start({ onCall: now });
    const replay = { request: { path: '/', dpop: { replay: true } } };
    await expect(perform(replay)).rejects.toThrow(
      expect.objectContaining({
        name: 'MissingValueError',
        message: 'no DPoP proof was sent before',
      }) as Error,
    );
    expect(run.variables.has('dpop_jkt')).toBe(false);
  });

  it('passes on an error of the connection', async () => {
    const lost = new Error('lost');
    const { perform } = start({ onCall: now, sandbox: { send: () => Promise.reject(lost) } });
    await expect(perform({ request: { path: '/', dpop: true } })).rejects.toBe(lost);
  });
});

describe('request', () => {
  const composed = (request: object) => composeStep({ request } as { request: never }, composing());

  it('has no body unless one is given, and adds no Content-Type beside another header', () => {
    expect(composed({ path: '/' })).toStrictEqual({ method: 'GET', path: '/', headers: [] });
    const headers = [
      ['content-type', 'text/plain'],
      ['x-a', '1'],
    ];
    expect(composed({ path: '/', json: { a: 1 }, headers })).toStrictEqual({
      method: 'POST',
      path: '/',
      headers,
      body: '{"a":1}',
    });
    expect(composed({ path: '/', json: 1, headers: { 'x-a': '1' } })?.headers).toEqual([
      ['Content-Type', 'application/json'],
      ['X-A', '1'],
    ]);
    const bare = { method: 'GET', path: '/', headers: [] };
    expect(sentExactly(bare)).toStrictEqual(bare);
  });

  it('sends a variable that is no text as JSON, in a header, a form, a query and a text', async () => {
    const { run, perform, sent } = start();
    run.variables.set('n', 5);
    run.variables.set('o', { a: [1] });
    const values = { n: '{{n}}', o: '{{o}}' };
    await perform({ request: { path: '/', headers: values, query: values, form: values } });
    await perform({ request: { path: '/', headers: Object.entries(values), text: '{{n}}' } });
    const encoded = 'n=5&o=%7B%22a%22%3A%5B1%5D%7D';
    const [byName, inPairs] = sent;
    expect(byName).toMatchObject({ path: `/?${encoded}`, body: encoded });
    expect(byName?.headers).toEqual(expect.arrayContaining([['O', '{"a":[1]}']]));
    expect(inPairs).toMatchObject({
      headers: [
        ['n', '5'],
        ['o', '{"a":[1]}'],
      ],
      body: '5',
    });
  });

  it('below the issuer begins with its path, once', () => {
    const serverPath = serverPathsOf({ issuer: 'https://login.example/tenant' });
    expect(serverPath('/userinfo')).toBe('/tenant/userinfo');
    expect(serverPath('/tenant/userinfo')).toBe('/tenant/userinfo');
    expect(serverPath('/tenants')).toBe('/tenant/tenants');
    expect(serverPathsOf({ issuer: 'https://login.example' })('/userinfo')).toBe('/userinfo');
    const request = { path: '/userinfo' };
    expect(atServer({ request }, { serverPath })).toEqual({
      request: { path: '/tenant/userinfo' },
    });
    expect(atServer({}, { serverPath })).toEqual({});
  });

  it('to an endpoint goes to the address that the sandbox has for it, with its query', () => {
    const serverPath = serverPathsOf({
      issuer: 'https://login.example/t1/v2.0',
      endpoints: {
        token: 'https://login.example/t1/oauth2/v2.0/token',
        authorization: 'https://login.example/t1/oauth2/v2.0/authorize',
      },
    });
    expect(serverPath('/oauth/token')).toBe('/t1/oauth2/v2.0/token');
    expect(serverPath('/authorize?a=/oauth/token')).toBe(
      '/t1/oauth2/v2.0/authorize?a=/oauth/token',
    );
    expect(serverPath('/t1/oauth2/v2.0/token')).toBe('/t1/oauth2/v2.0/token');
    expect(serverPath('/userinfo')).toBe('/t1/v2.0/userinfo');
  });

  it('of an action that sends none, or several, is not composed', () => {
    expect(composeStep({ clock: {} }, composing())).toBeNull();
    expect(composeStep({ authorize: {} }, composing())).toBeNull();
  });
});

describe('a device', () => {
  it('requests its codes with the credentials of the client', async () => {
    const { run, sent, perform } = start({
      responses: [{ text: '{"device_code":"d","user_code":"u"}' }, {}],
    });
    await perform({ authorize_device: { fields: { scope: 'openid' } } });
    const more = { client_auth: 'basic', fields: { audience: null }, headers: { 'x-a': '1' } };
    await perform({ authorize_device: { client: 'admin', ...more } });
    expect(sent.map(({ path }) => path)).toEqual(
      Array(2).fill('/tenant/oauth/device_authorization'),
    );
    expect(sent.map(fieldsOf)).toEqual([
      {
        client_id: 'demo-app',
        client_secret: 'demo-secret',
        audience: ISSUER,
        scope: 'openid',
      },
      {},
    ]);
    expect(sent[1]?.headers.slice(2)).toEqual([
      ['Authorization', `Basic ${btoa('admin:admin-secret')}`],
      ['X-A', '1'],
    ]);
    expect(run.variables.filled(['{{device_code}}', '{{user_code}}'])).toEqual(['d', 'u']);
  });

  it('is approved or denied over control by its user code', async () => {
    const { run, calls, perform } = start();
    run.variables.set('user_code', 'u');
    await perform({ approve_device: {} });
    await perform({ approve_device: { user: 'bob', user_code: 'x', scope: '{{issuer}}' } });
    await perform({ deny_device: {} });
    await perform({ deny_device: { user_code: 'y' } });
    expect(calls).toEqual([
      ['devices.approve', { id: 'u' }],
      ['devices.approve', { id: 'x', sub: 'bob', scope: ISSUER }],
      ['devices.deny', { id: 'u' }],
      ['devices.deny', { id: 'y' }],
    ]);
  });
});

describe('credentials over control', () => {
  const found = (items: readonly object[]) => (name: string) =>
    name === 'tokens.list' ? { items } : {};

  it('issue_tokens keeps the tokens', async () => {
    const { run, calls, perform } = start({ onCall: () => ({ access_token: 'a' }) });
    const answer = await perform({ issue_tokens: { user: 'bob', client: 'admin', scope: 's' } });
    expect(calls).toEqual([['tokens.mint', { client_id: 'admin', sub: 'bob', scope: 's' }]]);
    expect(answer?.body).toEqual({ access_token: 'a' });
    expect(run.variables.filled('{{access_token}}')).toBe('a');
  });

  it.each(['revoke', 'expire'])('%s finds the credential by its value', async (action) => {
    const { run, calls, perform } = start({ onCall: found([{ id: 'i' }]) });
    run.variables.set('access_token', 'a');
    expect(await perform({ [action]: '{{access_token}}' })).toBeNull();
    expect(calls).toEqual([
      ['tokens.list', { text: 'a', limit: 1 }],
      [`tokens.${action}`, { id: 'i' }],
    ]);
  });

  it('revoke reports that nothing has the value', async () => {
    const { perform } = start({ onCall: found([]) });
    await expect(perform({ revoke: 'x' })).rejects.toThrow(
      'no code or token has this value, so there is nothing to revoke',
    );
  });

  it('expire expires a device, reports that nothing has the value, and passes other errors on', async () => {
    const failing = (error: unknown) => (name: string) => {
      if (name === 'devices.expire') throw error;
      return { items: [] };
    };
    const device = start({ onCall: found([]) });
    await device.perform({ expire: 'u' });
    expect(device.calls.at(-1)).toEqual(['devices.expire', { id: 'u' }]);
    const unknown = start({
      onCall: failing(Object.assign(new Error('none'), { code: 'not_found' })),
    });
    await expect(unknown.perform({ expire: 'x' })).rejects.toThrow(
      'no code or token has this value, so there is nothing to expire',
    );
    const others = [
      new Error('lost'),
      Object.assign(new Error('lost'), { code: 'other' }),
      { code: 'not_found' },
    ];
    for (const error of others) {
      const lost = start({ onCall: failing(error) });
      await expect(lost.perform({ expire: 'x' })).rejects.toBe(error);
    }
  });
});

describe('the sandbox', () => {
  it('has its clock changed, and a fault added by preset or by rule', async () => {
    const { calls, perform } = start();
    expect(await perform({ clock: { advance_seconds: 5, now: undefined } })).toBeNull();
    expect(await perform({ fault: 'slow' })).toBeNull();
    await perform({ fault: { name: 'of {{client.client_id}}', effect: { status: 500 } } });
    expect(calls).toEqual([
      ['clock.update', { advance_seconds: 5 }],
      ['faults.create', { preset: 'slow' }],
      ['faults.create', { name: 'of demo-app', effect: { status: 500 } }],
    ]);
  });

  it('holds requests until all have arrived, changes the clock, and releases them', async () => {
    const released: unknown[] = [];
    let ended = (): void => undefined;
    const all = new Promise<void>((resolve) => (ended = resolve));
    const [one, two] = [{ number: 1 }, { number: 2 }];
    async function* events() {
      await Promise.resolve();
      yield { held: [] };
      yield { held: [one] };
      expect(released).toEqual([]);
      yield { held: [one, two] };
      ended();
    }
    const onCall = (name: string, order: unknown) => {
      if (name === 'holds.release' || name === 'clock.update') released.push(order);
      return name === 'holds.start' ? events() : {};
    };
    const { calls, perform } = start({ onCall });
    const match = { endpoint: 'token' };
    await perform({ hold: { requests: 2, at: 'response', match, meanwhile: { frozen: true } } });
    await all;
    expect(calls[0]).toEqual([
      'holds.start',
      { at: 'response', match, times: 2, release_after_ms: 10_000, sent_by: 'scenario' },
    ]);
    expect(released).toEqual([{ frozen: true }, one, two]);
  });

  it('holds one request for the given time by default, and survives a lost connection', async () => {
    let ended = (): void => undefined;
    const all = new Promise<void>((resolve) => (ended = resolve));
    async function* lost() {
      await Promise.resolve();
      yield { held: [{ number: 1 }] };
      ended();
      throw new Error('lost');
    }
    const { calls, perform } = start({ onCall: (name) => (name === 'holds.start' ? lost() : {}) });
    expect(await perform({ hold: { release_after_ms: 50 } })).toBeNull();
    await all;
    expect(calls).toEqual([
      ['holds.start', { times: 1, release_after_ms: 50, sent_by: 'scenario' }],
      ['holds.release', { number: 1 }],
    ]);
  });
});

describe('the title of a step', () => {
  it.each([
    [{ name: 'Named', issue_code: {} }, 'Named'],
    [{ issue_code: {} }, 'issue a code'],
    [{ issue_code: { client: 'a', user: 'b' } }, 'issue a code as a for b'],
    [{ issue_tokens: { user: 'b' } }, 'issue tokens for b'],
    [{ authorize: { client: 'a' } }, 'authorize as a'],
    [{ authorize_device: { client: 'a' } }, 'authorize a device as a'],
    [{ approve_device: { user: 'b' } }, 'approve the device for b'],
    [{ deny_device: {} }, 'deny the device'],
    [{ sign_assertion: { user: 'b' } }, 'sign an assertion for b'],
    [{ token: { grant: 'password', user: 'b' } }, 'token request with password'],
    [
      { token: { grant: 'password', client: 'a' }, repeat: 3 },
      'token request with password as a, 3 times',
    ],
    [
      { token: { grant: 'password' }, repeat: { times: 2 } },
      'token request with password, 2 times',
    ],
    [
      { token: { grant: 'password' }, repeat: { times: 9, until: 429 } },
      'token request with password, up to 9 times',
    ],
    [{ token: { grant: 'password' }, repeat: 1 }, 'token request with password'],
    [{ request: { path: '/userinfo' } }, 'GET /userinfo'],
    [{ request: { path: '/x', text: '' } }, 'POST /x'],
    [{ request: { path: '/x', form: {} } }, 'POST /x'],
    [{ request: { path: '/x', json: 1 } }, 'POST /x'],
    [{ request: { path: '/x', body_base64: '' } }, 'POST /x'],
    [{ request: { path: '/x', method: 'PUT' } }, 'PUT /x'],
    [{ clock: { advance_seconds: 5 } }, 'advance the clock by 5 s'],
    [{ clock: { frozen: true } }, 'freeze the clock'],
    [{ clock: { frozen: false } }, 'resume the clock'],
    [{ clock: { now: 'then' } }, 'set the clock to then'],
    [{ clock: {} }, 'reset the clock'],
    [{ fault: 'slow' }, 'add the fault slow'],
    [{ fault: { preset: 'slow' } }, 'add the fault slow'],
    [{ fault: { name: 'Mine' } }, 'add the fault Mine'],
    [{ fault: { effect: {} } }, 'add a fault rule'],
    [{ hold: {} }, 'hold the next request'],
    [{ hold: { requests: 2 } }, 'hold the next 2 requests'],
    [{ revoke: '{{code}}' }, 'revoke {{code}}'],
    [{ expire: '{{code}}' }, 'expire {{code}}'],
  ])('%j is %j', (step, title) => {
    expect(titleOf(step as Parameters<typeof titleOf>[0])).toBe(title);
  });
});

describe('the variables of a step', () => {
  it.each<[unknown, string[]]>([
    [{ issue_code: {} }, ['code', 'redirect_uri', 'audience']],
    [{ authorize: { pkce: 'S256' } }, ['code', 'redirect_uri', 'audience', 'code_verifier']],
    [{ issue_tokens: {} }, ['access_token', 'refresh_token', 'id_token']],
    [{ authorize_device: {} }, ['device_code', 'user_code']],
    [{ sign_assertion: {} }, ['assertion']],
    [{ authorize: { dpop: true } }, ['dpop_jkt', 'code', 'redirect_uri', 'audience']],
    [{ request: { dpop: {} } }, ['dpop_jkt', 'access_token', 'refresh_token', 'id_token']],
    [{ token: { dpop: { key: 'other' } } }, ['access_token', 'refresh_token', 'id_token']],
    [{ token: { dpop: { replay: true } } }, ['access_token', 'refresh_token', 'id_token']],
    [{ clock: {}, save: { mine: 'body.x' } }, ['mine']],
    ...['approve_device', 'deny_device', 'fault', 'hold', 'revoke', 'expire'].map(
      (action): [unknown, string[]] => [{ [action]: {} }, []],
    ),
    [{}, []],
    ['none', []],
  ])('%j provides %j', (step, provided) => {
    expect(variablesOf(step).provides).toEqual(provided);
  });

  it('are those that it sends and expects, with the credential that it sends by default', () => {
    const token = { grant: 'refresh_token', headers: { a: '{{one}} {{ two | json }}' } };
    const step = { name: '{{no}}', token, expect: { body: { list: ['{{three}}', null, 5] } } };
    expect(variablesOf(step)).toEqual({
      uses: ['one', 'two', 'refresh_token'],
      expects: ['three'],
      provides: ['access_token', 'refresh_token', 'id_token'],
    });
    expect(variablesOf({ revoke: '{{code}}' })).toEqual({
      uses: ['code'],
      expects: [],
      provides: [],
    });
  });
});

describe('a variable', () => {
  const UNSIGNED = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
  const filled = (value: unknown, values: object) =>
    createVariables(new Map(Object.entries(values))).filled(value);

  it('is filled in everywhere, and remains a number where it is the whole text', () => {
    const value = { a: ['{{n}}', '{{ n }}.', 5, null], b: { c: '{{o}}{{s}}' } };
    expect(filled(value, { n: 5, o: { x: 1 }, s: 't' })).toEqual({
      a: [5, '5.', 5, null],
      b: { c: '{"x":1}t' },
    });
  });

  it.each([undefined, null])('that is %j has no value', (missing) => {
    const variables = createVariables(new Map([['v', missing]]));
    expect(variables.has('v')).toBe(false);
    expect(variables.canFill('{{v}}')).toBe(false);
    expect(variables.canFill('none')).toBe(true);
    expect(() => variables.filled('{{v}}')).toThrow(
      expect.objectContaining({
        name: 'MissingValueError',
        message: '{{v}} has no value, because no response so far contained it',
      }) as Error,
    );
  });

  it('is redacted if its name is that of a secret', () => {
    const variables = createVariables();
    const secret = ['code', 'client.client_secret', 'id_token', 'user.password', 'client.basic'];
    for (const name of [...secret, 'state', 'code_challenge', 'mycode']) variables.set(name, name);
    variables.set('access_token', 5);
    expect(variables.secrets()).toEqual(secret.map((name) => [name, name]));
  });

  it('of a copy is independent', () => {
    const variables = createVariables(new Map([['v', 1]]));
    const copy = variables.fork();
    copy.set('v', 2);
    copy.set('code', 'c');
    expect(variables.filled('{{v}}')).toBe(1);
    expect(copy.filled('{{v}}')).toBe(2);
    expect(variables.secrets()).toEqual([]);
  });

  it('with an unknown filter is not changed', () => {
    expect(filled('<{{v|toString}}>', { v: 'x' })).toBe('<x>');
  });

  it.each([
    ['json', 'a "b"\n', 'a \\"b\\"\\n'],
    ['form', 'a b&c', 'a+b%26c'],
    ['other_slash', 'https://a.example/cb', 'https://a.example/cb/'],
    ['other_slash', 'https://a.example/cb/', 'https://a.example/cb'],
    ['other_case', 'https://a.example/cb', 'https://a.example/Cb'],
    ['other_case', 'https://a.example/', 'HTTPS://A.EXAMPLE/'],
    ['other_case', 'https://a.example/1B', 'https://a.example/1b'],
    ['altered', 'h.c.Abc', 'h.c.Bbc'],
    ['altered', 'h.c.xyz', 'h.c.Ayz'],
    ['altered', 'opaque', 'Apaque'],
    ['mistyped', 'WDJB-MJHT', 'WDJB-MJHB'],
    ['mistyped', 'WDJB-MJH0', 'WDJB-MJH9'],
    ['mistyped', 'WDJB-MJHB', 'WDJB-MJH9'],
    ['mistyped', 'WDJB-MJH9', 'WDJB-MJH0'],
    ['mistyped', '', 'B'],
    ['unsigned', 'h.claims.s', `${UNSIGNED}.claims.`],
    ['unsigned', 'opaque', `${UNSIGNED}..`],
  ])('with the filter %s is changed from %j to %j', (filter, from, to) => {
    expect(filled(`{{v|${filter}}}`, { v: from })).toBe(to);
  });
});

describe('the parties of a step', () => {
  it.each<[object, object]>([
    [{ token: { grant: 'g' } }, { token: { client: 'c', user: 'u', grant: 'g' } }],
    [{ token: { client: 'own' } }, { token: { client: 'own', user: 'u' } }],
    [{ request: { path: '/' } }, { request: { client: 'c', path: '/' } }],
    [{ authorize_device: {} }, { authorize_device: { client: 'c' } }],
    [{ approve_device: {} }, { approve_device: { user: 'u' } }],
    ...['deny_device', 'clock', 'fault', 'hold'].map((name): [object, object] => [
      { [name]: {} },
      { [name]: {} },
    ]),
    [{ revoke: 'x' }, { revoke: 'x' }],
  ])('of %j are set: %j', (step, expected) => {
    expect(withParties(step, 'c', 'u')).toEqual(expected);
  });

  it('are not set without a client or a user', () => {
    const step = { token: { grant: 'g' } };
    expect(withParties(step, null, null)).toEqual(step);
    expect(withParties(step, 'c', null)).toEqual({ token: { client: 'c', grant: 'g' } });
  });

  it('belong to the action of the step, which is a request if it has none', () => {
    expect(actionOf({ clock: {} })).toBe('clock');
    expect(actionOf({})).toBe('request');
  });
});

describe('the exchange of a response', () => {
  const found = exchangeOf({ number: 7, cause: 'found' });
  const listed = (items: readonly object[]) => (name: string) =>
    name === 'exchanges.list' ? { items } : found;

  it('is read by its number once it is recorded', async () => {
    const { calls, perform } = start({ onCall: listed([found]), responses: [{ exchange: 7 }] });
    expect((await perform({ request: { path: '/' } }))?.cause).toBe('found');
    expect(calls).toEqual([
      ['exchanges.list', { after: 6, wait_seconds: 2 }],
      ['exchanges.get', { number: 7 }],
    ]);
  });

  it('is the next one that is recorded, if the response has no number', async () => {
    const unnumbered = { exchange: null };
    const { calls, perform } = start({
      onCall: listed([found]),
      responses: [unnumbered, unnumbered],
    });
    await perform({ request: { path: '/' } });
    await perform({ request: { path: '/' } });
    expect(calls).toEqual([
      ['exchanges.list', { after: 0, wait_seconds: 2 }],
      ['exchanges.get', { number: 7 }],
      ['exchanges.list', { after: 7, wait_seconds: 2 }],
      ['exchanges.get', { number: 7 }],
    ]);
  });

  it('is null if none was recorded', async () => {
    const { calls, perform } = start({ onCall: listed([]), responses: [{ exchange: null }] });
    expect((await perform({ request: { path: '/' } }))?.exchange).toBeNull();
    expect(calls).toHaveLength(1);
  });
});

describe('a copy of a run', () => {
  it('has its own variables and codes, and the keys of the run', async () => {
    const { run, perform } = start({ onCall: () => ({ code: 'c' }) });
    await perform({ issue_code: {} });
    const copy = forkRun(run);
    await performStep({ issue_code: { redirect_uri: `${REDIRECT_URI}/2` } }, copy);
    copy.codes.set('other', { redirect_uri: 1, audience: 1, code_verifier: 1 });
    expect(run.variables.filled('{{redirect_uri}}')).toBe(REDIRECT_URI);
    expect([...run.codes.keys()]).toEqual(['c']);
    expect(copy.variables.filled('{{redirect_uri}}')).toBe(`${REDIRECT_URI}/2`);
    expect(await copy.proofs.thumbprint()).toBe(await run.proofs.thumbprint());
  });
});

describe('the key of a run that signs assertions', () => {
  type Jwks = { keys: { kid?: string }[] } | null;

  /** Clients with these keys. */
  function clientsWith(first: Record<string, Jwks>) {
    const jwks = new Map(Object.entries(first));
    const keys = createAssertionKeys({
      clients: {
        get: ({ client_id }: { client_id: string }) =>
          Promise.resolve({ client_id, jwks: jwks.get(client_id) ?? null }),
        update: (change: { client_id: string; jwks: Jwks }) => {
          jwks.set(change.client_id, change.jwks);
          return Promise.resolve({});
        },
      },
    } as unknown as Parameters<typeof createAssertionKeys>[0]);
    const kidsOf = (client_id: string) => jwks.get(client_id)?.keys.map(({ kid }) => kid) ?? null;
    return { keys, kidsOf };
  }

  it('is registered once for each client that signs, beside its own keys, and removed again', async () => {
    const { keys, kidsOf } = clientsWith({ a: { keys: [{ kid: 'own' }] }, b: null, c: null });
    const [key, again, ofB] = await Promise.all(['a', 'a', 'b'].map((id) => keys.keyFor(id)));
    expect(again).toBe(key);
    expect(ofB).toBe(key);
    expect(key).toMatchObject({ alg: 'ES256', kid: expect.stringMatching(/^run-[\w-]{8}$/) });
    expect([kidsOf('a'), kidsOf('b'), kidsOf('c')]).toEqual([['own', key?.kid], [key?.kid], null]);
    await keys.removeAll();
    expect([kidsOf('a'), kidsOf('b')]).toEqual([['own'], null]);
  });

  it('is not made before it signs', async () => {
    const { keys, kidsOf } = clientsWith({ a: { keys: [{ kid: 'own' }] } });
    await keys.removeAll();
    expect(kidsOf('a')).toEqual(['own']);
  });
});

describe('a request over control', () => {
  it('has its body as text or in base64', () => {
    const bare = { method: 'POST', path: '/', headers: [['A', '1']] } as const;
    const sent = { method: 'POST', path: '/', headers: [['A', '1']] };
    expect(sendRequestOf(bare)).toEqual({ ...sent, body: '' });
    expect(sendRequestOf({ ...bare, body: 'text' })).toEqual({ ...sent, body: 'text' });
    const bytes = Uint8Array.of(1, 255);
    expect(sendRequestOf({ ...bare, body: bytes })).toEqual({ ...sent, body_base64: 'Af8=' });
  });

  it('is sent for the given sender, with its signal, and answered with its exchange', async () => {
    const exchange = exchangeOf({
      status: 201,
      response: {
        headers: [
          ['Set-Cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ],
        body: 'w6Q=',
        body_encoding: 'base64',
      },
    });
    const sends: unknown[][] = [];
    const requests = {
      send: (...order: unknown[]) => {
        sends.push(order);
        return Promise.resolve(exchange);
      },
    };
    const send = sendOverControl({ requests } as never, 'scenario');
    const { signal } = new AbortController();
    const request = { method: 'GET', path: '/', headers: [] };
    expect(await send(request)).toEqual({
      status: 201,
      headers: { 'set-cookie': ['a=1', 'b=2'] },
      text: 'ä',
      exchange,
    });
    await send(request, signal);
    const order = { ...request, body: '', sent_by: 'scenario', secrets: true };
    expect(sends).toEqual([
      [order, {}],
      [order, { signal }],
    ]);
    expect(answeredBy(exchangeOf({ response: { body: 'plain' } })).text).toBe('plain');
  });
});
