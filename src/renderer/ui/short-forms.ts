// Short forms for narrow places: credentials, counts, milliseconds. Pure.

import type { Client, Profile } from '../../control/schemas.ts';
import { pluralize } from '../../words.ts';

export { enumerated, pluralize } from '../../words.ts';

/** A long credential with its middle left out, so that two can still be told apart. */
export function elided(value: string): string {
  return value.length <= 12 ? value : `${value.slice(0, 3)}…${value.slice(-2)}`;
}

/** Milliseconds of the stopwatch with as many digits as mean something. */
export function milliseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(2)} s`;
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ms`;
}

/** For whom the profile of the settings is in force: a client can have another one. Empty for all. */
export function profileReach(
  clients: readonly Pick<Client, 'profile'>[],
  profile: Profile,
): string {
  const own = clients.filter((client) => client.profile !== null && client.profile !== profile);
  if (own.length === 0) return '';
  const count = pluralize(clients.length, 'client');
  return own.length === clients.length
    ? 'for no client'
    : `for ${clients.length - own.length} of ${count}`;
}
