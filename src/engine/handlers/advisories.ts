// Lists advisories about redundant token requests, newest first, with totals for each client.

import type { AdvisoryEntry, Sender } from '../../control/schemas.ts';
import { describeAdvisory } from '../../core/checks/explain.ts';
import type { LoggedAdvisory } from '../exchanges/advisory-log.ts';
import type { EngineParts } from '../parts.ts';
import { timeText } from '../views/records.ts';
import { invalidField } from './control-error.ts';
import { os } from './os.ts';

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

const PLACE = /^\d{1,15}$/;

function placeOf(after: string | undefined): number {
  if (after === undefined) return Number.POSITIVE_INFINITY;
  if (PLACE.test(after)) return Number(after);
  throw invalidField('after', 'must be next of the previous response');
}

export function advisoryHandlers({ advisories }: EngineParts) {
  return {
    list: os.advisories.list.handler(({ input: { limit, after, client_id, sent_by } }) => {
      const isAbout = (about: string) => client_id === undefined || about === client_id;
      const isTo = (sender: Sender) => sent_by === undefined || sender === sent_by;
      const before = placeOf(after);
      const found = advisories
        .newestFirst()
        .filter((one) => one.seq < before && isAbout(one.client_id) && isTo(one.sent_by));
      const last = found.length > limit ? found[limit - 1] : undefined;
      return {
        items: found.slice(0, limit).map(advisoryView),
        next: last === undefined ? null : String(last.seq),
        clients: advisories.counts(sent_by).filter((counts) => isAbout(counts.client_id)),
      };
    }),
  };
}
