import type { ReactNode } from 'react';
import type { Measure } from '../sequence/layout.ts';
import { pluralize } from '../ui/short-forms.ts';
import { StandsAlone } from '../ui/stands-alone.ts';
import { Facts } from './Facts.tsx';
import { ReportDiagram } from './ReportDiagram.tsx';
import { ReportMessage, type ReportedMessage } from './ReportMessage.tsx';

export interface ReportFacts {
  readonly title: string;
  /** RFC 3339, on the sandbox clock. */
  readonly made_at: string;
  /** How many messages there are, and what else they came to. */
  readonly result: readonly string[];
  /** Name and value, in the order shown. */
  readonly facts: readonly (readonly [string, string])[];
}

/** `2026-03-01 10:00:00`: in UTC, as every time of the report. */
export const dayAndTime = (at: string): string => at.slice(0, 19).replace('T', ' ');

/** `14 exchanges`, `2 rejected`. @param what a message is called */
export const resultOf = (messages: readonly ReportedMessage[], what: string): string[] => [
  pluralize(messages.length, what),
  `${messages.filter(({ message }) => message.refused).length} rejected`,
];

interface ReportProps {
  readonly told: ReportFacts;
  /** Oldest first, without secrets. */
  readonly messages: readonly ReportedMessage[];
  readonly measure: Measure;
  /** What stands before the diagram. */
  readonly children?: ReactNode;
}

/** A sequence to be read without the page: diagram, messages with their traces. */
export function Report({ told, messages, measure, children }: ReportProps) {
  const { title, made_at, result, facts } = told;
  return (
    <StandsAlone value={true}>
      <header>
        <h1>{title}</h1>
        <p className="muted">
          {`Made by Grantbench on ${dayAndTime(made_at)} UTC by the sandbox clock. Secrets, codes and tokens are left out.`}
        </p>
        <Facts facts={[['Result', result.join(' · ')], ...facts]} />
      </header>
      <main>
        {children}
        <section aria-labelledby="sequence">
          <h2 id="sequence">Sequence</h2>
          <figure>
            <ReportDiagram messages={messages.map(({ message }) => message)} measure={measure} />
          </figure>
        </section>
        <section aria-labelledby="messages">
          <h2 id="messages">Messages</h2>
          {messages.map((reported, index) => (
            <ReportMessage key={reported.message.id} reported={reported} number={index + 1} />
          ))}
        </section>
      </main>
    </StandsAlone>
  );
}
