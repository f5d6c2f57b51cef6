// DPoP proofs in scenarios (RFC 9449): the members of a document, and the proofs that the runner sends.

import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { headerOf } from '../../src/oauth/fields.ts';
import type { ParsedScenario } from '../../src/scenario/parse.ts';
import { runScenario } from '../../src/scenario/runner/run-steps.ts';
import type { WireRequest } from '../../src/scenario/runner/scenario-sandbox.ts';
import { openSandbox, parsedScenario, problemsOf } from '../support/scenarios.ts';

const WORKSPACE = {
  clients: [
    { client_id: 'server', client_secret: 'secret', redirect_uris: ['https://a.example/'] },
    {
      client_id: 'signer',
      client_secret: 'a-secret-that-is-long-enough-for-hs256',
      redirect_uris: ['https://a.example/'],
      token_endpoint_auth_method: 'client_secret_jwt',
    },
  ],
  users: [{ sub: 'ada' }],
  settings: { profile: 'interop' },
};

const written = (steps: readonly unknown[], settings: object = {}) => ({
  steps,
  workspace: { ...WORKSPACE, settings: { ...WORKSPACE.settings, ...settings } },
});

const problemsIn = (...steps: readonly unknown[]) => problemsOf(written(steps));

const parsed = (steps: readonly unknown[], settings?: object) =>
  parsedScenario(written(steps, settings));

/** Runs the steps and returns the proofs that were sent, in order, with the results. */
async function run(scenario: ParsedScenario) {
  const sandbox = await openSandbox(scenario);
  const proofs: (string | undefined)[] = [];
  const send = (request: WireRequest) => {
    proofs.push(headerOf(request.headers, 'dpop') ?? undefined);
    return sandbox.send(request);
  };
  const { steps } = await runScenario('proofs', scenario, () =>
    Promise.resolve({ ...sandbox, send }),
  );
  return { proofs, steps, issuer: sandbox.issuer };
}

const messages = ({ steps }: Awaited<ReturnType<typeof run>>) =>
  steps.map(({ failure }) => failure?.message ?? null);

const CODE = { issue_code: {} };
const EXCHANGE = { token: { grant: 'authorization_code', dpop: true } };
const USERINFO = { path: '/userinfo', headers: { authorization: 'DPoP {{access_token}}' } };
const REPLAY = { request: { ...USERINFO, dpop: { replay: true } } };

describe('a step with dpop', () => {
  test.each([
    [false, 'steps[1].token.dpop must be true, or an object with deliberate mistakes'],
    ['yes', 'steps[1].token.dpop must be true, or an object with deliberate mistakes'],
    [{ htu: 'x' }, 'steps[1].token.dpop.htu is not a known member'],
    [{ key: '' }, 'steps[1].token.dpop.key must not be empty'],
    [{ age_seconds: 0.5 }, 'steps[1].token.dpop age_seconds must be a whole number'],
    [{ claims: 'jti' }, 'steps[1].token.dpop claims must be a JSON object'],
    [{ replay: false }, 'steps[1].token.dpop replay must be true'],
    [
      { claims: { htu: '{{isuer}}' } },
      'steps[1].token.dpop.claims.htu uses {{isuer}}, which no earlier step provides; did you mean issuer?',
    ],
  ])('with dpop %j is rejected, naming the member and the rule', async (dpop, problem) => {
    const token = { grant: 'authorization_code', dpop };
    expect(await problemsIn(CODE, { token })).toEqual([problem]);
  });

  test('cannot also have its own DPoP header', async () => {
    const token = { ...EXCHANGE.token, headers: { DPoP: 'x.y.z' } };
    expect(await problemsIn(CODE, { token })).toEqual([
      'steps[1].token.headers.DPoP must be omitted beside dpop',
    ]);
  });

  test('can replay only an earlier proof, unchanged', async () => {
    expect(await problemsIn(CODE, REPLAY)).toEqual([
      'steps[1].request.headers.authorization uses {{access_token}}, which no earlier step provides; there are ' +
        'issuer, client.client_id, client.client_secret, client.basic, client.redirect_uri, user.sub, user.password, ' +
        'code, redirect_uri, audience',
      'steps[1].request.dpop.replay needs a proof, but no earlier step sends one',
    ]);
    const changed = { request: { ...USERINFO, dpop: { replay: true, key: 'other' } } };
    expect(await problemsIn(CODE, EXCHANGE, changed)).toEqual([
      'steps[2].request.dpop.key must not be combined with replay: that proof is sent unchanged',
    ]);
  });

  test('provides {{dpop_jkt}}, unless it signs with another key', async () => {
    const expected = { expect: { claims: { cnf: { jkt: '{{dpop_jkt}}' } } } };
    expect(await problemsIn(CODE, { ...EXCHANGE, ...expected })).toEqual([]);
    const token = { grant: 'authorization_code', dpop: { key: 'other' } };
    const [problem] = await problemsIn(CODE, { token, ...expected });
    expect(problem).toMatch(
      /^steps\[1\]\.expect\.claims\.cnf\.jkt uses \{\{dpop_jkt\}\}, which no earlier/,
    );
  });
});

describe('the runner', () => {
  test('RFC 9449 4.2: sends a new proof of the same key with each request, by the sandbox clock', async () => {
    const now = '2030-01-01T00:00:00Z';
    const { proofs, steps, issuer } = await run(
      await parsed([
        { clock: { frozen: true } },
        { clock: { now } },
        CODE,
        EXCHANGE,
        { request: { ...USERINFO, dpop: true } },
      ]),
    );
    expect(steps.map(({ verdict }) => verdict)).toEqual(Array(5).fill('passed'));
    const [first, second] = proofs.map((proof = '') => ({
      header: decodeProtectedHeader(proof),
      claims: decodeJwt(proof),
    }));
    expect(first?.claims).toMatchObject({
      htm: 'POST',
      htu: `${issuer}/oauth/token`,
      iat: Date.parse(now) / 1000,
    });
    expect(first?.claims['ath']).toBeUndefined();
    expect(second?.claims).toMatchObject({ htm: 'GET', htu: `${issuer}/userinfo` });
    expect(second?.claims['ath']).toMatch(/^[\w-]{43}$/);
    expect(second?.header.jwk).toEqual(first?.header.jwk);
    expect(second?.claims.jti).not.toBe(first?.claims.jti);
  });

  test('RFC 7523 3: the retry with a nonce has a client assertion with a new jti', async () => {
    const signer = { client: 'signer', client_auth: 'client_secret_jwt' };
    const token = { ...EXCHANGE.token, ...signer };
    const steps = [{ issue_code: { client: 'signer' } }, { token, expect: { status: 200 } }];
    const result = await run(await parsed(steps, { dpop: { require_nonce: true } }));
    expect(messages(result)).toEqual([null, null]);
    expect(result.proofs).toHaveLength(2);
  });
});
