// Who takes part in a grant: what was named, or what the workspace has first.

import type { ControlClient } from '../../../control/client.ts';
import type { Client, User } from '../../../control/schemas.ts';
import { CommandError } from '../../command-error.ts';

/** Lists are newest first; what a workspace names first is the oldest. */
const MOST = 1000;

export async function clientOf(control: ControlClient, client_id?: string): Promise<Client> {
  if (client_id !== undefined) return control.clients.get({ client_id });
  const first = (await control.clients.list({ limit: MOST })).items.at(-1);
  if (first !== undefined) return first;
  throw new CommandError(2, 'No client is registered. Add one with grantbench clients add.');
}

export async function userOf(control: ControlClient, sub?: string): Promise<User> {
  if (sub !== undefined) return control.users.get({ sub });
  const first = (await control.users.list({ limit: MOST })).items.at(-1);
  if (first !== undefined) return first;
  throw new CommandError(2, 'No user is registered. Add one with grantbench users add.');
}

export function redirectUriOf({ client_id, redirect_uris }: Client, named?: string): string {
  const uri = named ?? redirect_uris[0];
  if (uri !== undefined) return uri;
  throw new CommandError(
    2,
    `The client ${client_id} has no redirect URI. Set one with --redirect-uri.`,
  );
}

/** The client's own one needs no naming; else the first that is registered. */
export async function audienceOf(
  control: ControlClient,
  client: Client,
  named?: string,
): Promise<string | undefined> {
  if (named !== undefined || client.default_audience !== null) return named;
  return (await control.audiences.list({ limit: MOST })).items.at(-1)?.uri;
}

/** Members that were given; the others are left out. */
export function given<T extends Record<string, unknown>>(members: T) {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
