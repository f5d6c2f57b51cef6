import type { Exchange } from '../../../../control/schemas.ts';
import { Report, resultOf, type ReportFacts } from '../../../report/Report.tsx';
import type { ReportedMessage } from '../../../report/ReportMessage.tsx';
import type { Measure } from '../../../sequence/layout.ts';
import type { Message } from '../../../sequence/message.ts';
import type { FlowEvent } from '../flow-state.ts';
import type { Replayed } from '../replay/replay-state.ts';
import { replayInWords } from '../replay-words.ts';
import { STEP_TITLES } from '../step-words.ts';
import { VerdictLine } from '../VerdictLine.tsx';
import { DecisionParts, IssueParts } from './ControlParts.tsx';
import { ReportVerdicts, type NumberedVerdict } from './ReportVerdicts.tsx';

/** A message of the flow with its exchange as the engine tells it without secrets. */
export interface FlowMessage {
  readonly event: FlowEvent;
  readonly message: Message;
  /** null when it was no exchange, or is no longer kept. */
  readonly exchange: Exchange | null;
}

export interface FlowFacts extends Omit<ReportFacts, 'result'> {
  /** Set when a scenario was replayed. */
  readonly replayed: Replayed | null;
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

const STEP_OF = { issue: 'code', decision: 'decide', burst: 'hammer' } as const;

function reportedOf({ event, message, exchange }: FlowMessage): ReportedMessage {
  const step = event.kind === 'exchange' ? event.step : STEP_OF[event.kind];
  const reported = { message, exchange, kind: STEP_TITLES[step] };
  switch (event.kind) {
    case 'issue':
      return { ...reported, instead: <IssueParts event={event} /> };
    case 'decision':
      return { ...reported, instead: <DecisionParts event={event} /> };
    case 'burst':
      return { ...reported, fact: `the last of ${event.count}` };
    case 'exchange':
      return event.verdict === null
        ? reported
        : { ...reported, lead: <VerdictLine verdict={event.verdict} /> };
  }
}

function mistakesOf(verdicts: readonly NumberedVerdict[]): string[] {
  if (verdicts.length === 0) return [];
  const came = verdicts.filter(({ verdict }) => verdict.came).length;
  return [`${came} of ${verdicts.length} mistakes answered as expected`];
}

interface FlowReportProps {
  readonly told: FlowFacts;
  /** Oldest first, without secrets. */
  readonly messages: readonly FlowMessage[];
  readonly measure: Measure;
}

/** The flow to be read without the page: diagram, verdicts, messages with their traces. */
export function FlowReport({ told, messages, measure }: FlowReportProps) {
  const { replayed, ...facts } = told;
  const verdicts = verdictsOf(messages);
  const reported = messages.map(reportedOf);
  const result = [...resultOf(reported, 'message'), ...mistakesOf(verdicts)];
  return (
    <Report told={{ ...facts, result }} messages={reported} measure={measure}>
      {replayed !== null && <Replay replayed={replayed} />}
      <ReportVerdicts verdicts={verdicts} />
    </Report>
  );
}
