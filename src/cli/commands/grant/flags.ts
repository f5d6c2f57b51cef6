// What an authorization is asked for: the flags that `code` and `token` share.

import { InvalidArgumentError, type Command } from 'commander';
import type { Connection } from '../connection.ts';

export interface Authorization extends Connection {
  readonly clientId?: string;
  readonly redirectUri?: string;
  readonly user?: string;
  readonly audience?: string;
  readonly scope?: string;
  /** Lifetime of the access token, in seconds. */
  readonly expiresIn?: number;
}

export function parseSeconds(value: string): number {
  const seconds = Number(value);
  if (/^\d{1,9}$/.test(value) && seconds >= 1) return seconds;
  throw new InvalidArgumentError('It must be a whole number of seconds, at least 1.');
}

export function authorizing(command: Command): Command {
  return command
    .option('--client-id <id>', 'the client (default: the first one registered)')
    .option('--user <sub>', 'the user who signs in (default: the first one)')
    .option('--audience <uri>', 'the API to call (default: that of the client, or the first one)')
    .option('--scope <scopes>', 'scopes, separated by spaces')
    .option('--redirect-uri <uri>', 'the redirect URI (default: the first one of the client)')
    .option('--expires-in <seconds>', 'lifetime of the access token', parseSeconds);
}
