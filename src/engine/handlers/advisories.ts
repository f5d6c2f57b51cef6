// What the over-fetch detector advised, newest first, and how often for each client.

import type { AdvisoryEntry } from '../../control/schemas.ts';
import { describeAdvisory } from '../../core/checks/explain.ts';
import type { LoggedAdvisory } from '../exchanges/advisory-log.ts';
import type { EngineParts } from '../parts.ts';
import { timeText } from '../views/records.ts';
import { invalidField } from './control-error.ts';
import { os } from './os.ts';

function advisoryView({ seq: _seq, at, exchange, client_id, ...advice }: LoggedAdvisory) {
  const view: AdvisoryEntry = {
    exchange,
    at: timeText(at),
    client_id,
    ...describeAdvisory(advice),
  };
  return view;
}

const PLACE = /^\d{1,15}$/;

function placeOf(after: string | undefined): number {
  if (after === undefined) return Number.POSITIVE_INFINITY;
  if (PLACE.test(after)) return Number(after);
  throw invalidField('after', 'must be the next of a previous response');
}

export function advisoryHandlers({ advisories }: EngineParts) {
  return {
    list: os.advisories.list.handler(({ input: { limit, after, client_id } }) => {
      const wanted = (about: string) => client_id === undefined || about === client_id;
      const before = placeOf(after);
      const found = advisories
        .newestFirst()
        .filter((advisory) => advisory.seq < before && wanted(advisory.client_id));
      const last = found.length > limit ? found[limit - 1] : undefined;
      return {
        items: found.slice(0, limit).map(advisoryView),
        next: last === undefined ? null : String(last.seq),
        clients: advisories.counts().filter((counts) => wanted(counts.client_id)),
      };
    }),
  };
}
