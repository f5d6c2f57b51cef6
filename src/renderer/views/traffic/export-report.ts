// Exchanges as a report: read without their secrets, drawn, and handed over to be saved.

import { createElement } from 'react';
import { control } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';
import { Report, resultOf } from '../../report/Report.tsx';
import { hidden, saveReport } from '../../report/save-report.ts';
import { createMeasure } from '../../sequence/drawing.tsx';
import { clientsIn, factsOf } from './report-facts.ts';
import { readExchanges, messagesOf } from './read-exchanges.ts';

/** @param wanted how many exchanges were chosen, including those omitted here @throws Error if none is still kept */
export async function exportReport(numbers: readonly number[], wanted: number): Promise<void> {
  const exchanges = await readExchanges(numbers, false);
  if (exchanges.length === 0) throw new Error('None of these exchanges is still kept.');
  const messages = hidden(messagesOf(exchanges)).map((message, index) => ({
    message,
    exchange: exchanges[index] ?? null,
  }));
  const missing = wanted - exchanges.length;
  const result = resultOf(messages, 'exchange');
  const { server } = page.getState();
  const clients = clientsIn(exchanges);
  const facts = {
    title: `Traffic report${clients.length === 0 ? '' : `: ${clients.join(', ')}`}`,
    made_at: (await control.clock.get()).now,
    result: missing === 0 ? result : [...result, `${missing} more are not in this report`],
    facts: [
      ['Issuer', server?.issuer ?? ''],
      ...factsOf(exchanges),
      ['Workspace', server?.workspace.name ?? ''],
      ['Grantbench', server?.version ?? ''],
    ] as const,
  };
  const measure = createMeasure();
  saveReport(facts, 'traffic', createElement(Report, { facts, messages, measure }));
}
