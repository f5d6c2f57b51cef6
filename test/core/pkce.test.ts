// RFC 7636 and the row on PKCE in behaviour 3.

import { describe, expect, test } from 'vitest';
import { AuthorizationProblem } from '../../src/core/authorization/authorize.ts';
import { shortCause } from '../../src/core/checks/refusals/describe-cause.ts';
import { client, createTestService, expectRefusal, sha256 } from '../support/core.ts';

/** The example of RFC 7636 appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const S256 = { code_challenge: CHALLENGE, code_challenge_method: 'S256' } as const;
const PLAIN = { code_challenge: VERIFIER, code_challenge_method: 'plain' } as const;

test('RFC 7636 appendix B: the example verifier matches the example challenge', async () => {
  expect(sha256(VERIFIER)).toBe(CHALLENGE);
  const { issueCode, exchange, answered } = createTestService();
  answered(await exchange((await issueCode(S256)).value, { code_verifier: VERIFIER }));
});

test('RFC 7636 4.6: with plain the verifier equals the challenge', async () => {
  const { issueCode, exchange, answered } = createTestService();
  answered(await exchange((await issueCode(PLAIN)).value, { code_verifier: VERIFIER }));
});

test('RFC 7636 4.3: a challenge without a method is plain', async () => {
  const { issueCode, exchange, answered } = createTestService();
  const code = await issueCode({ code_challenge: VERIFIER });
  expect(code.code_challenge_method).toBe('plain');
  answered(await exchange(code.value, { code_verifier: VERIFIER }));
});

describe.each([
  ['S256', S256],
  ['plain', PLAIN],
] as const)('%s', (method, order) => {
  const expectRefused = async (verifier: string | undefined, reason: string, cause?: string) => {
    const { issueCode, exchange, answered } = createTestService();
    const code = (await issueCode(order)).value;
    const { refusal } = await exchange(code, { code_verifier: verifier });
    expect(refusal).toMatchObject({ reason, code: 'invalid_grant', check: 'pkce' });
    if (cause !== undefined) expect(refusal && shortCause(refusal)).toBe(cause);
    answered(await exchange(code, { code_verifier: VERIFIER }));
  };

  test(`behaviour 3.6 (${method}): a missing or empty verifier is invalid_grant, and the code stays good`, async () => {
    await expectRefused(undefined, 'code_verifier_missing');
    await expectRefused('', 'code_verifier_missing');
  });

  test(`behaviour 3.6 (${method}): a wrong verifier is invalid_grant, and the code stays good`, async () => {
    await expectRefused('w'.repeat(43), 'code_verifier_wrong', `challenge method ${method}`);
    await expectRefused(VERIFIER.toLowerCase(), 'code_verifier_wrong');
  });

  test(`RFC 7636 4.1 (${method}): a verifier of 42 characters is too short, and one of 129 too long`, async () => {
    const malformed = 'code_verifier_malformed';
    await expectRefused('v'.repeat(42), malformed, 'it has 42 characters');
    await expectRefused('v'.repeat(129), malformed, 'it has 129 characters');
  });

  test(`RFC 7636 4.1 (${method}): characters that are not unreserved are refused, and the cause says where, not how many there are`, async () => {
    for (const odd of ['+', '/', '=', ' ', 'é', '\0']) {
      const cause = 'its character 44 is not a letter, a digit, or one of - . _ ~';
      await expectRefused(`${'v'.repeat(43)}${odd}`, 'code_verifier_malformed', cause);
    }
  });
});

test.each([43, 128])('RFC 7636 4.1: a verifier of %i characters is valid', async (length) => {
  const verifier = 'v~._-'.repeat(26).slice(0, length);
  const { issueCode, exchange, answered } = createTestService();
  for (const order of [
    { code_challenge: sha256(verifier), code_challenge_method: 'S256' },
    { code_challenge: verifier, code_challenge_method: 'plain' },
  ] as const) {
    answered(await exchange((await issueCode(order)).value, { code_verifier: verifier }));
  }
});

test('RFC 7636 4.6 (S256): the challenge itself is not a valid verifier', async () => {
  const { issueCode, exchange } = createTestService();
  const outcome = await exchange((await issueCode(S256)).value, { code_verifier: CHALLENGE });
  expectRefusal(outcome, 'code_verifier_wrong');
});

test('behaviour 3.6: a verifier for a code issued without challenge is invalid_grant, and the code stays good', async () => {
  const { issueCode, exchange, answered } = createTestService();
  const code = (await issueCode()).value;
  const outcome = await exchange(code, { code_verifier: VERIFIER });
  expectRefusal(outcome, 'code_verifier_unexpected');
  answered(await exchange(code));
});

describe('issuing a code', () => {
  const problem = async (promise: Promise<unknown>) => {
    const error: unknown = await promise.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof AuthorizationProblem)) throw new Error('granted', { cause: error });
    return `${error.field} ${error.message}`;
  };

  test('RFC 7636 4.2: an S256 challenge is 43 characters of base64url', async () => {
    const { issueCode } = createTestService();
    const message = 'code_challenge must be 43 base64url characters for S256';
    for (const code_challenge of [`${CHALLENGE}A`, CHALLENGE.slice(1), '~'.repeat(43), '']) {
      expect(await problem(issueCode({ ...S256, code_challenge }))).toBe(message);
    }
  });

  test('RFC 7636 4.2: a plain challenge is 43 to 128 unreserved characters', async () => {
    const { issueCode } = createTestService();
    const message = 'code_challenge must be 43 to 128 unreserved characters';
    for (const code_challenge of ['v'.repeat(42), 'v'.repeat(129), '+'.repeat(43)]) {
      expect(await problem(issueCode({ ...PLAIN, code_challenge }))).toBe(message);
    }
  });

  test('RFC 7636 4.3: a method without a challenge is rejected', async () => {
    const { issueCode } = createTestService();
    expect(await problem(issueCode({ code_challenge_method: 'S256' }))).toBe(
      'code_challenge is required with code_challenge_method',
    );
  });

  test('behaviour 1: a client without a secret must have a challenge', async () => {
    const { issueCode } = createTestService({
      clients: [client({ client_secret: null, token_endpoint_auth_method: 'none' })],
    });
    expect(await problem(issueCode())).toBe(
      'code_challenge is required for a client without a secret',
    );
  });
});
