// Runs a scenario in the sandbox in use, in an empty diagram. Asks first when it changes more than codes and tokens.

import type { Exchange } from '../../../control/schemas/exchanges.ts';
import { parseScenarioInUse, type ParsedScenario } from '../../../scenario/parse.ts';
import { runScenario, type ScenarioResult } from '../../../scenario/runner/run-steps.ts';
import type { ScenarioSandbox } from '../../../scenario/runner/scenario-sandbox.ts';
import type { ScenarioStep } from '../../../scenario/schema.ts';
import { countOf } from '../../../control/questions.ts';
import { attempt } from '../../actions/sandbox.ts';
import { endsInWords } from '../../actions/workspace.ts';
import { control, problemOf } from '../../connection/control.ts';
import { obstacleTo } from '../../connection/reach.ts';
import { confirm } from '../../ui/confirm.ts';
import {
  WALK_GRANTS,
  WALK_STEP_IDS,
  WALK_STEPS,
  type WalkGrant,
  type WalkStepId,
} from '../../../scenario/walks.ts';
import { DEVICE_CODE_GRANT } from '../../../oauth/token-request.ts';
import { deviceOf, tokenAnswerOf } from '../../exchange/answer.ts';
import { startingDocument } from './flow-document.ts';
import {
  type FlowState,
  restarted,
  withEvent,
  withGrant,
  withRepeated,
  withStep,
} from './flow-state.ts';
import { changeFlow, currentChoice, flow } from './flow-store.ts';
import { drawDecision, drawIssued, keepExchange, outcomeOf } from './perform-step.ts';
import { runExclusive } from './run-flow.ts';
import type { Replayed } from './run-results.ts';
import { changesOf, openSandbox } from './open-sandbox.ts';

/** The card that corresponds to a step of the scenario. */
function cardOf(
  { token, authorize, issue_code, authorize_device }: ScenarioStep,
  { endpoint }: Exchange,
): WalkStepId {
  if (authorize_device !== undefined) return 'device';
  if (authorize !== undefined || issue_code !== undefined) return 'code';
  if (endpoint === 'userinfo' || endpoint === 'api') return 'api';
  if (endpoint === 'jwks') return 'token';
  if (token === undefined) return 'exchange';
  const sends = (id: WalkStepId) => WALK_STEPS[id].step.token?.grant === token.grant;
  return WALK_STEP_IDS.find(sends) ?? 'exchange';
}

/** Stores the tokens and the device of a scenario, so that the flow can continue with them. */
function keepProvided(card: WalkStepId, exchange: Exchange): void {
  const tokens = tokenAnswerOf(exchange);
  const device = deviceOf(exchange);
  if (tokens === null && device === null) return;
  const { access_token, refresh_token } = tokens ?? {};
  const { device_code, user_code } = device ?? {};
  const obtained = Object.entries({ access_token, refresh_token, device_code, user_code });
  const values = new Map(Object.entries(flow.getState().variables));
  for (const [name, value] of obtained) if (typeof value === 'string') values.set(name, value);
  keepExchange(card, values, exchange, currentChoice().user?.sub ?? null);
}

function draw(step: ScenarioStep, exchange: Exchange): void {
  const card = cardOf(step, exchange);
  const event = { kind: 'exchange', step: card, exchange, verdict: null } as const;
  const repeats = step.repeat !== undefined && step.repeat !== 1;
  changeFlow((state) => (repeats ? withRepeated(state, event) : withEvent(state, event)));
  keepProvided(card, exchange);
  changeFlow((state) => withStep(state, card, outcomeOf(exchange, card)));
}

/** Retries until the user gives up, because only this page remembers the former state. */
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

/** @param signal ends the run before its next request */
async function openHere(parsed: ParsedScenario, signal: AbortSignal): Promise<ScenarioSandbox> {
  let current: ScenarioStep = {};
  const sandbox = await openSandbox(parsed, {
    control,
    former: await control.workspace.get(),
    onStep: (step) => {
      current = step;
    },
    onExchange: (exchange) => draw(current, exchange),
    onIssued: drawIssued,
    onDecided: drawDecision,
    signal,
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
        ({ what, expected, got }) => `${what}: expected ${expected}, actual ${got}`,
      ),
    },
  };
}

const isWalked = (grant: string | undefined): grant is WalkGrant =>
  WALK_GRANTS.some((known) => known === grant);

/** The grant whose steps are shown: device code when the scenario has a device, else its first grant. */
function grantOf(steps: readonly ScenarioStep[]): WalkGrant {
  if (steps.some(({ authorize_device }) => authorize_device !== undefined))
    return DEVICE_CODE_GRANT;
  const grants = steps.map(({ authorize, issue_code, token }) =>
    authorize === undefined && issue_code === undefined ? token?.grant : 'authorization_code',
  );
  // A scenario often gets a client_credentials token only to prepare another grant.
  const shown = grants.filter(isWalked);
  return shown.find((grant) => grant !== 'client_credentials') ?? shown[0] ?? 'authorization_code';
}

/** Selects the client and the user that the steps name first. */
function withParty(
  state: FlowState,
  { scenario: { steps, workspace } }: ParsedScenario,
): FlowState {
  const grant = grantOf(steps);
  if (workspace !== undefined) {
    return grant === state.document.grant ? state : withGrant(state, grant, null);
  }
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
  return { ...state, document: { ...startingDocument(grant), client_id, sub } };
}

const keepOpen = (event: BeforeUnloadEvent) => event.preventDefault();

async function run(parsed: ParsedScenario, signal: AbortSignal): Promise<void> {
  const { name } = parsed.scenario;
  const { workspace, clock } = changesOf(parsed);
  changeFlow((state) => ({ ...withParty(restarted(state), parsed), replaying: name }));
  if (workspace || clock) addEventListener('beforeunload', keepOpen);
  try {
    const result = await runScenario(name, parsed, () => openHere(parsed, signal));
    changeFlow((state) => ({ ...state, name, replayed: replayedOf(result) }));
  } finally {
    removeEventListener('beforeunload', keepOpen);
    changeFlow((state) => ({ ...state, replaying: null }));
  }
}

/** Whether the scenario may run. Asks the user when it changes the workspace or the clock. */
async function isAllowed(parsed: ParsedScenario): Promise<boolean> {
  const { workspace, clock } = changesOf(parsed);
  if (!workspace && !clock) return true;
  const sentences = ['It changes the sandbox while it runs.'];
  let lasting = clock;
  if (workspace) {
    sentences.push(
      'Its clients, users, audiences and settings are applied, and fault rules are turned off.',
    );
    const text = JSON.stringify(parsed.workspace);
    const { ends } = await control.workspace.preview({ text });
    if (countOf(ends) > 0) {
      sentences.push(endsInWords(ends));
      lasting = true;
    }
  }
  if (clock) sentences.push('The clock is moved, and anything that expires stays expired.');
  sentences.push(
    lasting ? 'Its other changes are undone afterwards.' : 'Its changes are undone afterwards.',
  );
  if (workspace) sentences.push('The counters of fault rules are reset.');
  return confirm({
    title: `Run “${parsed.scenario.name}” in this sandbox?`,
    body: sentences.join(' '),
    confirm: 'Run',
  });
}

/** @param source the name of the file or of the saved flow */
export const replay = (source: string, text: string): Promise<boolean> =>
  attempt(`“${source}” was not run.`, async () => {
    const isBusy = flow.getState().running !== null;
    const obstacle = isBusy ? 'A flow is running. Stop it first.' : obstacleTo('server');
    if (obstacle !== null) throw new Error(obstacle);
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
    if (await isAllowed(parsed)) await runExclusive('all', (signal) => run(parsed, signal));
  });
