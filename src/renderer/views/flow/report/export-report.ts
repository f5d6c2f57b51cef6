// Gathers what the report tells and hands it over to be saved. The engine takes the secrets out of the
// exchanges; of what the diagram says of them, they are taken out here.

import { createElement } from 'react';
import type { Exchange } from '../../../../control/schemas.ts';
import rawCss from '../../../exchange/Raw.module.css?inline';
import whyCss from '../../../exchange/Why.module.css?inline';
import { attempt } from '../../../actions/sandbox.ts';
import { control } from '../../../connection/control.ts';
import { createKnownValues } from '../../../../redact/known-values.ts';
import { createRedactor } from '../../../../redact/redactor.ts';
import { page } from '../../../connection/state.ts';
import { notify } from '../../../ui/notify.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import statusTagCss from '../../../ui/StatusTag.module.css?inline';
import jsonCss from '../../../ui/JsonText.module.css?inline';
import themeCss from '../../../ui/theme.css?raw';
import { currentChoice } from '../choice.ts';
import { momentInName } from '../file-name.ts';
import { exchangeOf, type FlowEvent } from '../flow-state.ts';
import { flow } from '../flow-store.ts';
import sequenceCss from '../../../sequence/Sequence.module.css?inline';
import { createMeasure } from '../../../sequence/measure.ts';
import type { Message } from '../../../sequence/message.ts';
import { messagesOf } from '../sequence/message.ts';
import verdictCss from '../Verdict.module.css?inline';
import { documentText } from './document-text.ts';
import { Report, type ReportFacts } from './Report.tsx';
import type { ReportedMessage } from './ReportMessage.tsx';
import { reportStyle } from './report-style.ts';

const numberOf = (event: FlowEvent): number | null => exchangeOf(event)?.number ?? null;

/** The exchanges as they may be shown to anybody, by number; those no longer kept are missing. */
async function withoutSecrets(numbers: readonly number[]): Promise<Map<number, Exchange>> {
  if (numbers.length === 0) return new Map();
  const answer = await control.exchanges.export({
    format: 'json',
    numbers: numbers.join(','),
    secrets: false,
  });
  const exchanges = 'exchanges' in answer ? answer.exchanges : [];
  return new Map(exchanges.map((exchange) => [exchange.number, exchange]));
}

/** The flow holds its exchanges with their secrets, and its diagram speaks of them. */
function hidden(messages: readonly Message[]): Message[] {
  const known = createKnownValues();
  for (const { client_secret } of page.getState().clients) known.add(client_secret ?? '');
  const { words } = createRedactor({ known, isIssued: () => false });
  return messages.map((message) => ({
    ...message,
    request: words(message.request),
    reply: words(message.reply),
    notes: message.notes.map((note) => ({ ...note, text: words(note.text) })),
  }));
}

async function reported(events: readonly FlowEvent[]): Promise<ReportedMessage[]> {
  const numbers = events.map(numberOf).filter((number) => number !== null);
  const kept = await withoutSecrets(numbers);
  const messages = hidden(messagesOf(events));
  return events.flatMap((event, index) => {
    const message = messages[index];
    const exchange = kept.get(numberOf(event) ?? 0) ?? null;
    return message === undefined ? [] : [{ event, message, exchange }];
  });
}

function factsOf(made_at: string): ReportFacts {
  const { server } = page.getState();
  const { client, profile, dialect, mode } = currentChoice();
  const { name: saved, replayed } = flow.getState();
  const name = saved ?? (client?.client_name || client?.client_id);
  return {
    title: `Flow report${name === undefined ? '' : `: ${name}`}`,
    made_at,
    replayed,
    facts: [
      ['Issuer', server?.issuer ?? ''],
      ['Client', client?.client_id ?? 'none'],
      ['Profile', profile],
      ['Dialect', dialect],
      ['Authorization', mode],
      ['Workspace', server?.workspace.name ?? ''],
      ['Grantbench', server?.version ?? ''],
    ],
  };
}

/** The rules of the page's components that the report is drawn by. */
const COMPONENTS = [sequenceCss, rawCss, jsonCss, whyCss, statusTagCss, verdictCss].join('\n');

const fileName = (made_at: string): string => `grantbench-flow-${momentInName(made_at)}.html`;

/** Saves the diagram as it stands, with everything that was asked and answered. */
export const exportReport = (): Promise<boolean> =>
  attempt('The report was not made.', async () => {
    const messages = await reported(flow.getState().events);
    const { now } = await control.clock.get();
    const told = factsOf(now);
    const body = createElement(Report, { told, messages, measure: createMeasure() });
    const text = documentText(told.title, reportStyle(themeCss, COMPONENTS), body);
    saveFile([text], fileName(now), 'text/html');
    notify('The report is saved, without secrets');
  });
