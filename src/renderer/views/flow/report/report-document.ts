// The flow as one HTML file that stands for itself: diagram, verdicts, messages with their traces. No
// script, nothing fetched, and nothing that came from a request is taken for HTML.

import { pluralize } from '../../../ui/short-forms.ts';
import type { Replayed } from '../flow-state.ts';
import { answerInWords, type Verdict } from '../mistake.ts';
import { replayInWords } from '../replay-words.ts';
import type { Measure } from '../sequence/layout.ts';
import type { Message } from '../sequence/message.ts';
import { diagramSvg } from './diagram-svg.ts';
import { html, raw, type Html } from './html-text.ts';
import { messageArticle, type ReportedMessage } from './report-message.ts';

export interface ReportFacts {
  readonly title: string;
  /** RFC 3339, on the sandbox clock. */
  readonly made_at: string;
  /** Name and value, in the order shown. */
  readonly facts: readonly (readonly [string, string])[];
  /** Set when a scenario was replayed. */
  readonly replayed: Replayed | null;
}

export interface ReportOptions {
  readonly style: string;
  readonly measure: Measure;
}

const WIDTH = 760;
/** Readers may have wider fonts than the ones measured with. */
const WIDER = 1.1;

interface Judged {
  readonly number: number;
  readonly verdict: Verdict;
}

const judgedOf = (messages: readonly ReportedMessage[]): Judged[] =>
  messages.flatMap(({ event }, index) =>
    event.kind === 'exchange' && event.verdict !== null
      ? [{ number: index + 1, verdict: event.verdict }]
      : [],
  );

function verdictRow({ number, verdict: { title, expected, got, came } }: Judged): Html {
  return html`<tr>
    <td><a href="#m${number}">${number}</a></td>
    <td>${title}</td>
    <td class="mono">${answerInWords(expected)}</td>
    <td>${expected.section}</td>
    <td class="mono">${answerInWords(got)}</td>
    <td><span class="tag" data-tone="${came ? 'ok' : 'bad'}">${came ? 'pass' : 'fail'}</span></td>
  </tr>`;
}

function verdicts(judged: readonly Judged[]): Html | null {
  if (judged.length === 0) return null;
  const passed = judged.filter(({ verdict }) => verdict.came).length;
  return html`<section aria-labelledby="verdicts">
    <h2 id="verdicts">Wrong on purpose: ${passed} of ${judged.length} answered as announced</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">No.</th>
          <th scope="col">Mistake</th>
          <th scope="col">Announced</th>
          <th scope="col">Where it stands</th>
          <th scope="col">Came</th>
          <th scope="col">Verdict</th>
        </tr>
      </thead>
      <tbody>
        ${judged.map(verdictRow)}
      </tbody>
    </table>
  </section>`;
}

function replay(replayed: Replayed | null): Html | null {
  if (replayed === null) return null;
  const differences = replayed.failure?.differences ?? [];
  return html`<section aria-labelledby="replay">
    <h2 id="replay">Replayed: ${replayInWords(replayed)}</h2>
    ${
      differences.length === 0
        ? null
        : html`<ul class="differences">
            ${differences.map((difference) => html`<li>${difference}</li>`)}
          </ul>`
    }
  </section>`;
}

/** `2026-03-01 10:00:00`: in UTC, as every time of the report. */
const dayAndTime = (at: string): string => at.slice(0, 19).replace('T', ' ');

const timeOf = ({ at }: Message): string => at.slice(11, 19);

function resultOf(messages: readonly ReportedMessage[]): readonly [string, string] {
  const judged = judgedOf(messages);
  const came = judged.filter(({ verdict }) => verdict.came).length;
  const refused = messages.filter(({ message }) => message.refused).length;
  const parts = [pluralize(messages.length, 'message'), `${refused} refused`];
  if (judged.length > 0) parts.push(`${came} of ${judged.length} mistakes answered as announced`);
  return ['Result', parts.join(' · ')];
}

/** The text of the file. @param messages oldest first, without secrets */
export function reportDocument(
  { title, made_at, facts, replayed }: ReportFacts,
  messages: readonly ReportedMessage[],
  { style, measure }: ReportOptions,
): string {
  const wider: Measure = (text, textStyle) => measure(text, textStyle) * WIDER;
  const name = `Sequence diagram of ${pluralize(messages.length, 'message')}; each is told in words below.`;
  const drawn = messages.map(({ message }) => message);
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'"
        />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        <header>
          <h1>${title}</h1>
          <p class="muted">
            Made by Grantbench on ${dayAndTime(made_at)} UTC by the sandbox clock. Secrets, codes
            and tokens are left out.
          </p>
          <dl class="facts">
            ${[resultOf(messages), ...facts].map(
              ([fact, value]) =>
                html`<dt>${fact}</dt>
                  <dd>${value}</dd>`,
            )}
          </dl>
        </header>
        <main>
          ${replay(replayed)}${verdicts(judgedOf(messages))}
          <section aria-labelledby="sequence">
            <h2 id="sequence">Sequence</h2>
            <figure>${diagramSvg(drawn, WIDTH, wider, name, timeOf)}</figure>
          </section>
          <section aria-labelledby="messages">
            <h2 id="messages">Messages</h2>
            ${messages.map((message, index) => messageArticle(message, index + 1))}
          </section>
        </main>
      </body>
    </html> `;
  return document.html;
}
