// The maximum length of values that are kept after a request, and how traces show longer values.

import { describe, expect, test } from 'vitest';
import { MAX_SHOWN, OAuthError } from '../../src/core/checks/errors.ts';
import { PARAMETER_LIMITS } from '../../src/core/records/bounds.ts';
import { createEvaluation, note, pass } from '../../src/core/checks/trace.ts';
import { createAuthorizationBench } from '../support/authorization.ts';
import { createTestService, expectRefusal, tokenRequest } from '../support/core.ts';

describe('at the authorization endpoint', () => {
  test.each(Object.entries(PARAMETER_LIMITS))(
    '%s of more than %i characters is rejected, with its name and the rule',
    async (name, limit) => {
      const { ask } = createAuthorizationBench();
      const { outcome, refusal } = await ask({ [name]: 'a'.repeat(limit + 1) });
      expect([refusal?.reason, refusal?.code]).toEqual(['parameter_too_long', 'invalid_request']);
      expect(refusal?.description).toBe(`${name} must not be longer than ${limit} characters`);
      expect(outcome?.kind).toBe('answer');
    },
  );

  test.each(['nonce', 'state', 'login_hint'] as const)(
    '%s of the maximum length is accepted',
    async (name) => {
      const { ask } = createAuthorizationBench();
      const { outcome } = await ask({ [name]: 'a'.repeat(PARAMETER_LIMITS[name]) });
      expect(outcome?.kind).toBe('question');
    },
  );
});

test('a scope that is too long is rejected at the token endpoint', async () => {
  const { evaluate } = createTestService();
  const scope = 'a'.repeat(PARAMETER_LIMITS.scope + 1);
  const request = tokenRequest({ code: 'x', scope });
  expectRefusal(await evaluate(request), 'parameter_too_long');
});

describe('a trace', () => {
  const long = 'x'.repeat(60_000);

  test('shows the beginning of a long value', () => {
    const evaluation = createEvaluation(1);
    pass(evaluation, 'pkce', { expected: long, got: long, note: long });
    note(evaluation, 'unknown_scope_dropped', long);
    const [check] = evaluation.checks;
    if (typeof check !== 'object') throw new Error('no operands');
    for (const text of [check.expected, check.got, check.note, evaluation.deviations[0]?.about]) {
      expect(text).toBe(`${'x'.repeat(MAX_SHOWN)}…`);
    }
  });

  test('keeps no more of a rejected value', () => {
    expect(new OAuthError('client_unknown', { got: long }).facts.got).toHaveLength(MAX_SHOWN + 1);
  });
});
