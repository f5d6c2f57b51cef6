// `grantbench check` of real clients: the result of every case. The lists are fixed; the guide explains them.

import { describe, expect, test } from 'vitest';
import { startGrantbench } from '../../src/library/start.ts';
import type { CheckResult } from '../../src/control/schemas.ts';
import { login as careless } from '../support/logins/careless.mjs';
import { login as openidClient } from '../support/logins/openid-client.mjs';
import { login as oauth4webapi } from '../support/logins/oauth4webapi.mjs';
import type { Setup } from '../support/logins/sign-in.mjs';

type Login = (setup: Setup) => Promise<void>;

async function checkOf(
  login: Login,
  options: Partial<Setup> = {},
  only?: readonly string[],
): Promise<readonly CheckResult[]> {
  await using sandbox = await startGrantbench({ settings: { profile: 'interop' } });
  const setup = { issuer: sandbox.issuer, client: sandbox.client, ...options };
  const results = [];
  for (const { id, look_for } of await sandbox.cases()) {
    // No login of these tests can receive a logout token.
    if (id.startsWith('logout-token-') || only?.includes(id) === false) continue;
    const shownTo = async (error: Error & { readonly error_description?: string }) => {
      const text = `${error.message} ${error.error_description ?? ''}`;
      await sandbox.control.clientChecks.update({ shown: text.includes(look_for ?? '') });
      throw error;
    };
    const signIn = () => login(setup);
    const found = await sandbox.check(
      id,
      look_for === null ? signIn : () => signIn().catch(shownTo),
    );
    results.push(found);
  }
  return results;
}

const ids = (cases: readonly CheckResult[], wanted: (one: CheckResult) => boolean) =>
  cases.filter(wanted).map(({ id }) => id);
const isFault = ({ fault }: CheckResult) => fault;
const isLeftOut = ({ result }: CheckResult) => !['passed', 'refused', 'accepted'].includes(result);

/** What only rotated refresh tokens, a scope that differs or a DPoP proof would change. */
const NEVER = [
  'token-type-bearer-for-dpop',
  'scope-absent',
  'refresh-token-absent',
  'dpop-nonce-required',
  'dpop-nonce-always',
];
const DPOP = NEVER.filter((id) => id.includes('dpop'));
const WITH_DPOP = { dpop: true };
/**
 * A client that does not verify the signature in the code flow (OpenID Connect Core 3.1.3.7, 6) never requests the
 * keys.
 */
const NO_KEYS = ['jwks-empty', 'jwks-unavailable', 'jwks-html'];
/** Only recommended, or up to the client (OpenID Connect Core 3.1.3.7 and 3.1.3.8). */
const CLAIMS = ['id-token-azp-other', 'id-token-iat-old', 'id-token-at-hash-other'];
const SIGNATURES = ['id-token-signature-invalid', 'id-token-key-unknown', 'id-token-kid-unknown'];

/** For a run of every case. */
const LONG = 600_000;

describe('a careless client', () => {
  test('fails every case that must be refused', { timeout: LONG }, async () => {
    const cases = await checkOf(careless);
    expect(
      ids(cases, (one) => one.expected === 'refuse' && !isFault(one) && !isLeftOut(one)),
    ).toEqual([
      // This case proves that the exit code of the login is meaningful.
      'token-500',
    ]);
    expect(ids(cases, isLeftOut)).toEqual(NEVER);
  });

  test('fails with DPoP, too', async () => {
    const cases = await checkOf(careless, WITH_DPOP, DPOP);
    expect(ids(cases, isFault)).toEqual(['token-type-bearer-for-dpop', 'dpop-nonce-always']);
    expect(ids(cases, isLeftOut)).toEqual([]);
  });
});

describe('openid-client 6', () => {
  test('accepts nothing that must be refused', { timeout: LONG }, async () => {
    const cases = await checkOf(openidClient);
    expect(ids(cases, isFault)).toEqual([
      'iss-unexpected',
      ...CLAIMS,
      ...SIGNATURES,
      'userinfo-token-rejected',
    ]);
    expect(ids(cases, isLeftOut)).toEqual([...NEVER, ...NO_KEYS]);
  });

  test(
    'refuses invalid signatures with enableNonRepudiationChecks',
    { timeout: LONG },
    async () => {
      const cases = await checkOf(openidClient, { nonRepudiation: true });
      expect(ids(cases, isFault)).toEqual(['iss-unexpected', ...CLAIMS, 'userinfo-token-rejected']);
      expect(ids(cases, isLeftOut)).toEqual(NEVER);
    },
  );

  test('behaves as expected with DPoP', async () => {
    const cases = await checkOf(openidClient, WITH_DPOP, DPOP);
    expect(ids(cases, (one) => isFault(one) || isLeftOut(one))).toEqual([]);
  });
});

describe('oauth4webapi 3', () => {
  test('accepts nothing that must be refused', { timeout: LONG }, async () => {
    const cases = await checkOf(oauth4webapi);
    expect(ids(cases, isFault)).toEqual(['iss-unexpected', ...CLAIMS, 'userinfo-token-rejected']);
    expect(ids(cases, isLeftOut)).toEqual(NEVER);
  });

  test('behaves as expected with DPoP', async () => {
    const cases = await checkOf(oauth4webapi, WITH_DPOP, DPOP);
    expect(ids(cases, (one) => isFault(one) || isLeftOut(one))).toEqual([]);
  });
});
