// Exchanges of an app as a scenario, and in words what the scenario holds and what it leaves out.
//
//   recordTraffic({ name, exchanges, sandbox }): RecordedTraffic

import type { Exchange } from '../../control/schemas.ts';
import type { Scenario } from '../../scenario/schema.ts';
import { isRefused } from '../exchange/answer.ts';
import { pluralize } from '../ui/short-forms.ts';
import { createDevices } from './devices.ts';
import { leavesOut, reasonsInWords, type Reason } from './left-out.ts';
import { exchangeOf, type RecordedEvent } from './recorded-event.ts';
import type { Sandbox } from './registered.ts';
import { record, type Recorded } from './scenario.ts';

interface Traffic {
  readonly name: string;
  /** Oldest first, with secrets. */
  readonly exchanges: readonly Exchange[];
  readonly sandbox: Sandbox;
  /** How many more were chosen, which are no longer kept or too many. */
  readonly missing?: number;
}

export interface RecordedTraffic {
  readonly scenario: Scenario;
  /** What the file holds, in one line. */
  readonly summary: string;
}

const REQUESTS = ['authorize', 'authorize_device', 'token', 'request'] as const;

function countsOf({ steps }: Scenario) {
  const requests = steps.filter((step) => REQUESTS.some((name) => step[name] !== undefined));
  const rejections = requests.filter(({ expect }) =>
    isRefused({
      status: Number(expect?.status ?? 200),
      error: typeof expect?.error === 'string' ? expect.error : null,
    }),
  );
  return { requests: requests.length, rejections: rejections.length };
}

/** What stands for credentials from before the first exchange. */
function earlierInWords({ issued_again, invalid }: Recorded): string[] {
  const again = `${pluralize(issued_again, 'credential')} from before issued by a step`;
  const instead = `${pluralize(invalid, 'credential')} from elsewhere replaced by an invalid one`;
  return [...(issued_again > 0 ? [again] : []), ...(invalid > 0 ? [instead] : [])];
}

function summaryOf(recorded: Recorded, left_out: readonly Reason[], missing: number): string {
  const { requests, rejections } = countsOf(recorded.scenario);
  const parts = [
    `${pluralize(requests, 'request')}, ${pluralize(rejections, 'expected rejection')}`,
    'without secrets',
    ...earlierInWords(recorded),
  ];
  const gone =
    missing > 0 ? [`${pluralize(missing, 'exchange')} that this file has no room for`] : [];
  const words = [...reasonsInWords(left_out), ...gone];
  return words.length === 0
    ? parts.join('; ')
    : `${parts.join('; ')}; left out: ${words.join(', ')}`;
}

/** The exchanges that can be steps, with what was decided about devices, and why the others are left out. */
function eventsOf(exchanges: readonly Exchange[], sandbox: Sandbox) {
  const reasonOf = leavesOut(sandbox);
  const devices = createDevices();
  const left_out: Reason[] = [];
  const events = exchanges.flatMap((exchange): RecordedEvent[] => {
    const decision = devices.decidedAt(exchange);
    if (decision !== null) return [decision];
    const reason = reasonOf(exchange);
    if (reason === null) {
      return [...devices.decidedBefore(exchange), { kind: 'exchange', exchange, verdict: null }];
    }
    left_out.push(reason);
    return [];
  });
  return { events, left_out };
}

/** @throws Error when none of the exchanges can be a step */
export function recordTraffic({ name, exchanges, sandbox, missing = 0 }: Traffic): RecordedTraffic {
  const { events, left_out } = eventsOf(exchanges, sandbox);
  if (!events.some((event) => exchangeOf(event) !== null)) {
    const words = reasonsInWords(left_out).join(', ') || 'none is still kept';
    throw new Error(`None of these exchanges can be a step of a scenario: ${words}.`);
  }
  const recorded = record({ name, events, sandbox, takes_along: true, whole: false });
  const summary = summaryOf(recorded, left_out, missing);
  const { workspace, steps, ...head } = recorded.scenario;
  const description = `Recorded from ${pluralize(exchanges.length, 'exchange')}: ${summary}.`;
  const rest = workspace === undefined ? { steps } : { workspace, steps };
  return { scenario: { ...head, description, ...rest }, summary };
}
