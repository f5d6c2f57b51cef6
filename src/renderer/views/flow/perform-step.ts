// Performs a scenario step in the sandbox in use, draws what it sends, and stores what it provides.

import type { Device, Exchange, IssueCode, MintTokens } from '../../../control/schemas.ts';
import type { Prover } from '../../../oauth/dpop.ts';
import type { JsonObject } from '../../../json.ts';
import type { Run } from '../../../scenario/actions/action.ts';
import type { Answer } from '../../../scenario/actions/answer.ts';
import { performStep } from '../../../scenario/actions/index.ts';
import { createRunProver } from '../../../scenario/actions/proofs.ts';
import { atServer } from '../../../scenario/actions/request.ts';
import { createVariables } from '../../../scenario/actions/variables.ts';
import { saveValues } from '../../../scenario/comparison.ts';
import type { ScenarioStep } from '../../../scenario/schema.ts';
import { WALK_STEPS, type WalkStepId } from '../../../scenario/walks.ts';
import { control } from '../../connection/control.ts';
import { issuerInUse } from '../../connection/state.ts';
import { isRejected, resultLine, tokenAnswerOf, deviceOf } from '../../exchange/answer.ts';
import type { Decision, IssuedCode, MintedTokens } from '../../sending/live-sandbox.ts';
import { openRun } from '../../sending/open-run.ts';
import type { EndedCredential } from '../../recording/recording.ts';
import { statusWords } from '../../ui/status.tsx';
import { apiOutcome } from './meaning.ts';
import { assertionKeyOf } from './page-key.ts';
import { withoutTyped } from './flow-document.ts';
import {
  withProvided,
  withEvent,
  withLaterStepsOpen,
  type Held,
  type NewEvent,
  type StepOutcome,
} from './flow-state.ts';
import { changeFlow, currentChoice, flow } from './flow-store.ts';

/** Kept while the page is open, because a public client's refresh tokens are bound to its key. */
let prover: Prover | null = null;

function walkProver(): Prover {
  prover ??= createRunProver({
    control,
    issuer: issuerInUse(),
    uriOf: (path) => new URL(issuerInUse()).origin + path,
  });
  return prover;
}

/** The public key of the walk's proofs. */
export const walkKey = async (): Promise<JsonObject> => (await walkProver().key()).public_jwk;

const drawExchange = (step: WalkStepId, exchange: Exchange): void =>
  changeFlow((state) => withEvent(state, { kind: 'exchange', step, exchange, verdict: null }));

/** Draws an action over the control API, which has no exchange, at the time of the sandbox. */
async function drawNow(event: (at: string) => NewEvent): Promise<void> {
  const { now } = await control.clock.get();
  changeFlow((state) => withEvent(state, event(now)));
}

export function drawIssued(
  request: IssueCode,
  { code, expires_at, redirect_to }: IssuedCode,
): Promise<void> {
  const sub = request.sub ?? 'the first user';
  return drawNow((at) => ({ kind: 'issue', at, request, sub, code, expires_at, redirect_to }));
}

export const drawDecision = (
  decision: Decision,
  { user_code, client_id, sub, granted_scope }: Device,
): Promise<void> =>
  drawNow((at) => ({
    kind: 'decision',
    at,
    decision,
    user_code,
    client_id,
    sub,
    scope: granted_scope ?? '',
  }));

/** Opens a run with the variables that the steps have provided so far. */
export function openWalkRun(step: WalkStepId) {
  const { variables, stopping } = flow.getState();
  const values = new Map(Object.entries(variables));
  const watched = {
    assertionKey: assertionKeyOf,
    onIssued: drawIssued,
    onDecided: drawDecision,
    onMinted: (request: MintTokens, { access_token, refresh_token }: MintedTokens) =>
      drawNow((at) => ({ kind: 'minted', at, step, request, access_token, refresh_token })),
    onEnded: (how: EndedCredential['how'], value: string) =>
      drawNow((at) => ({ kind: 'ended', at, step, how, value })),
    onExchange: (exchange: Exchange) => drawExchange(step, exchange),
    ...(stopping === null ? {} : { signal: stopping.signal }),
  };
  const run = openRun(watched, { variables: createVariables(values), prover: walkProver() });
  return { run, values };
}

/** Whether a fault rule removed the tokens from a response with a success status. */
const lostItsTokens = (exchange: Exchange) =>
  exchange.fault !== null && exchange.method === 'POST' && tokenAnswerOf(exchange) === null;

/** @param card the one that sent it; an API call is summarized by its claims */
export function outcomeOf(exchange: Exchange, card: WalkStepId): StepOutcome {
  if (card === 'api') return apiOutcome(exchange);
  const status = isRejected(exchange) || lostItsTokens(exchange) ? 'rejected' : 'ok';
  return { status, badge: statusWords(exchange.status), text: resultLine(exchange) };
}

/** Stores what the step provided, and resets later steps. @param about its client, user and expiry */
function keep(
  id: WalkStepId,
  variables: ReadonlyMap<string, unknown>,
  about: Pick<Held, 'client_id' | 'sub' | 'expires_at'>,
): void {
  const held = {
    ...about,
    bound: variables.get('token_type') === 'dpop',
    event: flow.getState().events.at(-1)?.id ?? null,
  };
  changeFlow((state) => {
    const kept = withProvided(state, id, Object.fromEntries(variables), held);
    const typed = { ...kept, document: withoutTyped(kept.document, id) };
    return WALK_STEPS[id].provides === undefined ? typed : withLaterStepsOpen(typed, id);
  });
}

/** Stores what an exchange of this step provided. @param sub the user that was selected when it was sent */
export function keepExchange(
  id: WalkStepId,
  values: Map<string, unknown>,
  exchange: Exchange,
  sub: string | null,
): void {
  const answer = tokenAnswerOf(exchange);
  if (answer !== null) values.set('token_type', answer.token_type?.toLowerCase());
  const device = deviceOf(exchange);
  const { client_id } = exchange;
  keep(id, values, { client_id, sub, expires_at: device?.expires_at ?? null });
  if (device === null) return;
  const { user_code, verification_uri_complete } = device;
  changeFlow((state) => ({ ...state, device: { user_code, verification_uri_complete } }));
}

/** Performs the step of a card. @returns its response; null for an action without a response */
export async function perform(
  id: WalkStepId,
  step: ScenarioStep,
  requestOf: (run: Run) => Run['request'] = (run) => run.request,
): Promise<Answer | null> {
  const { client, user } = currentChoice();
  const { run, values } = openWalkRun(id);
  const answer = await performStep(atServer(step, run), { ...run, request: requestOf(run) });
  if (answer !== null) saveValues(step.save ?? {}, answer, run.variables);
  const exchange = answer?.exchange ?? null;
  const sub = user?.sub ?? null;
  if (exchange === null) {
    keep(id, values, { client_id: client?.client_id ?? null, sub, expires_at: null });
  } else if (!isRejected(exchange)) keepExchange(id, values, exchange, sub);
  return answer;
}
