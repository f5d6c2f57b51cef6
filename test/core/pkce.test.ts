// RFC 7636 and the row on PKCE in behaviour 3.

import { describe, expect, test } from 'vitest';
import {
  type AuthorizationOrder,
  AuthorizationProblem,
} from '../../src/core/authorization/direct-code.ts';
import { shortCause } from '../../src/core/checks/describe-cause.ts';
import {
  client,
  createTestService,
  expectRefusal,
  PUBLIC,
  sha256,
  withCode,
} from '../support/core.ts';

/** The example of RFC 7636 appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const S256 = { code_challenge: CHALLENGE, code_challenge_method: 'S256' } as const;
const PLAIN = { code_challenge: VERIFIER, code_challenge_method: 'plain' } as const;

/** A code that was issued with this challenge, and its exchange with a verifier. */
async function withChallenge(order: Partial<AuthorizationOrder> = {}) {
  const { code, send, answered } = await withCode({}, order);
  return { code, answered, send: (code_verifier?: string) => send({ code_verifier }) };
}

test('RFC 7636 appendix B: the example verifier matches the example challenge', async () => {
  expect(sha256(VERIFIER)).toBe(CHALLENGE);
  const { send, answered } = await withChallenge(S256);
  answered(await send(VERIFIER));
});

test('RFC 7636 4.3: a challenge without a method is plain', async () => {
  const { code, send, answered } = await withChallenge({ code_challenge: VERIFIER });
  expect(code.code_challenge_method).toBe('plain');
  answered(await send(VERIFIER));
});

describe.each([
  ['S256', S256],
  ['plain', PLAIN],
] as const)('%s', (method, order) => {
  const expectRejected = async (verifier: string | undefined, reason: string, cause?: string) => {
    const { send, answered } = await withChallenge(order);
    const { refusal } = await send(verifier);
    expect(refusal).toMatchObject({ reason, code: 'invalid_grant', check: 'pkce' });
    if (cause !== undefined) expect(refusal && shortCause(refusal)).toBe(cause);
    answered(await send(VERIFIER));
  };

  test(`behaviour 3.6 (${method}): a missing or empty verifier is invalid_grant, and the code stays good`, async () => {
    await expectRejected(undefined, 'code_verifier_missing');
    await expectRejected('', 'code_verifier_missing');
  });

  test(`behaviour 3.6 (${method}): a wrong verifier is invalid_grant, and the code stays good`, async () => {
    await expectRejected('w'.repeat(43), 'code_verifier_wrong', `challenge method ${method}`);
    await expectRejected(VERIFIER.toLowerCase(), 'code_verifier_wrong');
  });

  test(`RFC 7636 4.1 (${method}): a verifier of 42 characters is too short, and one of 129 too long`, async () => {
    const malformed = 'code_verifier_malformed';
    await expectRejected('v'.repeat(42), malformed, 'it has 42 characters');
    await expectRejected('v'.repeat(129), malformed, 'it has 129 characters');
  });

  test(`RFC 7636 4.1 (${method}): characters that are not unreserved are rejected, and the cause says where, not how many there are`, async () => {
    for (const odd of ['+', '/', '=', ' ', 'é', '\0']) {
      const cause = 'its character 44 is not a letter, a digit, or one of - . _ ~';
      await expectRejected(`${'v'.repeat(43)}${odd}`, 'code_verifier_malformed', cause);
    }
  });
});

test.each([43, 128])('RFC 7636 4.1: a verifier of %i characters is valid', async (length) => {
  const verifier = 'v~._-'.repeat(26).slice(0, length);
  for (const order of [
    { code_challenge: sha256(verifier), code_challenge_method: 'S256' },
    { code_challenge: verifier, code_challenge_method: 'plain' },
  ] as const) {
    const { send, answered } = await withChallenge(order);
    answered(await send(verifier));
  }
});

test('RFC 7636 4.6 (S256): the challenge itself is not a valid verifier', async () => {
  const { send } = await withChallenge(S256);
  expectRefusal(await send(CHALLENGE), 'code_verifier_wrong');
});

test('behaviour 3.6: a verifier for a code issued without challenge is invalid_grant, and the code stays good', async () => {
  const { send, answered } = await withChallenge();
  expectRefusal(await send(VERIFIER), 'code_verifier_unexpected');
  answered(await send());
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
      clients: [client(PUBLIC)],
    });
    expect(await problem(issueCode())).toBe(
      'code_challenge is required for a client without a secret',
    );
  });
});
