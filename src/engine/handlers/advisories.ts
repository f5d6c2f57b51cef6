// Lists advisories about redundant token requests, newest first, with totals for each client.

import type { AdvisoryEntry, Sender } from '../../control/schemas.ts';
import { describeAdvisory } from '../../core/checks/describe-checks.ts';
import type { LoggedAdvisory } from '../exchanges/advisory-log.ts';
import type { EngineParts } from '../parts.ts';
import { timeText } from '../format.ts';
import { os } from './implementer.ts';
import { numberAfter, pageByNumber } from './page.ts';

function advisoryView({ seq: _seq, at, exchange, client_id, sent_by, ...advice }: LoggedAdvisory) {
  const view: AdvisoryEntry = {
    exchange,
    at: timeText(at),
    client_id,
    sent_by,
    ...describeAdvisory(advice),
  };
  return view;
}

export function advisoryHandlers({ advisories }: EngineParts) {
  return {
    list: os.advisories.list.handler(({ input: { limit, after, client_id, sent_by } }) => {
      const isAbout = (about: string) => client_id === undefined || about === client_id;
      const isTo = (sender: Sender) => sent_by === undefined || sender === sent_by;
      const before = numberAfter(after);
      const found = advisories
        .newestFirst()
        .filter((one) => one.seq < before && isAbout(one.client_id) && isTo(one.sent_by));
      const { items, next } = pageByNumber(found, limit);
      return {
        items: items.map(advisoryView),
        next,
        clients: advisories.counts(sent_by).filter((counts) => isAbout(counts.client_id)),
      };
    }),
  };
}
