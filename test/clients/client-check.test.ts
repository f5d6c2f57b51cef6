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

async function checkOf(login: string, env: NodeJS.ProcessEnv = {}): Promise<readonly Found[]> {
  const { stdout } = await runCli(
    [
      'check',
      '--profile',
      'interop',
      '--json',
      '--',
      process.execPath,
      `test/support/logins/${login}`,
    ],
    { env },
  );
  return (JSON.parse(stdout) as { readonly cases: readonly Found[] }).cases;
}

const ids = (cases: readonly Found[], wanted: (one: Found) => boolean) =>
  cases.filter(wanted).map(({ id }) => id);
const isFault = ({ fault }: Found) => fault;
const isLeftOut = ({ result }: Found) => !['passed', 'refused', 'accepted'].includes(result);

/** Cases that need DPoP or a scope that differs from the requested one. */
const NEVER = ['token-type-bearer-for-dpop', 'scope-absent'];
/**
 * A client that does not verify the signature in the code flow (OpenID Connect Core 3.1.3.7, 6) never requests the
 * keys.
 */
const NO_KEYS = ['jwks-empty', 'jwks-unavailable', 'jwks-html'];

describe('a careless client', () => {
  test('fails every case that must be refused', async () => {
    const cases = await checkOf('careless.mjs');
    expect(
      ids(cases, (one) => one.expected === 'refuse' && !isFault(one) && !isLeftOut(one)),
    ).toEqual([
      // This case proves that the exit code of the login is meaningful.
      'token-500',
    ]);
    expect(ids(cases, isLeftOut)).toEqual(NEVER);
  });
});

describe('openid-client 6', () => {
  test('accepts only an invalid azp, iat, at_hash or signature', async () => {
    const cases = await checkOf('openid-client.mjs');
    expect(ids(cases, isFault)).toEqual([
      ...['id-token-azp-other', 'id-token-iat-old', 'id-token-at-hash-other'],
      ...['id-token-signature-invalid', 'id-token-key-unknown', 'id-token-kid-unknown'],
    ]);
    expect(ids(cases, isLeftOut)).toEqual([...NEVER, ...NO_KEYS]);
  });

  test('refuses invalid signatures with enableNonRepudiationChecks', async () => {
    const cases = await checkOf('openid-client.mjs', { GRANTBENCH_TEST_NON_REPUDIATION: '1' });
    expect(ids(cases, isFault)).toEqual([
      'id-token-azp-other',
      'id-token-iat-old',
      'id-token-at-hash-other',
    ]);
    expect(ids(cases, isLeftOut)).toEqual(NEVER);
  });
});

describe('oauth4webapi 3', () => {
  test('accepts only an invalid azp, iat or at_hash', async () => {
    const cases = await checkOf('oauth4webapi.mjs');
    expect(ids(cases, isFault)).toEqual([
      'id-token-azp-other',
      'id-token-iat-old',
      'id-token-at-hash-other',
    ]);
    expect(ids(cases, isLeftOut)).toEqual(NEVER);
  });
});
