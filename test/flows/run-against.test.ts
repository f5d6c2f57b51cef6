// A scenario run against a provider and in a sandbox, over real HTTP on loopback: the differences, the sent requests,
// and protection from a hostile server.

import { get, type IncomingMessage, type RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { runAgainst } from '../../src/cli/commands/run/against.ts';
import { readKnownProvider } from '../../src/engine/provider/known-provider.ts';
import {
  sendTo,
  type RunCredentials,
  type SignInPorts,
} from '../../src/cli/commands/run/foreign-sandbox.ts';
import { decodeJwt } from '../../src/oauth/jwt.ts';
import { jsonReport } from '../../src/scenario/reports/json.ts';
import { junitReport } from '../../src/scenario/reports/junit.ts';
import { tapOf } from '../../src/scenario/reports/tap.ts';
import { freePort } from '../support/free-port.ts';
import { createLoopbackServers, json } from '../support/loopback-servers.ts';
import { parsedScenario } from '../support/scenarios.ts';

const CREDENTIALS: RunCredentials = {
  client_id: 'real-client',
  client_secret: 'real-client-secret',
  user: null,
};

const { serve, closeAll } = createLoopbackServers();

afterEach(closeAll);

interface Received {
  readonly url: string;
  readonly authorization: string | undefined;
  /** The DPoP proof. */
  readonly dpop: string | undefined;
  readonly body: string;
}

/** A literal target of a request. */
function rawStatus(at: string, path: string): Promise<number> {
  return new Promise((done, failed) => {
    get(at, { path }, (response) => {
      done(response.resume().statusCode ?? 0);
    }).on('error', failed);
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** A provider with this response at its token endpoint /v1/token, and a record of its requests. */
async function provider(
  answer: RequestListener,
  metadata: (issuer: string) => object = () => ({}),
): Promise<{ issuer: string; received: Received[] }> {
  const received: Received[] = [];
  const issuer: string = await serve((request, response) => {
    if (request.url === '/.well-known/openid-configuration') {
      const document = { issuer, token_endpoint: `${issuer}/v1/token`, ...metadata(issuer) };
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(document));
      return;
    }
    void bodyOf(request).then((body) => {
      const { authorization, dpop } = request.headers;
      received.push({ url: request.url ?? '', authorization, dpop: dpop?.toString(), body });
      answer(request, response);
    });
  });
  return { issuer, received };
}

const CLIENT = {
  client_id: 'demo-app',
  client_secret: 'demo-secret',
  redirect_uris: ['http://localhost:3000/callback'],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
};

interface Order {
  readonly origins?: readonly string[];
  readonly allow_destructive?: boolean;
  readonly sign_in?: SignInPorts;
  /** false turns off the comparison with a sandbox. */
  readonly compare?: boolean;
}

async function against(issuer: string, steps: readonly unknown[], order: Order = {}) {
  const workspace = { clients: [CLIENT], settings: { signing_alg: 'ES256' } };
  const parsed = await parsedScenario({ workspace, steps });
  const { origins = [], allow_destructive = false, sign_in = null, compare = true } = order;
  const known = await readKnownProvider(issuer, { named: [], origins });
  const credentials = CREDENTIALS;
  const target = { provider: known, credentials, sign_in, compare, allow_destructive };
  return runAgainst('it.scenario.json', parsed, target, '0.0.0-test');
}

const MACHINE = { token: { grant: 'client_credentials' } };

describe('behaviour 12.14: a scenario at a provider', () => {
  it('is sent to the endpoints in the metadata; differences and skipped steps are reported with both values and the reason', async () => {
    const token = { access_token: 'opaque-token-of-theirs', token_type: 'bearer', expires_in: 60 };
    const { issuer, received } = await provider(json({ ...token, id: 7 }));
    const result = await against(issuer, [{ issue_code: {} }, MACHINE]);
    expect(result.verdict).toBe('failed');
    expect(result.steps.map(({ verdict }) => verdict)).toEqual(['skipped', 'failed']);
    const differences = result.steps[1]?.failure?.differences ?? [];
    expect(differences).toEqual(
      expect.arrayContaining([
        { what: 'body.access_token', expected: 'a JWT', got: 'a string' },
        { what: 'body.token_type', expected: '"Bearer"', got: '"bearer"' },
        { what: 'body.expires_in', expected: '86400', got: '60' },
        { what: 'body.id', expected: 'nothing', got: 'a number' },
        { what: 'access_token.lifetime', expected: '86400 s', got: 'nothing' },
      ]),
    );
    expect(result.steps[1]?.compared).toEqual(
      expect.arrayContaining([
        { what: 'status', sandbox: '200', provider: '200' },
        { what: 'body.expires_in', sandbox: '86400', provider: '60' },
        { what: 'access_token.lifetime', sandbox: '86400 s', provider: null },
      ]),
    );
    expect(received.map(({ url }) => url)).toEqual(['/v1/token']);

    const why = 'only a sandbox issues codes without a sign-in';
    const report = tapOf(1, result);
    expect(report).toContain(`# SKIP ${why}`);
    expect(report).not.toContain('opaque-token-of-theirs');
    expect(junitReport([result])).toContain(`<skipped message="${why}"/>`);
    expect(JSON.parse(jsonReport([result], '1', issuer))).toMatchObject({
      against: issuer,
      scenarios: [{ steps: [{ why_skipped: why }, {}] }],
    });
  });

  it('behaviour 12.15: uses only credentials of the run, and none of the sandbox', async () => {
    const { issuer, received } = await provider(json({ error: 'invalid_client' }, 401));
    await against(issuer, [MACHINE]);
    expect(Object.fromEntries(new URLSearchParams(received[0]?.body))).toMatchObject({
      client_id: 'real-client',
      client_secret: 'real-client-secret',
      grant_type: 'client_credentials',
      audience: issuer,
    });
    expect(JSON.stringify(received)).not.toContain('demo-secret');
  });

  it('sends DPoP proofs for the endpoint of the provider', async () => {
    const { issuer, received } = await provider(json({ error: 'invalid_scope' }, 400));
    await against(issuer, [{ token: { ...MACHINE.token, dpop: true } }]);
    expect(decodeJwt(received[0]?.dpop ?? '')?.payload).toMatchObject({
      htm: 'POST',
      htu: `${issuer}/v1/token`,
    });
  });

  it('behaviour 12.16: omits a secret that the provider returns from the result', async () => {
    const { issuer } = await provider(
      json({ error: 'real-client-secret', 'real-client-secret': 1 }, 400),
    );
    expect(JSON.stringify(await against(issuer, [MACHINE]))).not.toContain('real-client-secret');
  });

  it('shows long member names', async () => {
    const name = 'introspection_endpoint_auth_signing_alg_values_supported';
    const { issuer } = await provider(json({ [name]: [] }));
    const [step] = (await against(issuer, [MACHINE])).steps;
    expect(step?.failure?.differences.map(({ what }) => what)).toContain(`body.${name}`);
  });

  it.each([true, false])('fails when no step can be sent (compared: %s)', async (compare) => {
    const { issuer, received } = await provider(json({}));
    const { verdict } = await against(issuer, [{ issue_code: {} }], { compare });
    expect([verdict, received]).toEqual(['failed', []]);
  });

  it('must meet the expectations of the scenario without comparison', async () => {
    const token = { access_token: 'opaque-token-of-theirs', token_type: 'Bearer', expires_in: 60 };
    const { issuer, received } = await provider(json(token));
    const expected = { status: 200, deviations: [], body: { token_type: 'Bearer' } };
    const result = await against(
      issuer,
      [
        { issue_code: {}, name: 'with demo-secret' },
        { ...MACHINE, expect: expected },
        { ...MACHINE, expect: { body: { access_token: 'demo-secret', expires_in: 86400 } } },
        MACHINE,
      ],
      { compare: false },
    );
    expect(result.steps.map(({ verdict }) => verdict)).toEqual([
      'skipped',
      'passed',
      'failed',
      'skipped',
    ]);
    expect(result.steps[0]?.why_skipped).toMatch(/^only a sandbox/);
    expect(result.steps[2]?.failure?.differences).toContainEqual({
      what: 'body.expires_in',
      expected: '86400',
      got: '60',
    });
    expect(result.steps[3]?.why_skipped).toBe('an earlier step failed');
    expect(received).toHaveLength(2);
    expect(JSON.stringify(result)).not.toMatch(/opaque-token-of-theirs|demo-secret/);
  });

  it('uses an endpoint of another origin only when allowed', async () => {
    const other = await provider(json({ error: 'invalid_scope' }, 400));
    const { issuer } = await provider(json({}), () => ({ token_endpoint: `${other.issuer}/t` }));
    const [step] = (await against(issuer, [MACHINE])).steps;
    expect(step?.failure?.message).toContain(
      `the token_endpoint is at ${other.issuer}; allow it with --allow-origin ${other.issuer}`,
    );
    expect(other.received).toEqual([]);
    await against(issuer, [MACHINE], { origins: [other.issuer] });
    expect(other.received.map(({ url }) => url)).toEqual(['/t']);
  });
});

describe('behaviour 12.18: a sign-in at the provider', () => {
  const LOGIN = (issuer: string) => ({ authorization_endpoint: `${issuer}/login` });
  const STEPS = [{ authorize: {} }, { token: { grant: 'authorization_code', format: 'form' } }];

  /** A redirect URI at a free port. */
  async function redirectUri(): Promise<string> {
    return `http://127.0.0.1:${await freePort()}/callback`;
  }

  it('is done in a browser that returns to loopback, where the code is redeemed', async () => {
    const { issuer, received } = await provider(json({ error: 'invalid_scope' }, 400), LOGIN);
    const redirect_uri = await redirectUri();
    const stray: number[] = [];
    const show = async (url: URL) => {
      expect(url.href.split('?')[0]).toBe(`${issuer}/login`);
      expect(url.searchParams.get('client_id')).toBe('real-client');
      const state = url.searchParams.get('state') ?? '';
      for (const query of ['code=stray&state=scenario', 'code=stray']) {
        const strayAnswer = await fetch(`${redirect_uri}?${query}`);
        stray.push(strayAnswer.status);
      }
      stray.push(await rawStatus(redirect_uri, '//'));
      await fetch(
        `${redirect_uri}?${new URLSearchParams({ code: 'their-code', state, iss: issuer })}`,
      );
    };
    const sign_in = { redirect_uri, show: (url: URL) => void show(url) };
    const { steps } = await against(issuer, STEPS, { sign_in });
    expect(steps.map(({ failure }) => failure?.differences.map(({ what }) => what)[0])).toEqual([
      undefined,
      'status',
    ]);
    expect(stray).toEqual([404, 404, 404]);
    expect(Object.fromEntries(new URLSearchParams(received[0]?.body))).toMatchObject({
      code: 'their-code',
      redirect_uri,
    });
  });

  it('uses a random state also for a pushed request, and the state of the scenario in the result', async () => {
    const { issuer, received } = await provider(json({ request_uri: 'urn:pushed' }, 201), (at) => ({
      ...LOGIN(at),
      pushed_authorization_request_endpoint: `${at}/par`,
    }));
    const redirect_uri = await redirectUri();
    const show = async ({ searchParams }: URL) => {
      expect(Object.fromEntries(searchParams)).toEqual({
        client_id: 'real-client',
        request_uri: 'urn:pushed',
      });
      const state = new URLSearchParams(received[0]?.body).get('state') ?? '';
      expect(state).toMatch(/^[\w-]{22}$/);
      await fetch(`${redirect_uri}?${new URLSearchParams({ code: 'their-code', state })}`);
    };
    const sign_in = { redirect_uri, show: (url: URL) => void show(url) };
    const step = { authorize: { push: true }, expect: { redirect: { state: 'scenario' } } };
    const { verdict } = await against(issuer, [step], { sign_in, compare: false });
    expect(verdict).toBe('passed');
  });

  it('fails when no user signs in', async () => {
    const { issuer } = await provider(json({}), LOGIN);
    const sign_in = { redirect_uri: await redirectUri(), show: () => undefined, patience_ms: 10 };
    const { steps } = await against(issuer, STEPS, { sign_in });
    expect(steps[0]?.failure?.message).toBe('At the provider: The sign-in timed out.');
  });
});

const LIMITS = { named: [], timeout_ms: 300 };
const GET = { method: 'GET', path: '/', headers: [] };

describe('behaviour 12.17: a hostile provider', () => {
  it('cannot redirect requests', async () => {
    const target = await provider(json({}));
    const { issuer } = await provider((_, response) => {
      response.writeHead(307, { Location: `${target.issuer}/elsewhere` }).end();
    });
    const [step] = (await against(issuer, [MACHINE])).steps;
    expect(step?.failure?.differences).toContainEqual({
      what: 'status',
      expected: '200',
      got: '307',
    });
    expect(target.received).toEqual([]);
  });

  it('ends the step with a response that is too long or never ends', async () => {
    const long = await serve((_, response) => {
      response.end('x'.repeat(10 * 1024 * 1024));
    });
    await expect(
      sendTo(new URL(`${long}/t?code=secret`), GET, { ...LIMITS, timeout_ms: 10_000 }),
    ).rejects.toThrow(`${long}/t responds with more than 1 MB.`);
    const cut = await serve((_, response) => {
      response.writeHead(200, { 'Content-Length': '10' }).write('{', () => response.destroy());
    });
    await expect(sendTo(new URL(cut), GET, LIMITS)).rejects.toThrow(
      'closed the connection before its response was complete.',
    );
    const endless = await serve((_, response) => {
      response.write('{');
    });
    await expect(sendTo(new URL(endless), GET, LIMITS)).rejects.toThrow(
      'did not respond completely within 0.3 seconds',
    );
  });

  it('ends the step by closing the connection, and the steps after it are skipped', async () => {
    const { issuer } = await provider((request) => {
      request.socket.destroy();
    });
    const { steps } = await against(issuer, [MACHINE, MACHINE]);
    expect(steps.map(({ verdict }) => verdict)).toEqual(['failed', 'skipped']);
    expect(steps[0]?.failure?.message).toMatch(
      /^At the provider: .+\/v1\/token closed the connection before its response was complete/,
    );
  });

  it('cannot have a non-public address unless it is allowed, nor use http beyond loopback', async () => {
    const options = { named: [], origins: [] };
    await expect(readKnownProvider('https://10.0.0.1/', options)).rejects.toThrow(
      /allow it with --allow-address 10.0.0.1/,
    );
    await expect(readKnownProvider('http://login.example/', options)).rejects.toThrow(
      /must begin with https/,
    );
    await expect(sendTo(new URL('https://169.254.169.254/'), GET, LIMITS)).rejects.toThrow(
      /link-local/,
    );
  });
});
