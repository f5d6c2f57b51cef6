// Short forms for narrow places: credentials, counts, milliseconds, bytes. Pure.

import { defaultOptionsFilter, type OptionsFilter } from '@mantine/core';
import type { Client, Profile, User } from '../../control/schemas.ts';
import { pluralize } from '../../words.ts';

/** A long credential without its middle; two of them can still be distinguished. */
export function elided(value: string): string {
  return value.length <= 12 ? value : `${value.slice(0, 3)}…${value.slice(-2)}`;
}

/** A duration in ms with the significant digits only. */
export function milliseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(2)} s`;
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ms`;
}

/** `7.5 kB`, `2.1 MB` */
export const bytesInWords = (bytes: number): string =>
  bytes >= 1_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1000).toFixed(1)} kB`;

/** Which clients use the workspace's profile, as others have their own. Empty if all do. */
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

/** A record in a list of choices: its display name with its key, or the key alone. */
export const choiceOf = (value: string, name: string) => ({
  value,
  label: name === '' ? value : `${name} (${value})`,
});

const MOST_OPTIONS = 100;

/** The first options that match, and how many more do: to draw thousands takes seconds. */
export const firstOptions: OptionsFilter = ({ options, search }) => {
  const found = defaultOptionsFilter({ options, search, limit: Infinity }) as typeof options;
  const left = found.length - MOST_OPTIONS;
  if (left <= 0) return found;
  const label = `${left.toLocaleString('en')} more: type to find them`;
  return [...found.slice(0, MOST_OPTIONS), { value: '\n', label, disabled: true }];
};

export const clientChoices = (clients: readonly Client[]) =>
  clients.map(({ client_id, client_name }) => choiceOf(client_id, client_name));

export const userChoices = (users: readonly User[]) =>
  users.map(({ sub, name }) => choiceOf(sub, name));

/** Where a device was approved or denied. */
export const DECIDED_ON_WORDS = {
  page: 'at /device',
  control: 'over the control API',
  setting: 'by the authorize setting',
} as const;
