import type { ReactNode } from 'react';
import type { Exchange } from '../../control/schemas.ts';
import { headerOf } from '../../oauth/fields.ts';
import { rawRequest, rawResponse, type RawMessage } from '../exchange/raw-http.ts';
import { RawText } from '../exchange/RawText.tsx';
import rawClasses from '../exchange/Raw.module.css';
import { WhyTab } from '../exchange/WhyTab.tsx';
import { milliseconds, pluralize } from '../ui/short-forms.ts';
import { StatusTag } from '../ui/StatusTag.tsx';
import type { Message } from '../sequence/message.ts';

/** A message with its exchange as the engine tells it without secrets. */
export interface ReportedMessage {
  readonly message: Message;
  /** null when it was no exchange, or is no longer kept. */
  readonly exchange: Exchange | null;
  /** What it was, before its moment: the name of a step. */
  readonly kind?: string;
  /** What stands above the cause. */
  readonly lead?: ReactNode;
  /** What is shown of a message that was no exchange. */
  readonly instead?: ReactNode;
  /** A fact beside its moment. */
  readonly fact?: string;
}

type Part = Exchange['request'] | Exchange['response'];

/** Of a page only the size: it would bury the message, and its form holds a token. */
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
          The exchange is no longer kept by the service: its request, answer and checks are missing
          here.
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

interface ReportMessageProps {
  readonly reported: ReportedMessage;
  readonly number: number;
}

/** One message of the report: what was asked and answered, why, and both sides raw, without secrets. */
export function ReportMessage({ reported, number }: ReportMessageProps) {
  const { message } = reported;
  return (
    <article id={`m${number}`} aria-labelledby={`h${number}`}>
      <header>
        <h3 id={`h${number}`}>{`${number}. ${message.request}`}</h3>
        <StatusTag tone={message.tone}>{message.reply}</StatusTag>
        <span className="muted">{factsOf(reported)}</span>
      </header>
      <Parts {...reported} />
    </article>
  );
}
