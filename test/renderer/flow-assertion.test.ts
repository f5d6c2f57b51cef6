// The deliberate mistakes at the JWT bearer grant: each meets the response that its step announces.

import { describe, expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../src/engine/engine.ts';
import { takeGivenWorkspace } from '../../src/engine/workspace/given.ts';
import { signAssertion, type AssertionOrder } from '../../src/oauth/assertion.ts';
import { createProofKey } from '../../src/oauth/dpop-proof.ts';
import { jwtBearerFields, TOKEN_PATH, tokenRequest } from '../../src/oauth/token-request.ts';
import { BEARER_MISTAKES } from '../../src/renderer/views/flow/mistakes/assertion.ts';
import {
  WITHOUT_PROOFS,
  type Material,
  type Mistake,
} from '../../src/renderer/views/flow/mistakes/mistake.ts';
import { expectationOf, verdictOf } from '../../src/renderer/views/flow/mistakes/verdict.ts';

const CREDENTIALS = { client_id: 'worker', client_secret: 'worker-secret' };

async function sandbox(settings: object) {
  const { alg, public_jwk, sign } = await createProofKey();
  const key = { alg, kid: 'workbench-1', sign };
  const client = {
    ...CREDENTIALS,
    grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
    jwks: { keys: [{ ...public_jwk, kid: key.kid }] },
  };
  const members = { clients: [client], settings };
  const base = await takeGivenWorkspace({ members, signing_alg: 'ES256' }, 'test');
  const engine = await createEngine({ port: 0, version: 'test', base });
  const { issuer } = await engine.start();
  onTestFinished(engine.close);
  const control = await engine.getControl();
  const parties = { iss: 'worker', sub: 'ada', aud: issuer };
  const signed = async ({ other_key, ...order }: AssertionOrder = {}) => {
    const signer = other_key === true ? { ...key, sign: (await createProofKey()).sign } : key;
    return signAssertion(signer, parties, Math.floor(Date.now() / 1000), order);
  };
  const fieldsFor = (assertion: string) =>
    jwtBearerFields({ ...CREDENTIALS, assertion, audience: issuer, scope: 'openid' });
  return { control, signed, fieldsFor };
}

type Sandbox = Awaited<ReturnType<typeof sandbox>>;

async function spoiltFor({ assertion, prepare }: Mistake, { control, ...own }: Sandbox) {
  if (assertion !== undefined) return own.signed(assertion);
  if (prepare !== 'assertion_used') return null;
  const used = await own.signed();
  const { status } = await control.requests.send(tokenRequest(own.fieldsFor(used)));
  expect(status).toBe(200);
  return used;
}

const ALL = BEARER_MISTAKES.flatMap(({ name, mistakes }) =>
  // Those of proofs are made in flow-dpop.test.ts.
  name === 'DPoP proof' ? [] : mistakes.map((mistake: Mistake) => ({ id: mistake.id, mistake })),
);

describe.each(['documented', 'strict', 'interop'] as const)('under the profile %s', (profile) => {
  describe.each(['rfc6749', 'auth0'] as const)('in the dialect %s', (dialect) => {
    test.each(ALL)('behaviour 7.20: $id meets the expected response', async ({ mistake }) => {
      const here = await sandbox({ profile, dialect });
      const material: Material = {
        fields: here.fieldsFor(await here.signed()),
        credentials: CREDENTIALS,
        format: 'form',
        path: TOKEN_PATH,
        other_client: null,
        other_audience: 'https://orders.example/api',
        access_token: null,
        refresh_token: null,
        former_token: null,
        spoilt: await spoiltFor(mistake, here),
        device: null,
        form: null,
        user_has_password: false,
        dpop: WITHOUT_PROOFS,
        frozen: false,
        mode: 'consent',
      };
      const exchange = await here.control.requests.send(mistake.build(material));
      const expected = expectationOf(mistake, { profile, dialect, mode: 'consent' });
      expect(verdictOf(mistake, expected, exchange)).toMatchObject({ came: true });
    });
  });
});

test('behaviour 7.20: a right assertion gets a token for its user, once', async () => {
  const { control, signed, fieldsFor } = await sandbox({});
  const request = tokenRequest(fieldsFor(await signed()));
  const first = await control.requests.send({ ...request, secrets: true });
  expect(first.status).toBe(200);
  const { access_token } = JSON.parse(first.response.body) as { access_token: string };
  const [, claims = ''] = access_token.split('.');
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    sub: 'ada',
    client_id: 'worker',
  });
  const again = await control.requests.send(request);
  expect(again).toMatchObject({ status: 400, error: 'invalid_grant' });
});
