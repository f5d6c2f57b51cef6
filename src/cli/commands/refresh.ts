// `grantbench refresh`: its flags.

import type { Command } from 'commander';
import { GROUPS } from './command.ts';
import { begin, connected } from './connection.ts';
import type { RefreshOptions } from '../tokens/refresh.ts';

const EXAMPLES = `  grantbench refresh "$REFRESH_TOKEN"
  grantbench token --json | jq -r .refresh_token | grantbench refresh -
  grantbench refresh - --explain < refresh-token.txt`;

export function declare(program: Command): void {
  const command = program
    .command('refresh')
    .helpGroup(GROUPS.tokens)
    .description('redeem a refresh token at the token endpoint and print the response')
    .argument('<token>', 'the refresh token; - reads it from standard input')
    .option('--client-id <id>', 'the client that redeems it (default: the one it was issued to)')
    .option('--audience <uri>', 'the audience to name')
    .option('--scope <scopes>', 'fewer scopes, with spaces between')
    .option('--explain', 'print the trace: each check, what was expected, what came, the verdict');
  connected(command, EXAMPLES).action(async (token: string, given: RefreshOptions) => {
    await begin();
    const { refresh } = await import('../tokens/refresh.ts');
    await refresh(token, given);
  });
}
