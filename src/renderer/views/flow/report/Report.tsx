import { pluralize } from '../../../ui/short-forms.ts';
import { StandsAlone } from '../../../ui/stands-alone.ts';
import type { Replayed } from '../replay/replay-state.ts';
import { replayInWords } from '../replay-words.ts';
import type { Measure } from '../../../sequence/layout.ts';
import { Facts } from './Facts.tsx';
import { ReportDiagram } from './ReportDiagram.tsx';
import { ReportMessage, type ReportedMessage } from './ReportMessage.tsx';
import { ReportVerdicts, type NumberedVerdict } from './ReportVerdicts.tsx';

export interface ReportFacts {
  readonly title: string;
  /** RFC 3339, on the sandbox clock. */
  readonly made_at: string;
  /** Name and value, in the order shown. */
  readonly facts: readonly (readonly [string, string])[];
  /** Set when a scenario was replayed. */
  readonly replayed: Replayed | null;
}

const verdictsOf = (messages: readonly ReportedMessage[]): NumberedVerdict[] =>
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

/** `2026-03-01 10:00:00`: in UTC, as every time of the report. */
const dayAndTime = (at: string): string => at.slice(0, 19).replace('T', ' ');

function resultOf(messages: readonly ReportedMessage[]): readonly [string, string] {
  const verdicts = verdictsOf(messages);
  const came = verdicts.filter(({ verdict }) => verdict.came).length;
  const refused = messages.filter(({ message }) => message.refused).length;
  const parts = [pluralize(messages.length, 'message'), `${refused} rejected`];
  if (verdicts.length > 0)
    parts.push(`${came} of ${verdicts.length} mistakes answered as expected`);
  return ['Result', parts.join(' · ')];
}

interface ReportProps {
  readonly told: ReportFacts;
  /** Oldest first, without secrets. */
  readonly messages: readonly ReportedMessage[];
  readonly measure: Measure;
}

/** The flow to be read without the page: diagram, verdicts, messages with their traces. */
export function Report({ told, messages, measure }: ReportProps) {
  const { title, made_at, facts, replayed } = told;
  return (
    <StandsAlone value={true}>
      <header>
        <h1>{title}</h1>
        <p className="muted">
          {`Made by Grantbench on ${dayAndTime(made_at)} UTC by the sandbox clock. Secrets, codes and tokens are left out.`}
        </p>
        <Facts facts={[resultOf(messages), ...facts]} />
      </header>
      <main>
        {replayed !== null && <Replay replayed={replayed} />}
        <ReportVerdicts verdicts={verdictsOf(messages)} />
        <section aria-labelledby="sequence">
          <h2 id="sequence">Sequence</h2>
          <figure>
            <ReportDiagram messages={messages.map(({ message }) => message)} measure={measure} />
          </figure>
        </section>
        <section aria-labelledby="messages">
          <h2 id="messages">Messages</h2>
          {messages.map((message, index) => (
            <ReportMessage key={message.event.id} reported={message} number={index + 1} />
          ))}
        </section>
      </main>
    </StandsAlone>
  );
}
