// Runs a scenario in the sandbox that the page looks at, in a fresh diagram: at once when it only issues
// codes and tokens, after a question when it changes more.

import type { Exchange, IssueCode } from '../../../../control/schemas.ts';
import { parseScenarioInUse } from '../../../../scenario/reader/in-use.ts';
import type { ParsedScenario } from '../../../../scenario/reader/parse.ts';
import { runScenario, type ScenarioResult } from '../../../../scenario/runner/run.ts';
import type { ScenarioSandbox } from '../../../../scenario/runner/sandbox.ts';
import type { ScenarioStep } from '../../../../scenario/schema.ts';
import { attempt } from '../../../actions/sandbox.ts';
import { control, problemOf } from '../../../connection/control.ts';
import { page } from '../../../connection/state.ts';
import { confirm } from '../../../ui/confirm.ts';
import { apiOutcome } from '../api-outcome.ts';
import { startingInputs } from '../flow-inputs.ts';
import {
  restarted,
  withEvent,
  withInputs,
  withRepeated,
  withStep,
  type FlowState,
} from '../flow-state.ts';
import { FLOW_GRANTS, type FlowGrant, type StepId } from '../flow-steps.ts';
import { deviceOf } from '../../../exchange/device-answer.ts';
import { drawDecision } from '../run-device.ts';
import {
  DEVICE_CODE_GRANT,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../../../oauth/token-request.ts';
import { changeFlow, flow } from '../flow-store.ts';
import { alone } from '../run.ts';
import { holdTokens, outcomeOf } from '../send-step.ts';
import type { Replayed } from './replay-state.ts';
import { changesOf, openLiveSandbox, type IssuedCode } from './live-sandbox.ts';

/** The card of the page that does what the step does. */
function cardOf({ token, request, authorize, issue_code, authorize_device }: ScenarioStep): StepId {
  if (authorize_device !== undefined) return 'device';
  if (token?.grant === DEVICE_CODE_GRANT) return 'poll';
  if (token?.grant === TOKEN_EXCHANGE_GRANT) return 'swap';
  if (token?.grant === JWT_BEARER_GRANT) return 'bearer';
  if (token?.grant === 'password') return 'password';
  if (authorize !== undefined || issue_code !== undefined) return 'code';
  if (request?.path.startsWith('/userinfo') === true) return 'api';
  if (request?.path === '/.well-known/jwks.json') return 'token';
  return token?.grant === 'refresh_token' ? 'refresh' : 'exchange';
}

function draw(step: ScenarioStep, exchange: Exchange): void {
  const card = cardOf(step);
  const event = { kind: 'exchange', step: card, exchange, verdict: null } as const;
  const repeats = (step.repeat ?? 1) > 1;
  changeFlow((state) => (repeats ? withRepeated(state, event) : withEvent(state, event)));
  holdTokens(exchange, card);
  const device = deviceOf(exchange, exchange.client_id ?? '');
  if (device !== null) changeFlow((state) => ({ ...state, device }));
  const outcome = card === 'api' ? apiOutcome(exchange) : outcomeOf(exchange);
  changeFlow((state) => withStep(state, card, outcome));
}

function drawIssued(request: IssueCode, issued: IssuedCode): void {
  const { code, expires_at, redirect_to, lineage_id } = issued;
  const sub = request.sub ?? 'the first user';
  const at = page.getState().clock?.now ?? new Date().toISOString();
  const event = { at, request, sub, code, expires_at, redirect_to, lineage_id };
  changeFlow((state) => withEvent(state, { kind: 'issue', ...event }));
}

/** Tries again as long as the person wants it: what was there is only remembered here. */
async function closed(sandbox: ScenarioSandbox): Promise<void> {
  for (;;) {
    try {
      await sandbox.close();
      return;
    } catch (error) {
      const goOn = await confirm({
        title: 'The sandbox is not restored yet',
        body: `The scenario’s changes could not be undone: ${problemOf(error).message}`,
        confirm: 'Try again',
      });
      if (!goOn) throw error;
    }
  }
}

async function openHere(parsed: ParsedScenario): Promise<ScenarioSandbox> {
  let current: ScenarioStep = {};
  const sandbox = await openLiveSandbox(parsed, {
    control,
    former: await control.workspace.get(),
    onStep: (step) => {
      current = step;
    },
    onExchange: (exchange) => draw(current, exchange),
    onIssued: drawIssued,
    onDecided: (decision, device) => void drawDecision(device, decision),
    isStopped: () => flow.getState().replaying?.stopping === true,
  });
  return { ...sandbox, close: () => closed(sandbox) };
}

function replayedOf({ name, steps }: ScenarioResult): Replayed {
  const index = steps.findIndex(({ failure }) => failure !== null);
  const { title = '', failure = null } = steps[index] ?? {};
  if (failure === null) return { name, steps: steps.length, failure: null };
  const { message, differences } = failure;
  return {
    name,
    steps: steps.length,
    failure: {
      step: index + 1,
      title,
      message,
      differences: differences.map(
        ({ what, expected, got }) => `${what}: ${got} instead of ${expected}`,
      ),
    },
  };
}

const isShown = (grant: string | undefined): boolean =>
  FLOW_GRANTS.some((known) => known === grant);

/** The grant whose steps are shown: that of a device when the scenario has one, else the first one. */
function grantOf(steps: readonly ScenarioStep[]): FlowGrant {
  if (steps.some(({ authorize_device }) => authorize_device !== undefined))
    return DEVICE_CODE_GRANT;
  const grants = steps.map(({ authorize, issue_code, token }) =>
    authorize === undefined && issue_code === undefined ? token?.grant : 'authorization_code',
  );
  return FLOW_GRANTS.find((known) => known === grants.find(isShown)) ?? 'authorization_code';
}

/** The client and the user that the steps name first are those the flow goes on with. */
function withParty(
  state: FlowState,
  { scenario: { steps, workspace } }: ParsedScenario,
): FlowState {
  const grant = grantOf(steps);
  if (workspace !== undefined)
    return grant === state.inputs.grant ? state : withInputs(state, { ...startingInputs(), grant });
  const named = steps.map(
    ({ authorize, issue_code, authorize_device, token }) =>
      authorize ?? issue_code ?? authorize_device ?? token,
  );
  const client_id = named.find((order) => order?.client !== undefined)?.client ?? null;
  const user = steps.map(
    ({ authorize, issue_code, approve_device }) =>
      (authorize ?? issue_code ?? approve_device)?.user,
  );
  const sub = user.find((one) => one !== undefined) ?? null;
  return withInputs(state, { ...startingInputs(), grant, client_id, sub });
}

const keepOpen = (event: BeforeUnloadEvent) => event.preventDefault();

async function run(parsed: ParsedScenario): Promise<void> {
  const { name } = parsed.scenario;
  const { workspace, clock } = changesOf(parsed);
  changeFlow((state) => ({
    ...withParty(restarted(state), parsed),
    replaying: { name, stopping: false },
  }));
  if (workspace || clock) addEventListener('beforeunload', keepOpen);
  try {
    const result = await runScenario(name, parsed, () => openHere(parsed));
    changeFlow((state) => ({ ...state, name, replayed: replayedOf(result) }));
  } finally {
    removeEventListener('beforeunload', keepOpen);
    changeFlow((state) => ({ ...state, replaying: null }));
  }
}

/** Whether it may be run: at once when it changes nothing that would have to be put back. */
async function isAllowed(parsed: ParsedScenario): Promise<boolean> {
  const { workspace, clock } = changesOf(parsed);
  if (!workspace && !clock) return true;
  const sentences = ['It changes the sandbox while it runs.'];
  if (workspace) {
    sentences.push(
      'Its clients, users, audiences and settings are applied, and fault rules are disarmed.',
    );
  }
  if (clock) sentences.push('The clock is moved, and whatever expires stays expired.');
  sentences.push('Its changes are undone afterwards.');
  if (workspace) sentences.push('Fault rules are counted from zero again.');
  return confirm({
    title: `Run “${parsed.scenario.name}” in this sandbox?`,
    body: sentences.join(' '),
    confirm: 'Run',
  });
}

/** @param source the name of the file or of the saved flow */
export const replay = (source: string, text: string): Promise<boolean> =>
  attempt(`“${source}” was not run.`, async () => {
    const parsed = await parseScenarioInUse(text, await control.workspace.get());
    if ('problems' in parsed) {
      const problems = parsed.problems.map(({ line, column, path, message }) =>
        [`${line}:${column}`, path, message].filter((part) => part !== '').join(' '),
      );
      changeFlow((state) => ({
        ...state,
        unreadable: { name: source, use: 'run here', problems },
      }));
      return;
    }
    if (await isAllowed(parsed)) await alone('all', () => run(parsed));
  });
