// `grantbench check` of real clients: the result of every case. The lists are fixed; the guide explains them.

import { describe, expect, test } from 'vitest';
import { runCli } from '../support/run-cli.ts';

interface Found {
  readonly id: string;
  readonly level: string;
  readonly expected: string;
  readonly result: string;
  readonly fault: boolean;
}

async function checkOf(
  login: string,
  env: NodeJS.ProcessEnv = {},
  only: readonly string[] = [],
): Promise<readonly Found[]> {
  const flags = ['--profile', 'interop', '--json', ...only.flatMap((id) => ['--case', id])];
  const command = [process.execPath, `test/support/logins/${login}`];
  const { stdout } = await runCli(['check', ...flags, '--', ...command], { env });
  const { cases } = JSON.parse(stdout) as { readonly cases: readonly Found[] };
  // No login of these tests can receive a logout token.
  return cases.filter(({ id }) => !id.startsWith('logout-token-'));
}

const ids = (cases: readonly Found[], wanted: (one: Found) => boolean) =>
  cases.filter(wanted).map(({ id }) => id);
const isFault = ({ fault }: Found) => fault;
const isLeftOut = ({ result }: Found) => !['passed', 'refused', 'accepted'].includes(result);

/** What only rotated refresh tokens, a scope that differs or a DPoP proof would change. */
const NEVER = [
  ...['token-type-bearer-for-dpop', 'scope-absent', 'refresh-token-absent'],
  ...['dpop-nonce-required', 'dpop-nonce-always'],
];
const DPOP = NEVER.filter((id) => id.includes('dpop'));
const WITH_DPOP = { GRANTBENCH_TEST_DPOP: '1' };
/**
 * A client that does not verify the signature in the code flow (OpenID Connect Core 3.1.3.7, 6) never requests the
 * keys.
 */
const NO_KEYS = ['jwks-empty', 'jwks-unavailable', 'jwks-html'];
/** Only recommended, or up to the client (OpenID Connect Core 3.1.3.7 and 3.1.3.8). */
const CLAIMS = ['id-token-azp-other', 'id-token-iat-old', 'id-token-at-hash-other'];
const SIGNATURES = [
  ...['id-token-signature-invalid', 'id-token-key-unknown', 'id-token-kid-unknown'],
];

/** For a run of every case. */
const LONG = 600_000;

describe('a careless client', () => {
  test('fails every case that must be refused', { timeout: LONG }, async () => {
    const cases = await checkOf('careless.mjs');
    expect(
      ids(cases, (one) => one.expected === 'refuse' && !isFault(one) && !isLeftOut(one)),
    ).toEqual([
      // This case proves that the exit code of the login is meaningful.
      'token-500',
    ]);
    expect(ids(cases, isLeftOut)).toEqual(NEVER);
  });

  test('fails with DPoP, too', async () => {
    const cases = await checkOf('careless.mjs', WITH_DPOP, DPOP);
    expect(ids(cases, isFault)).toEqual(['token-type-bearer-for-dpop', 'dpop-nonce-always']);
    expect(ids(cases, isLeftOut)).toEqual([]);
  });
});

describe('openid-client 6', () => {
  test('accepts nothing that must be refused', { timeout: LONG }, async () => {
    const cases = await checkOf('openid-client.mjs');
    expect(ids(cases, isFault)).toEqual([
      ...['iss-unexpected', ...CLAIMS, ...SIGNATURES, 'userinfo-token-rejected'],
    ]);
    expect(ids(cases, isLeftOut)).toEqual([...NEVER, ...NO_KEYS]);
  });

  test(
    'refuses invalid signatures with enableNonRepudiationChecks',
    { timeout: LONG },
    async () => {
      const cases = await checkOf('openid-client.mjs', { GRANTBENCH_TEST_NON_REPUDIATION: '1' });
      expect(ids(cases, isFault)).toEqual(['iss-unexpected', ...CLAIMS, 'userinfo-token-rejected']);
      expect(ids(cases, isLeftOut)).toEqual(NEVER);
    },
  );

  test('behaves as expected with DPoP', async () => {
    const cases = await checkOf('openid-client.mjs', WITH_DPOP, DPOP);
    expect(ids(cases, (one) => isFault(one) || isLeftOut(one))).toEqual([]);
  });
});

describe('oauth4webapi 3', () => {
  test('accepts nothing that must be refused', { timeout: LONG }, async () => {
    const cases = await checkOf('oauth4webapi.mjs');
    expect(ids(cases, isFault)).toEqual(['iss-unexpected', ...CLAIMS, 'userinfo-token-rejected']);
    expect(ids(cases, isLeftOut)).toEqual(NEVER);
  });

  test('behaves as expected with DPoP', async () => {
    const cases = await checkOf('oauth4webapi.mjs', WITH_DPOP, DPOP);
    expect(ids(cases, (one) => isFault(one) || isLeftOut(one))).toEqual([]);
  });
});
