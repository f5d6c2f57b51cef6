// The facts at the top of a report of exchanges, all taken from the exchanges themselves. Pure.

import type { Exchange } from '../../../control/schemas.ts';
import { dateAndTime } from '../../report/Report.tsx';
import { SENDER_NAMES } from './filter.ts';

type Fact = readonly [string, string];

const distinct = (values: readonly (string | null)[]): string[] => [
  ...new Set(values.filter((value) => value !== null)),
];

const enumerated = (values: readonly string[]): string =>
  values.length === 0 ? 'none' : values.join(', ');

/** `App 12 · Workbench 2` */
function sendersOf(exchanges: readonly Exchange[]): string {
  const counts = Object.entries(SENDER_NAMES).map(([sender, name]) => {
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

export const clientsIn = (exchanges: readonly Exchange[]): string[] =>
  distinct(exchanges.map(({ client_id }) => client_id));

/** @param exchanges oldest first, at least one */
export const factsOf = (exchanges: readonly Exchange[]): Fact[] => [
  ['Sent by', sendersOf(exchanges)],
  ['Period', periodOf(exchanges)],
  ['Client', enumerated(clientsIn(exchanges))],
  ['Profile', enumerated(distinct(exchanges.map(({ profile }) => profile)))],
];
