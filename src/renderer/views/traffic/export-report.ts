// Exchanges as a report: read without their secrets, drawn, and handed over to be saved.

import { createElement } from 'react';
import { control } from '../../connection/control.ts';
import { issuerInUse } from '../../connection/state.ts';
import { Report, resultOf, dateAndTime } from '../../report/Report.tsx';
import { hidden, saveReport, withSandbox } from '../../report/save-report.ts';
import { createMeasure } from '../../sequence/drawing.tsx';
import { readExchanges, messagesOf } from './read-exchanges.ts';
import type { Exchange } from '../../../control/schemas.ts';
import { SENDER_WORDS } from './filter.ts';
import { saveScenario } from '../../ui/save-file.ts';
import { recordTraffic } from '../../recording/record-traffic.ts';
import { notify } from '../../ui/notify.tsx';

// The facts at the top of a report of exchanges, all taken from the exchanges themselves. Pure.

type Fact = readonly [string, string];

const distinct = (values: readonly (string | null)[]): string[] => [
  ...new Set(values.filter((value) => value !== null)),
];

const listed = (values: readonly string[]): string =>
  values.length === 0 ? 'none' : values.join(', ');

/** `App 12 · Workbench 2` */
function sendersOf(exchanges: readonly Exchange[]): string {
  const counts = Object.entries(SENDER_WORDS).map(([sender, { name }]) => {
    const count = exchanges.filter(({ sent_by }) => sent_by === sender).length;
    return count === 0 ? null : `${name} ${count}`;
  });
  return distinct(counts).join(' · ');
}

function periodOf(exchanges: readonly Exchange[]): string {
  const first = dateAndTime(exchanges[0]?.at ?? '');
  const last = dateAndTime(exchanges.at(-1)?.at ?? '');
  return first === last ? `${first} UTC` : `${first} to ${last} UTC`;
}

const clientsIn = (exchanges: readonly Exchange[]): string[] =>
  distinct(exchanges.map(({ client_id }) => client_id));

/** @param exchanges oldest first, at least one */
const factsOf = (exchanges: readonly Exchange[]): Fact[] => [
  ['Sent by', sendersOf(exchanges)],
  ['Period', periodOf(exchanges)],
  ['Client', listed(clientsIn(exchanges))],
  ['Profile', listed(distinct(exchanges.map(({ profile }) => profile)))],
];

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
  const clients = clientsIn(exchanges);
  const facts = {
    title: `Traffic report${clients.length === 0 ? '' : `: ${clients.join(', ')}`}`,
    made_at: (await control.clock.get()).now,
    result: missing === 0 ? result : [...result, `${missing} more are not in this report`],
    facts: withSandbox(factsOf(exchanges)),
  };
  const measure = createMeasure();
  saveReport(facts, 'traffic', createElement(Report, { facts, messages, measure }));
}

// Saves exchanges as a scenario file. They are read with their secrets, which the recorder leaves out.

/** @param wanted how many exchanges were chosen, including those omitted here @throws Error if none can be a step */
export async function exportScenario(numbers: readonly number[], wanted: number): Promise<void> {
  const exchanges = await readExchanges(numbers, true);
  const sandbox = { issuer: issuerInUse(), ...(await control.workspace.get()) };
  const clients = clientsIn(exchanges);
  const name = clients.length === 0 ? 'Traffic' : `Traffic of ${clients.join(', ')}`.slice(0, 200);
  const missing = wanted - exchanges.length;
  const { scenario, summary } = recordTraffic({ name, exchanges, missing, sandbox });
  notify(`Saving ${saveScenario(scenario)}: ${summary}`);
}
