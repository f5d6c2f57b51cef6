// `grantbench run --against`: runs a scenario at a provider. Its responses are compared with what the scenario
// expects or, with --compare, with the responses of a sandbox that gets the same steps.

import { readKnownProvider } from '../../../engine/provider/known-provider.ts';
import { ProviderError } from '../../../engine/provider/provider-error.ts';
import { openInBrowser } from '../../browser.ts';
import { CommandError } from '../../command-error.ts';
import { remark, withoutControls } from '../../terminal/print.ts';
import { type Plan, planFor } from '../../../scenario/against/plan.ts';
import { comparisonResult, expectedResult } from '../../../scenario/against/result.ts';
import {
  asExpectedOfProvider,
  forProvider,
  withChangedSteps,
  withoutExpectation,
  withSteps,
} from '../../../scenario/against/sent-steps.ts';
import type { ParsedScenario } from '../../../scenario/parse.ts';
import {
  createRunRedactor,
  runScenario,
  type ScenarioResult,
} from '../../../scenario/runner/run-steps.ts';
import type { HttpAnswer, ScenarioSandbox } from '../../../scenario/runner/scenario-sandbox.ts';
import { openSandbox } from './own-sandbox.ts';
import { foreignSandbox, type Foreign, type RunCredentials } from './foreign-sandbox.ts';

export interface AgainstOptions {
  /** The issuer of the provider to run scenarios at; null for none. */
  readonly against: string | null;
  /** Whether to compare the responses with those of a sandbox. */
  readonly compare: boolean;
  /** The redirect URI for signing in with a browser; null for no sign-in. */
  readonly signIn: string | null;
  readonly allowDestructive: boolean;
  readonly allowOrigin: readonly string[];
  readonly allowAddress: readonly string[];
}

/** Also prints the URL, so that it can be opened on another machine. */
function showInBrowser({ href }: URL): void {
  remark(`Sign in at the provider: ${withoutControls(href)}`);
  openInBrowser(href, 'that was printed');
}

/** @throws CommandError if the provider cannot be used */
export async function openTarget(issuer: string, options: AgainstOptions): Promise<Target> {
  const { compare, allowDestructive, allowOrigin, allowAddress, signIn } = options;
  const credentials = credentialsOfRun(process.env);
  try {
    const provider = await readKnownProvider(issuer, { named: allowAddress, origins: allowOrigin });
    const sign_in = signIn === null ? null : { redirect_uri: signIn, show: showInBrowser };
    return { provider, credentials, sign_in, compare, allow_destructive: allowDestructive };
  } catch (error) {
    if (error instanceof ProviderError) throw new CommandError(2, withoutControls(error.message));
    throw error;
  }
}

const NAMES = {
  client_id: 'GRANTBENCH_AGAINST_CLIENT_ID',
  client_secret: 'GRANTBENCH_AGAINST_CLIENT_SECRET',
  username: 'GRANTBENCH_AGAINST_USERNAME',
  password: 'GRANTBENCH_AGAINST_PASSWORD',
} as const;

/**
 * Reads the credentials from environment variables, because other users can read the command line of a process, and
 * scenarios are shared.
 * @throws CommandError if no client is set
 */
function credentialsOfRun(environment: NodeJS.ProcessEnv): RunCredentials {
  const valueOf = (name: keyof typeof NAMES) => environment[NAMES[name]] || null;
  const client_id = valueOf('client_id');
  if (client_id === null) {
    throw new CommandError(
      2,
      `${NAMES.client_id} is not set. Register a client at the provider, and set ${NAMES.client_id} and, unless it is public, ${NAMES.client_secret}.`,
    );
  }
  const [name, password] = [valueOf('username'), valueOf('password')];
  const user = name === null || password === null ? null : { name, password };
  return { client_id, client_secret: valueOf('client_secret'), user };
}

interface Target extends Foreign {
  /** Whether to compare the responses with those of a sandbox. */
  readonly compare: boolean;
  readonly allow_destructive: boolean;
}

const NO_SIGN_IN = 'signing in at the provider needs --sign-in REDIRECT_URI';

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

const redactorOf = (of: Pick<ScenarioSandbox, 'clients' | 'users'>) =>
  createRunRedactor({ secrets: () => [] }, of);

function nameRedactor({ client_secret, user }: Foreign['credentials']) {
  const secrets = [client_secret, user?.password].filter((secret) => typeof secret === 'string');
  return (name: string) =>
    secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), name);
}

/** @param version of Grantbench, for the sandbox to compare with */
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

/** Wraps the sandbox to record its responses by the index of the step. */
function withAnswers(sandbox: ScenarioSandbox, answers: Map<number, HttpAnswer>) {
  let step = 0;
  const noting: ScenarioSandbox = {
    ...sandbox,
    onStep: (index) => {
      step = index;
      sandbox.onStep?.(index);
    },
    send: async (request) => {
      const answer = await sandbox.send(request);
      answers.set(step, answer);
      return answer;
    },
  };
  return noting;
}
