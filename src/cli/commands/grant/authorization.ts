// Shared by the commands that run a grant: the flags of an authorization, and its client, user and audience, which
// default to the first ones of the workspace.

import type { Command } from 'commander';
import type { Connection } from '../command.ts';
import { parseWhole } from '../flag-values.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Client, User } from '../../../control/schemas.ts';
import { CommandError } from '../../command-error.ts';

export interface Authorization extends Connection {
  readonly clientId?: string;
  readonly redirectUri?: string;
  readonly user?: string;
  readonly audience?: string;
  readonly scope?: string;
  /** Lifetime of the access token, in seconds. */
  readonly expiresIn?: number;
}

export function authorizing(command: Command): Command {
  return command
    .option('--client-id <id>', 'the client (default: the first one registered)')
    .option('--user <sub>', 'the user who signs in (default: the first one registered)')
    .option(
      '--audience <uri>',
      "the API to call (default: the client's default audience, or the first one registered)",
    )
    .option('--scope <scopes>', 'scopes, separated by spaces')
    .option('--redirect-uri <uri>', "the redirect URI (default: the client's first one)")
    .option('--expires-in <seconds>', 'lifetime of the access token', parseWhole(1));
}

/** The largest page: lists are newest first, so that the first record of the workspace is the last of the page. */
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

/** Returns the first registered audience; undefined if the client has a default audience, which need not be sent. */
export async function audienceOf(
  control: ControlClient,
  client: Client,
  named?: string,
): Promise<string | undefined> {
  if (named !== undefined || client.default_audience !== null) return named;
  return (await control.audiences.list({ limit: MOST })).items.at(-1)?.uri;
}
