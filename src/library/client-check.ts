// A case of a client check in a test process: the login of the test under misbehaviour, and a good one after it.

import { AssertionError } from 'node:assert';
import type { ControlClient } from '../control/contract.ts';
import type { CheckResult } from '../control/schemas.ts';
import type { Login } from './grantbench.ts';

type Checks = ControlClient['clientChecks'];

/** How the login ended, as one that is told by whether its promise is fulfilled. */
const endOf = (login: Login): Promise<'succeeded' | 'failed'> =>
  Promise.resolve()
    .then(login)
    .then(
      () => 'succeeded',
      () => 'failed',
    );

async function run(checks: Checks, id: string, login: Login): Promise<CheckResult> {
  await checks.start({ case: id });
  try {
    return await checks.end({ login: await endOf(login) });
  } finally {
    await checks.stop();
  }
}

/** The result of a case; a good login follows where that decides. */
export async function checkCase(
  { clientChecks }: Pick<ControlClient, 'clientChecks'>,
  id: string,
  login: Login,
): Promise<CheckResult> {
  const result = await run(clientChecks, id, login);
  if (!result.awaits_good_login) return result;
  await run(clientChecks, 'good-login', login);
  const { items } = await clientChecks.results();
  return items.find((one) => one.id === id) ?? result;
}

/** @throws AssertionError for a fault of the app */
export function assertSafe(found: CheckResult): CheckResult {
  if (!found.fault) return found;
  const { id, title, why, advice, section, result, expected } = found;
  throw new AssertionError({
    message: `${title} (${id}): ${why} ${advice} (${section})`,
    actual: result,
    expected: expected === 'accept' ? 'passed' : 'refused',
    operator: 'expectSafe',
  });
}
