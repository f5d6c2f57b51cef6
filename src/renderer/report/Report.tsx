import type { ReactNode } from 'react';
import { laneHeads, type Measure, placeMessages } from '../sequence/layout.ts';
import { milliseconds } from '../ui/short-forms.ts';
import { pluralize } from '../../words.ts';
import { StandsAlone } from '../ui/links.tsx';
import { HEADS_HEIGHT, LaneHeads, MessageDrawing } from '../sequence/drawing.tsx';
import type { Message } from '../sequence/message.ts';
import classes from '../sequence/Sequence.module.css';
import { Facts } from '../ui/Facts.tsx';
import type { Exchange } from '../../control/schemas/exchanges.ts';
import { headerOf } from '../../oauth/fields.ts';
import { type RawMessage, rawRequest, rawResponse } from '../exchange/raw-http.ts';
import { RawText } from '../exchange/RawText.tsx';
import rawClasses from '../exchange/Raw.module.css';
import { WhyTab } from '../exchange/WhyTab.tsx';
import { StatusTag } from '../ui/status.tsx';

export interface ReportFacts {
  readonly title: string;
  /** RFC 3339, on the sandbox clock. */
  readonly made_at: string;
  /** The number of messages, of rejections, and other results. */
  readonly result: readonly string[];
  /** Name and value, in the order shown. */
  readonly facts: readonly (readonly [string, string])[];
}

/** `2026-03-01 10:00:00`, in UTC like every time in the report. */
export const dateAndTime = (at: string): string => at.slice(0, 19).replace('T', ' ');

/** `14 exchanges`, `2 rejected`. @param what the noun for a message */
export const resultOf = (messages: readonly ReportedMessage[], what: string): string[] => [
  pluralize(messages.length, what),
  `${messages.filter(({ message }) => message.rejected).length} rejected`,
];

interface ReportProps {
  readonly facts: ReportFacts;
  /** Oldest first, without secrets. */
  readonly messages: readonly ReportedMessage[];
  readonly measure: Measure;
  /** Shown before the diagram. */
  readonly children?: ReactNode;
}

/** A standalone report of a sequence: the diagram, and the messages with their causes, requests and responses. */
export function Report({ facts, messages, measure, children }: ReportProps) {
  return (
    <ReportPage facts={facts} about="Secrets, codes and tokens are omitted.">
      {children}
      <section aria-labelledby="sequence">
        <h2 id="sequence">Sequence</h2>
        <figure>
          <Diagram messages={messages} measure={measure} />
        </figure>
      </section>
      <section aria-labelledby="messages">
        <h2 id="messages">Messages</h2>
        {messages.map((reported, index) => {
          const { id, request, tone, reply } = reported.message;
          const number = index + 1;
          return (
            <article key={id} id={`m${number}`} aria-labelledby={`h${number}`}>
              <header>
                <h3 id={`h${number}`}>{`${number}. ${request}`}</h3>
                <StatusTag tone={tone}>{reply}</StatusTag>
                <span className="muted">{factsOf(reported)}</span>
              </header>
              <Parts {...reported} />
            </article>
          );
        })}
      </section>
    </ReportPage>
  );
}

interface ReportPageProps {
  readonly facts: ReportFacts;
  /** What the report contains or omits, in a sentence. */
  readonly about: string;
  readonly children: ReactNode;
}

/** The frame of every report: its title, when it was created, and its facts. */
export const ReportPage = ({ facts, about, children }: ReportPageProps) => (
  <StandsAlone value={true}>
    <header>
      <h1>{facts.title}</h1>
      <p className="muted">
        {`Created by Grantbench on ${dateAndTime(facts.made_at)} UTC (sandbox clock). ${about}`}
      </p>
      <Facts className="facts" facts={[['Result', facts.result.join(' · ')], ...facts.facts]} />
    </header>
    <main>{children}</main>
  </StandsAlone>
);

const WIDTH = 760;
/** Readers may have wider fonts than the ones measured with. */
const WIDER = 1.1;

/** The sequence diagram as one picture, its times in UTC. */
function Diagram({ messages, measure }: Pick<ReportProps, 'messages' | 'measure'>) {
  const wider: Measure = (text, style) => measure(text, style) * WIDER;
  const lanes = laneHeads(WIDTH, wider);
  const { placed, end } = placeMessages(
    messages.map(({ message }) => message),
    lanes,
    wider,
  );
  return (
    <svg
      role="img"
      aria-label={`Sequence diagram of ${pluralize(messages.length, 'message')}. Each message is described below.`}
      viewBox={`0 0 ${WIDTH} ${HEADS_HEIGHT + end}`}
    >
      <LaneHeads lanes={lanes} />
      <g transform={`translate(0 ${HEADS_HEIGHT})`}>
        <path className={classes.lanes} d={lanes.xs.map((x) => `M${x} 0V${end}`).join('')} />
        {placed.map((one) => (
          <MessageDrawing key={one.message.id} placed={one} clock={one.message.at.slice(11, 19)} />
        ))}
      </g>
    </svg>
  );
}

/** A message with its exchange, without secrets. */
export interface ReportedMessage {
  readonly message: Message;
  /** null when the message is not an exchange, or its exchange is no longer stored. */
  readonly exchange: Exchange | null;
  /** The kind of message, such as the name of a step. Shown before its time. */
  readonly kind?: string;
  /** Shown above the cause. */
  readonly lead?: ReactNode;
  /** Shown for a message that is not an exchange. */
  readonly instead?: ReactNode;
  /** A fact shown beside its time. */
  readonly fact?: string;
}

type Part = Exchange['request'] | Exchange['response'];

/** The body of a message. For a page only its size, because it is long and its form contains a token. */
function bodyOf({ body }: RawMessage, { headers, body_bytes }: Part): string {
  const page = headerOf(headers, 'content-type')?.startsWith('text/html') ?? false;
  return page && body !== '' ? `[an HTML page of ${pluralize(body_bytes, 'byte')}]` : body;
}

interface SideProps {
  readonly title: string;
  readonly raw: RawMessage;
  readonly part: Part;
}

const Side = ({ title, raw, part }: SideProps) => (
  <>
    <h4>{title}</h4>
    <pre className={rawClasses.text}>
      <RawText head={raw.head} body={bodyOf(raw, part)} query={raw.query} bodyFirst />
    </pre>
  </>
);

function Parts({ exchange, lead, instead }: ReportedMessage) {
  if (instead !== undefined) return instead;
  if (exchange === null) {
    return (
      <>
        {lead}
        <p className="muted">
          The sandbox no longer has this exchange, so its request, response and checks are missing.
        </p>
      </>
    );
  }
  return (
    <>
      <WhyTab exchange={exchange} lead={lead} />
      <Side title="Request" raw={rawRequest(exchange, true)} part={exchange.request} />
      <Side title="Response" raw={rawResponse(exchange, true)} part={exchange.response} />
    </>
  );
}

function factsOf({ kind, message, exchange, fact }: ReportedMessage): string {
  const parts = kind === undefined ? [message.at] : [kind, message.at];
  if (exchange !== null) {
    parts.push(`exchange ${exchange.number}`, milliseconds(exchange.duration_ms));
    const { frozen, offset_seconds } = exchange.clock;
    if (frozen) parts.push('clock frozen');
    if (Math.abs(offset_seconds) >= 1) parts.push(`clock ${Math.round(offset_seconds)} s off`);
  }
  if (fact !== undefined) parts.push(fact);
  return parts.join(' · ');
}
