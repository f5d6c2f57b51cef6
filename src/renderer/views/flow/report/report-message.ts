// One message of the report: what was asked and answered, why, and both sides raw, without secrets.

import type { Check, Exchange } from '../../../../control/schemas.ts';
import { headerOf } from '../../../exchange/answer.ts';
import { rawRequest, rawResponse, type RawMessage } from '../../../exchange/raw-http.ts';
import { pluralize, elided, milliseconds } from '../../../ui/short-forms.ts';
import type { FlowEvent, IssueEvent } from '../flow-state.ts';
import { answerInWords, type Verdict } from '../mistake.ts';
import type { Message } from '../sequence/message.ts';
import { STEP_TITLES } from '../step-words.ts';
import { cited } from './cited-html.ts';
import { html, type Html } from './html-text.ts';

/** A message with its exchange as the engine tells it without secrets. */
export interface ReportedMessage {
  readonly event: FlowEvent;
  readonly message: Message;
  /** null when it was no exchange, or is no longer kept. */
  readonly exchange: Exchange | null;
}

const WORDS = { passed: 'passed', failed: 'failed', not_reached: 'not reached' } as const;

const compared = (name: string, value: string | null): Html | null =>
  value === null ? null : html`<div>${name}: ${value}</div>`;

function check({ verdict, rule, note, section, expected, got }: Check): Html {
  const operands =
    verdict === 'failed' && (expected !== null || got !== null)
      ? html`<div class="compared">${compared('expected', expected)}${compared('got', got)}</div>`
      : null;
  return html`<li data-verdict="${verdict}">
    <span class="word">${WORDS[verdict]}</span
    ><span>${rule}${note === null ? null : html` <span class="muted">${note}</span>`}</span
    ><span class="section">${cited(section)}</span>${operands}
  </li>`;
}

function cause({ why, throttled }: Exchange): Html | null {
  if (why === null) return null;
  const more = [why.detail, why.advice].filter((text) => text !== null);
  return html`<div class="cause" data-tone="${throttled ? 'warn' : 'bad'}">
    <p><b>${why.summary}</b></p>
    ${more.map((text) => html`<p>${text}</p>`)}
  </div>`;
}

const fault = ({ fault: met }: Exchange): Html | null =>
  met === null
    ? null
    : html`<div class="cause" data-tone="warn">
        <p><b>Fault on demand: ${met.name || met.id}</b></p>
        <p>${met.what}</p>
      </div>`;

function notes({ deviation_notes, advisory_notes }: Exchange): Html | null {
  const all = [...deviation_notes, ...advisory_notes];
  if (all.length === 0) return null;
  return html`<ul class="notes">
    ${all.map(({ text, section }) => html`<li>${text} <span class="muted">${cited(section)}</span></li>`)}
  </ul>`;
}

/** A page is told by its size: it would bury the message, and its form holds a token. */
function bodyOf(message: RawMessage, part: Exchange['request'] | Exchange['response']): string {
  const page = headerOf(part.headers, 'content-type')?.startsWith('text/html') ?? false;
  if (page && message.body !== '') return `[an HTML page of ${pluralize(part.body_bytes, 'byte')}]`;
  return message.body;
}

function side(title: string, message: RawMessage, body: string): Html {
  const text = body === '' ? message.head : `${message.head}\n\n${body}`;
  return html`<h4>${title}</h4>
    <pre>${text}</pre>`;
}

function verdictLine({ title, expected, got, came }: Verdict): Html {
  return html`<p class="verdict" data-came="${came ? 'yes' : 'no'}">
    Wrong on purpose: ${title}. Announced ${answerInWords(expected)} (${cited(expected.section)}):
    <b>${came ? 'it came' : `got ${answerInWords(got)}`}</b>
  </p>`;
}

function exchangeParts(exchange: Exchange): Html {
  const checks = exchange.trace;
  return html`${fault(exchange)}${cause(exchange)}${notes(exchange)}${
    checks.length === 0
      ? null
      : html`<h4>
            Checks, in the order of
            evaluation${exchange.profile === null ? '' : `, profile ${exchange.profile}`}
          </h4>
          <ol class="trace">
            ${checks.map(check)}
          </ol>`
  }${side('Request', rawRequest(exchange, true), bodyOf(rawRequest(exchange, true), exchange.request))}${side('Response', rawResponse(exchange, true), bodyOf(rawResponse(exchange, true), exchange.response))}`;
}

/** A code that control issued, in place of a sign-in. */
function issueParts({ request, sub, code, expires_at }: IssueEvent): Html {
  const facts: [string, string][] = [
    ['Code', elided(code)],
    ['Client', request.client_id],
    ['User', sub],
    ['Redirect URI', request.redirect_uri],
    ['Audience', request.audience ?? 'none named'],
    ['Scope', request.scope ?? 'none asked for'],
    ['Expires', expires_at],
  ];
  return html`<p class="muted">Issued from the workbench in place of a sign-in.</p>
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>`;
}

function partsOf({ event, exchange }: ReportedMessage): Html {
  if (event.kind === 'issue') return issueParts(event);
  if (exchange === null) {
    return html`<p class="muted">
      The exchange is no longer kept by the service: its request, answer and checks are missing
      here.
    </p>`;
  }
  return exchangeParts(exchange);
}

const STEP_OF = { issue: 'code', burst: 'hammer' } as const;

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

export function messageArticle(reported: ReportedMessage, number: number): Html {
  const { event, message } = reported;
  const verdict = event.kind === 'exchange' ? event.verdict : null;
  return html`<article id="m${number}" aria-labelledby="h${number}">
    <header>
      <h3 id="h${number}">${number}. ${message.request}</h3>
      <span class="tag" data-tone="${message.tone}">${message.reply}</span
      ><span class="muted">${factsOf(reported)}</span>
    </header>
    ${verdict === null ? null : verdictLine(verdict)}${partsOf(reported)}
  </article>`;
}
