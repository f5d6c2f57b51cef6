// Collects the content of the flow report and saves it as HTML.

import { createElement } from 'react';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { exchangeOf } from '../../recording/recording.ts';
import { hidden, saveReport, withoutSecrets, withSandbox } from '../../report/save-report.ts';
import { createMeasure } from '../../sequence/drawing.tsx';
import { type ControlEvent, type FlowEvent, isFull, stepOfEvent } from './flow-state.ts';
import { currentChoice, flow } from './flow-store.ts';
import { messagesOf, controlWords } from './messages.ts';
import { Report, type ReportedMessage, type ReportFacts, resultOf } from '../../report/Report.tsx';
import { Facts } from '../../ui/Facts.tsx';
import type { Measure } from '../../sequence/layout.ts';
import { type Replayed, replayInWords, type Verdict } from './run-results.ts';
import { Heads } from '../../ui/grid/GridTable.tsx';
import { elided } from '../../ui/short-forms.ts';
import { WALK_STEPS } from '../../../scenario/walks.ts';
import { VerdictLine } from './VerdictLine.tsx';
import { StatusTag } from '../../ui/status.tsx';

const numberOf = (event: FlowEvent): number | null => exchangeOf(event)?.number ?? null;

async function reported(events: readonly FlowEvent[]): Promise<FlowMessage[]> {
  const numbers = events.map(numberOf).filter((number) => number !== null);
  const kept = await withoutSecrets(numbers);
  const messages = hidden(messagesOf(events));
  return events.flatMap((event, index) => {
    const message = messages[index];
    const exchange = kept.get(numberOf(event) ?? 0) ?? null;
    return message === undefined ? [] : [{ event, message, exchange }];
  });
}

function factsOf(made_at: string): FlowFacts {
  const { client, profile } = currentChoice();
  const { name: saved, replayed, events } = flow.getState();
  // A scenario may have brought its own clients and settings, and a profile may have changed since.
  const exchanges = events.flatMap((event) => exchangeOf(event) ?? []);
  const listed = (values: readonly (string | null)[]) =>
    [...new Set(values.filter((value) => value !== null))].join(', ');
  const clients = exchanges.map(({ issued, client_id }) => (issued.length > 0 ? client_id : null));
  const name = saved ?? (client?.client_name || client?.client_id);
  return {
    title: `Flow report${name === undefined ? '' : `: ${name}`}`,
    made_at,
    replayed,
    newest_only: isFull(flow.getState()),
    facts: withSandbox([
      ['Client', listed(clients) || (client?.client_id ?? 'none')],
      ['Profile', listed(exchanges.map((exchange) => exchange.profile)) || profile],
    ]),
  };
}

/** Saves the current diagram with all its requests and responses. */
export const exportReport = (): Promise<boolean> =>
  attempt('The report was not created.', async () => {
    const messages = await reported(flow.getState().events);
    const { now } = await control.clock.get();
    const facts = factsOf(now);
    const body = createElement(FlowReport, { facts, messages, measure: createMeasure() });
    saveReport(facts, 'flow', body);
  });

export interface FlowMessage extends Pick<ReportedMessage, 'message' | 'exchange'> {
  readonly event: FlowEvent;
}

export interface FlowFacts extends Omit<ReportFacts, 'result'> {
  /** Set when a scenario was replayed. */
  readonly replayed: Replayed | null;
  /** Whether older messages may have left the diagram. */
  readonly newest_only: boolean;
}

const verdictsOf = (messages: readonly FlowMessage[]): NumberedVerdict[] =>
  messages.flatMap(({ event }, index) =>
    event.kind === 'exchange' && event.verdict !== null
      ? [{ number: index + 1, verdict: event.verdict }]
      : [],
  );

function Replay({ replayed }: { readonly replayed: Replayed }) {
  const differences = replayed.failure?.differences ?? [];
  return (
    <section aria-labelledby="replay">
      <h2 id="replay">{`Replayed: ${replayInWords(replayed)}`}</h2>
      {differences.length > 0 && (
        <ul className="differences">
          {differences.map((difference) => (
            <li key={difference}>{difference}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Credentials are elided in a report. */
function ControlParts({ event }: { readonly event: ControlEvent }) {
  const { lead, facts, secrets } = controlWords(event);
  const shown = facts.map(
    ([name, value]) =>
      [name, secrets.reduce((text, one) => text.replaceAll(one, elided(one)), value)] as const,
  );
  return (
    <>
      <p className="muted">{lead}</p>
      <Facts className="facts" facts={shown} />
    </>
  );
}

function reportedOf({ event, message, exchange }: FlowMessage): ReportedMessage {
  const reported = { message, exchange, kind: WALK_STEPS[stepOfEvent(event)].title };
  switch (event.kind) {
    case 'issue':
    case 'minted':
    case 'ended':
    case 'decision':
      return { ...reported, instead: <ControlParts event={event} /> };
    case 'burst':
      return { ...reported, fact: `the last of ${event.count}` };
    case 'exchange':
      return event.verdict === null
        ? reported
        : { ...reported, lead: <VerdictLine verdict={event.verdict} /> };
  }
}

interface FlowReportProps {
  readonly facts: FlowFacts;
  /** Oldest first, without secrets. */
  readonly messages: readonly FlowMessage[];
  readonly measure: Measure;
}

/** The flow as a standalone document: diagram, verdicts, and messages with their traces. */
export function FlowReport({ facts, messages, measure }: FlowReportProps) {
  const { replayed, newest_only, ...common } = facts;
  const verdicts = verdictsOf(messages);
  const reported = messages.map(reportedOf);
  const passed = verdicts.filter(({ verdict }) => verdict.passed).length;
  const count = `${passed} of ${verdicts.length}`;
  const tried = verdicts.length === 0 ? [] : [`${count} mistakes answered as expected`];
  const result = [...resultOf(reported, newest_only ? 'newest message' : 'message'), ...tried];
  return (
    <Report facts={{ ...common, result }} messages={reported} measure={measure}>
      {replayed !== null && <Replay replayed={replayed} />}
      {verdicts.length > 0 && (
        <section aria-labelledby="verdicts">
          <h2 id="verdicts">{`Deliberate mistakes: ${count} answered as expected`}</h2>
          <table>
            <Heads names={['No.', 'Mistake', 'Expected', 'Reference', 'Actual', 'Verdict']} />
            <tbody>
              {verdicts.map((one) => (
                <VerdictRow key={one.number} {...one} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Report>
  );
}

interface NumberedVerdict {
  readonly number: number;
  readonly verdict: Verdict;
}

function VerdictRow({ number, verdict }: NumberedVerdict) {
  const { title, section, expected, actual, passed } = verdict;
  return (
    <tr>
      <td>
        <a href={`#m${number}`}>{number}</a>
      </td>
      <td>{title}</td>
      <td className="mono">{expected}</td>
      <td>{section}</td>
      <td className="mono">{actual}</td>
      <td>
        <StatusTag tone={passed ? 'ok' : 'bad'}>{passed ? 'pass' : 'fail'}</StatusTag>
      </td>
    </tr>
  );
}
