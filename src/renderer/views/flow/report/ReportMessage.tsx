import type { Exchange } from '../../../../control/schemas.ts';
import { headerOf } from '../../../../oauth/fields.ts';
import { rawRequest, rawResponse, type RawMessage } from '../../../exchange/raw-http.ts';
import { RawText } from '../../../exchange/RawText.tsx';
import rawClasses from '../../../exchange/Raw.module.css';
import { WhyTab } from '../../../exchange/WhyTab.tsx';
import { elided, milliseconds, pluralize } from '../../../ui/short-forms.ts';
import { StatusTag } from '../../../ui/StatusTag.tsx';
import type { DecisionEvent, FlowEvent, IssueEvent } from '../flow-state.ts';
import type { Message } from '../../../sequence/message.ts';
import { STEP_TITLES } from '../step-words.ts';
import { VerdictLine } from '../VerdictLine.tsx';
import { Facts } from './Facts.tsx';

/** A message with its exchange as the engine tells it without secrets. */
export interface ReportedMessage {
  readonly event: FlowEvent;
  readonly message: Message;
  /** null when it was no exchange, or is no longer kept. */
  readonly exchange: Exchange | null;
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

/** A code that control issued, in place of a sign-in. */
function IssueParts({ event: { request, sub, code, expires_at } }: { readonly event: IssueEvent }) {
  const facts = [
    ['Code', elided(code)],
    ['Client', request.client_id],
    ['User', sub],
    ['Redirect URI', request.redirect_uri],
    ['Audience', request.audience ?? 'none named'],
    ['Scope', request.scope ?? 'none asked for'],
    ['Expires', expires_at],
  ] as const;
  return (
    <>
      <p className="muted">Issued from the workbench in place of a sign-in.</p>
      <Facts facts={facts} />
    </>
  );
}

/** What was decided about a device, in place of its user or at the page. */
function DecisionParts({ event }: { readonly event: DecisionEvent }) {
  const { user_code, client_id, sub, scope } = event;
  const facts = [
    ['User code', user_code],
    ['Client', client_id],
    ['User', sub ?? 'none'],
    ['Scope', scope === '' ? 'none' : scope],
  ] as const;
  return <Facts facts={facts} />;
}

function Parts({ event, exchange }: ReportedMessage) {
  if (event.kind === 'issue') return <IssueParts event={event} />;
  if (event.kind === 'decision') return <DecisionParts event={event} />;
  const verdict = event.kind === 'exchange' && event.verdict !== null && (
    <VerdictLine verdict={event.verdict} />
  );
  if (exchange === null) {
    return (
      <>
        {verdict}
        <p className="muted">
          The exchange is no longer kept by the service: its request, answer and checks are missing
          here.
        </p>
      </>
    );
  }
  return (
    <>
      <WhyTab exchange={exchange} lead={verdict} />
      <Side title="Request" raw={rawRequest(exchange, true)} part={exchange.request} />
      <Side title="Response" raw={rawResponse(exchange, true)} part={exchange.response} />
    </>
  );
}

const STEP_OF = { issue: 'code', decision: 'decide', burst: 'hammer' } as const;

function factsOf({ event, message, exchange }: ReportedMessage): string {
  const parts = [
    STEP_TITLES[event.kind === 'exchange' ? event.step : STEP_OF[event.kind]],
    message.at,
  ];
  if (exchange !== null) {
    parts.push(`exchange ${exchange.number}`, milliseconds(exchange.duration_ms));
    const { frozen, offset_seconds } = exchange.clock;
    if (frozen) parts.push('clock frozen');
    if (Math.abs(offset_seconds) >= 1) parts.push(`clock ${Math.round(offset_seconds)} s off`);
  }
  if (event.kind === 'burst') parts.push(`the last of ${event.count}`);
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
