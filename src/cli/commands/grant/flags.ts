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
  throw new InvalidArgumentError('It takes whole seconds, 1 or more.');
}

export function authorizing(command: Command): Command {
  return command
    .option('--client-id <id>', 'the client (default: the first one registered)')
    .option('--user <sub>', 'the user who signs in (default: the first one)')
    .option('--audience <uri>', 'the API to call (default: the client’s own, or the first one)')
    .option('--scope <scopes>', 'scopes, with spaces between')
    .option('--redirect-uri <uri>', 'where the code goes (default: the client’s first one)')
    .option('--expires-in <seconds>', 'lifetime of the access token', parseSeconds);
}
