// `grantbench refresh`: a refresh token redeemed over real HTTP.

import type { ControlClient } from '../../control/client.ts';
import type { Connection } from '../commands/connection.ts';
import { CommandError } from '../command-error.ts';
import { withControl } from '../instance/connect.ts';
import { readInput } from '../terminal/print.ts';
import { given } from './issue-code.ts';
import { clientOf } from './parties.ts';
import { requestToken, tellAnswer } from './token-request.ts';

export interface RefreshOptions extends Connection {
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

/** Whoever it was issued to, as far as that is known. */
async function holderOf(control: ControlClient, token: string): Promise<string | undefined> {
  const { items } = await control.tokens.list({ text: token, kind: 'refresh_token', limit: 1 });
  return items[0]?.client_id;
}

export async function refresh(argument: string, options: RefreshOptions): Promise<void> {
  const refresh_token = await takeToken(argument);
  await withControl(options, async (control) => {
    const client_id = options.clientId ?? (await holderOf(control, refresh_token));
    const client = await clientOf(control, client_id);
    const exchange = await requestToken(control, client, {
      grant_type: 'refresh_token',
      refresh_token,
      ...given({ audience: options.audience, scope: options.scope }),
    });
    tellAnswer(exchange, options);
  });
}
