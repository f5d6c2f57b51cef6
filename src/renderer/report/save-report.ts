// Hands a report over to be saved. The engine takes the secrets out of the exchanges; of what the diagram says
// of them, they are taken out here.

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

/** The exchanges as they may be shown to anybody, by number; those no longer kept are missing. */
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

/** The page may hold exchanges with their secrets, and its diagram speaks of them. */
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

/** The rules of the page's components that every report is drawn by. */
const COMPONENTS = [sequenceCss, rawCss, whyCss, statusTagCss];

/**
 * @param about of what it is, as its file is named: `flow`
 * @param css of the components that only this report has
 */
export function saveReport(
  { title, made_at }: Pick<ReportFacts, 'title' | 'made_at'>,
  about: string,
  body: ReactElement,
  css = '',
): void {
  const style = reportStyle(themeCss, [...COMPONENTS, css].join('\n'));
  const file = `grantbench-${about}-${momentInName(made_at)}.html`;
  saveFile([documentText(title, style, body)], file, 'text/html');
  notify('The report is saved, without secrets');
}
