// Saves a report. The engine removes secrets from the exchanges; this module removes them from the diagram's texts.

import type { ReactElement } from 'react';
import type { Exchange } from '../../control/schemas/exchanges.ts';
import { createKnownValues } from '../../redact/known-values.ts';
import { createRedactor } from '../../redact/redactor.ts';
import { control } from '../connection/control.ts';
import { page } from '../connection/state.ts';
import rawCss from '../exchange/Raw.module.css?inline';
import whyCss from '../exchange/Why.module.css?inline';
import type { Message } from '../sequence/message.ts';
import sequenceCss from '../sequence/Sequence.module.css?inline';
import { notify } from '../ui/notify.tsx';
import { momentInName, saveFile } from '../ui/save-file.ts';
import statusTagCss from '../ui/StatusTag.module.css?inline';
import themeCss from '../ui/theme.css?raw';
import { documentText, reportStyle } from './document.ts';
import type { ReportFacts } from './Report.tsx';

/** The exchanges without secrets, by number. Exchanges that are no longer stored are missing. */
export async function withoutSecrets(numbers: readonly number[]): Promise<Map<number, Exchange>> {
  if (numbers.length === 0) return new Map();
  const answer = await control.exchanges.export({
    format: 'json',
    numbers: numbers.join(','),
    secrets: false,
  });
  const exchanges = 'exchanges' in answer ? answer.exchanges : [];
  return new Map(exchanges.map((exchange) => [exchange.number, exchange]));
}

/** Removes secrets from messages, since the page may have exchanges with secrets. */
export function hidden(messages: readonly Message[]): Message[] {
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

/** The styles of the page's components that every report uses. */
const COMPONENTS = [sequenceCss, rawCss, whyCss, statusTagCss];

/** @param about what the report is about, for the name of its file: `flow` */
export function saveReport(
  { title, made_at }: Pick<ReportFacts, 'title' | 'made_at'>,
  about: string,
  body: ReactElement,
): void {
  const style = reportStyle(themeCss, COMPONENTS.join('\n'));
  const file = `grantbench-${about}-${momentInName(made_at)}.html`;
  saveFile([documentText(title, style, body)], file, 'text/html');
  notify('Report saved, without secrets');
}
