// Gathers what the report of the walk says, and hands it over to be saved.

import { createElement } from 'react';
import { attempt } from '../../../actions/sandbox.ts';
import { control } from '../../../connection/control.ts';
import { page } from '../../../connection/state.ts';
import { exchangeOf } from '../../../recording/recorded-event.ts';
import { hidden, saveReport, withoutSecrets } from '../../../report/save-report.ts';
import { createMeasure } from '../../../sequence/measure.ts';
import { currentChoice } from '../choice.ts';
import type { FlowEvent } from '../flow-state.ts';
import { flow } from '../flow-store.ts';
import { messagesOf } from '../sequence/message.ts';
import verdictCss from '../Verdict.module.css?inline';
import { FlowReport, type FlowFacts, type FlowMessage } from './FlowReport.tsx';

const numberOf = (event: FlowEvent): number | null => exchangeOf(event)?.number ?? null;

async function reported(events: readonly FlowEvent[]): Promise<FlowMessage[]> {
  const numbers = events.map(numberOf).filter((number) => number !== null);
  const kept = await withoutSecrets(numbers);
  const messages = hidden(messagesOf(events));
  return events.flatMap((event, index) => {
    const message = messages[index];
    const exchange = kept.get(numberOf(event) ?? 0) ?? null;
    return message === undefined ? [] : [{ event, message, exchange }];
  });
}

function factsOf(made_at: string): FlowFacts {
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

/** Saves the diagram as it stands, with everything that was asked and answered. */
export const exportReport = (): Promise<boolean> =>
  attempt('The report was not made.', async () => {
    const messages = await reported(flow.getState().events);
    const { now } = await control.clock.get();
    const told = factsOf(now);
    const body = createElement(FlowReport, { told, messages, measure: createMeasure() });
    saveReport(told, 'flow', body, verdictCss);
  });
