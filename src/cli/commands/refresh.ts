// `grantbench refresh`: uses a refresh token over real HTTP.

import type { Command } from 'commander';
import type { ControlClient } from '../../control/contract.ts';
import { CommandError } from '../command-error.ts';
import { withControl } from '../connect.ts';
import { readInput } from '../terminal/print.ts';
import { connected, type Connection, GROUPS } from './command.ts';
import { given } from './flag-values.ts';
import { clientOf, runSteps, printResponse } from './grant.ts';

interface RefreshOptions extends Connection {
  readonly clientId?: string;
  readonly audience?: string;
  readonly scope?: string;
  readonly explain?: boolean;
}

async function takeToken(argument: string): Promise<string> {
  const token = (argument === '-' ? await readInput('the token') : argument).trim();
  if (token !== '') return token;
  throw new CommandError(2, 'The refresh token must not be empty.');
}

/** Returns the client that the token was issued to; undefined if unknown. */
async function holderOf(control: ControlClient, token: string): Promise<string | undefined> {
  const { items } = await control.tokens.list({ text: token, kind: 'refresh_token', limit: 1 });
  return items[0]?.client_id;
}

async function refresh(argument: string, options: RefreshOptions): Promise<void> {
  const refresh_token = await takeToken(argument);
  await withControl(options, async (control) => {
    const client_id = options.clientId ?? (await holderOf(control, refresh_token));
    const client = await clientOf(control, client_id);
    const asked = given({ audience: options.audience, scope: options.scope });
    const fields = { refresh_token, ...asked };
    const { exchange } = await runSteps(control, client, [
      { token: { grant: 'refresh_token', fields } },
    ]);
    printResponse(exchange, options);
  });
}

const EXAMPLES = `  grantbench refresh "$REFRESH_TOKEN"
  grantbench token --json | jq -r .refresh_token | grantbench refresh -
  grantbench refresh - --explain < refresh-token.txt`;

export function declare(program: Command): void {
  const command = program
    .command('refresh')
    .helpGroup(GROUPS.tokens)
    .description('use a refresh token at the token endpoint and print the response')
    .argument('<token>', 'the refresh token; - reads it from standard input')
    .option('--client-id <id>', 'the client that uses it (default: the one it was issued to)')
    .option('--audience <uri>', 'the audience to send')
    .option('--scope <scopes>', 'narrower scopes, separated by spaces')
    .option(
      '--explain',
      'print the trace: the verdict of each check with the expected and actual value',
    );
  connected(command, EXAMPLES).action(refresh);
}
