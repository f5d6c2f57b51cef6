// The flows that earlier versions saved, as scenarios: each once, without a secret. What cannot be done so
// is listed with its reason, and stays where it was.

import type { Client } from '../../../../../control/schemas.ts';
import { IN_WORDS, settingsSchema } from '../../../../../control/schemas.ts';
import type { Scenario, ScenarioStep } from '../../../../../scenario/schema.ts';
import { recordScenario } from '../../../../recording/scenario.ts';
import type { Kept, SavedFlow, Unconverted } from '../../../../saved/saved-flow.ts';
import { formerFlowSchema, type FormerFlow } from './former-flow.ts';
import { NotConvertible, walkThrough } from './former-walk.ts';
import { clientOf, withoutItsSecret } from './stand-ins.ts';

/** What is registered now; a flow may have been saved with another workspace. */
export interface Present {
  /** Newest first. */
  readonly clients: readonly Client[];
  readonly issuer: string;
}

/** Only what was saved is expected: status and error of an answer. */
function withAnswers(
  steps: readonly ScenarioStep[],
  answers: readonly (FormerFlow['script'][number]['came'] | null)[],
): ScenarioStep[] {
  const left = [...answers];
  return steps.map(({ expect, ...step }) => {
    const came = expect === undefined ? null : (left.shift() ?? null);
    if (came === null) return step;
    const { status, error } = came;
    return { ...step, expect: { status, ...(error === null ? {} : { error }) } };
  });
}

function scenarioOf(flow: FormerFlow, { clients, issuer }: Present): Scenario {
  const client = clientOf(flow, clients);
  const others = clients.map(withoutItsSecret).filter((one) => one.client_id !== client.client_id);
  const other = others.find(({ client_secret }) => client_secret !== null) ?? null;
  const { events, answers } = walkThrough(flow, { client, other, issuer });
  if (events.length === 0) throw new NotConvertible('it sends nothing');
  const nothing = { users: [], audiences: [], settings: settingsSchema.parse({}), faults: [] };
  const sandbox = { issuer, clients: [client, ...others], ...nothing };
  const scenario = recordScenario({ name: flow.name, events, sandbox, takes_along: false });
  return { ...scenario, steps: withAnswers(scenario.steps, answers) };
}

const nameOf = (entry: unknown, index: number): string => {
  const { name } = Object(entry) as { name?: unknown };
  return typeof name === 'string' && name !== '' ? name.slice(0, 80) : `Entry ${index + 1}`;
};

function convert(entry: unknown, index: number, present: Present): SavedFlow | Unconverted {
  const name = nameOf(entry, index);
  const read = formerFlowSchema.safeParse(entry, IN_WORDS);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { name, reason: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not readable'}` };
  }
  try {
    return { saved_at: read.data.saved_at, scenario: scenarioOf(read.data, present) };
  } catch (error) {
    if (error instanceof NotConvertible) return { name, reason: error.message };
    throw error;
  }
}

/** @param stored as an earlier version kept them in this browser */
export function convertFlows(stored: string, present: Present): Kept {
  let found: unknown;
  try {
    found = JSON.parse(stored);
  } catch {
    return { flows: [], unconverted: [{ name: 'All of them', reason: 'they are not JSON' }] };
  }
  const entries: unknown[] = Array.isArray(found) ? found.slice(0, 50) : [found];
  const converted = entries.map((entry, index) => convert(entry, index, present));
  return {
    flows: converted.filter((one) => 'scenario' in one),
    unconverted: converted.filter((one) => 'reason' in one),
  };
}
