// One scenario at the provider: what it answers is held against what the scenario expects or, to compare, against the
// answers of a sandbox that the same steps are sent to.

import { planFor, type Plan } from '../../../../scenario/against/plan.ts';
import { comparisonResult, expectedResult } from '../../../../scenario/against/result.ts';
import {
  asExpectedOfProvider,
  forProvider,
  withChangedSteps,
  withoutExpectation,
  withSteps,
} from '../../../../scenario/against/sent-steps.ts';
import type { ParsedScenario } from '../../../../scenario/reader/parse.ts';
import { createRunRedactor } from '../../../../scenario/runner/redaction.ts';
import { runScenario, type ScenarioResult } from '../../../../scenario/runner/run.ts';
import type { HttpAnswer, ScenarioSandbox } from '../../../../scenario/runner/sandbox.ts';
import { openSandbox } from '../own-sandbox.ts';
import { withAnswers } from './answers.ts';
import { foreignSandbox, type Foreign } from './foreign-sandbox.ts';

export interface Target extends Foreign {
  /** Whether the answers are compared with those of a sandbox. */
  readonly compare: boolean;
  readonly allow_destructive: boolean;
}

const NO_SIGN_IN = 'nobody signs in at the provider; allow it with --sign-in REDIRECT_URI';

function planOf(parsed: ParsedScenario, target: Target): Plan {
  const { provider, credentials, sign_in, allow_destructive } = target;
  const has = [
    ...(credentials.client_secret === null ? [] : ['client.client_secret', 'client.basic']),
    ...(sign_in === null ? [] : ['client.redirect_uri']),
    ...(credentials.user === null ? [] : ['user.sub', 'user.password']),
  ];
  return planFor(parsed, {
    unavailable: (name) => {
      const found = provider.endpoint(name);
      return typeof found === 'string' ? found : null;
    },
    no_sign_in: sign_in === null ? NO_SIGN_IN : null,
    has: new Set(has),
    allow_destructive,
  });
}

async function answered(
  file: string,
  parsed: ParsedScenario,
  open: () => Promise<ScenarioSandbox>,
) {
  const answers = new Map<number, HttpAnswer>();
  const result = await runScenario(file, parsed, async () => withAnswers(await open(), answers));
  return { result, answers };
}

/** Redacts the secrets of the sandbox's clients and users, or of the run's. */
const redactorOf = (of: Pick<ScenarioSandbox, 'clients' | 'users'>) =>
  createRunRedactor({ secrets: () => [] }, of);

function nameRedactor({ client_secret, user }: Foreign['credentials']) {
  const secrets = [client_secret, user?.password].filter((secret) => typeof secret === 'string');
  return (name: string) =>
    secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), name);
}

/** @param version of the sandbox that is compared with */
export async function runAgainst(
  file: string,
  parsed: ParsedScenario,
  target: Target,
  version: string,
): Promise<ScenarioResult> {
  const { compare, credentials } = target;
  const whole = withChangedSteps(parsed, compare ? withoutExpectation : asExpectedOfProvider);
  const plan = planOf(whole, target);
  const sent = withSteps(whole, plan.sent);
  const there = withChangedSteps(sent, forProvider);
  const foreign = foreignSandbox(there, target);
  const provider = await answered(file, there, () => Promise.resolve(foreign));
  const hideOfScenario = redactorOf(parsed.workspace);
  if (!compare) return expectedResult(parsed, plan, provider.result, hideOfScenario);
  const sandbox = await answered(file, sent, () => openSandbox(parsed, version));
  const hideInName = nameRedactor(credentials);
  const runs = { sandbox, provider, hide: redactorOf(foreign), hideInName };
  return comparisonResult(parsed, plan, runs, hideOfScenario);
}
