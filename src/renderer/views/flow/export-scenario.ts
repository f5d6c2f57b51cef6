// Records the flow as a scenario, to be saved as a file or by name.

import type { Client, ExchangeSummary } from '../../../control/schemas.ts';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { issuerInUse, page } from '../../connection/state.ts';
import { notify } from '../../ui/notify.tsx';
import { pluralize } from '../../../words.ts';
import { isSigned } from '../../recording/record-traffic.ts';
import { saveScenario } from '../../ui/save-file.ts';
import { parseScenarioInUse } from '../../../scenario/parse.ts';
import type { Scenario } from '../../../scenario/schema.ts';
import type { FlowEvent, FlowState } from './flow-state.ts';
import { currentChoice, flow } from './flow-store.ts';
import { walkKey } from './perform-step.ts';
import { exchangeOf } from '../../recording/recording.ts';
import { recordScenario } from '../../recording/scenario.ts';

function nameOf(): string {
  const { client } = currentChoice();
  return flow.getState().name ?? (client?.client_name || client?.client_id) ?? 'Flow';
}

/** The events that a scenario can replay. @throws Error when there are none */
function recordableEvents(): readonly FlowEvent[] {
  const { events } = flow.getState();
  const { clients } = page.getState();
  const kept = events.filter(
    (event) => !('exchange' in event) || !isSigned(event.exchange, clients),
  );
  const count = events.length - kept.length;
  if (count === 0) return events;
  if (kept.length === 0) {
    throw new Error('All requests are signed with a key that only this page has.');
  }
  notify(`${pluralize(count, 'request')} omitted: signed with a key that only this page has`);
  return kept;
}

/** The clients to which something was issued. */
const clientsIn = (events: readonly FlowEvent[]): (string | null)[] =>
  events.flatMap((event) => {
    const exchange = exchangeOf(event);
    if (exchange !== null) return exchange.issued.length > 0 ? [exchange.client_id] : [];
    return 'request' in event ? [event.request.client_id] : [];
  });

/** @throws Error when a client of these requests has gone, such as one of a replayed scenario */
function checkClients(events: readonly FlowEvent[], clients: readonly Client[]): void {
  const gone = clientsIn(events).find((id) => !clients.some(({ client_id }) => client_id === id));
  if (typeof gone === 'string')
    throw new Error(`${gone} is no longer registered, so its requests cannot be repeated.`);
}

/** Whether the settings, the shape or a client changed between the first request and the last. */
function hasChanged({ events, sandbox, first_sandbox }: FlowState): boolean {
  const ids = clientsIn(events);
  const [first, last] = [first_sandbox, sandbox].map((state) =>
    JSON.stringify([
      state?.settings,
      state?.shape,
      state?.clients.filter(({ client_id }) => ids.includes(client_id)),
    ]),
  );
  return first !== last;
}

/** Whether these are the first requests of their clients, as far as the page knows, since advisories depend on earlier ones. */
function isWhole(events: readonly FlowEvent[]): boolean {
  const { exchanges, history } = page.getState();
  const recorded = events.flatMap((event) => ('exchange' in event ? [event.exchange] : []));
  const first = recorded[0]?.number ?? 0;
  const isEarlier = ({ number, client_id }: ExchangeSummary) =>
    number < first && recorded.some((one) => one.client_id === client_id);
  return history?.next === null && !exchanges.chunks.some((chunk) => chunk.some(isEarlier));
}

/**
 * Records the flow without secrets.
 * @param with_workspace whether for a sandbox of its own, or for the sandbox in use
 * @throws Error when nothing was sent, or when it could not be run
 */
export async function record(name: string, with_workspace: boolean): Promise<Scenario> {
  const { sandbox } = flow.getState();
  const workspace = await control.workspace.get();
  const events = recordableEvents();
  checkClients(events, workspace.clients);
  const proof_key = await walkKey();
  const scenario = recordScenario({
    name,
    events,
    sandbox: { issuer: issuerInUse(), ...workspace, ...sandbox },
    with_workspace,
    whole: isWhole(events),
    proof_key,
  });
  if (hasChanged(flow.getState())) {
    notify('The sandbox changed between these requests, so a replay may differ.');
  }
  const read = await parseScenarioInUse(JSON.stringify(scenario), workspace);
  if ('problems' in read) {
    const [first] = read.problems;
    throw new Error(`It could not be run: ${first?.path} ${first?.message}.`);
  }
  return scenario;
}

export const exportScenario = (): Promise<boolean> =>
  attempt('The scenario was not created.', async () => {
    const name = nameOf();
    const file = saveScenario(await record(name, true));
    notify(`Saving ${file}. Run it with “grantbench run ${file}”.`);
  });
