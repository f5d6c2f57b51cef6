// `grantbench token`: its flags.

import { Option, type Command } from 'commander';
import { GROUPS } from './command.ts';
import { begin, connected } from './connection.ts';
import { authorizing } from './grant-flags.ts';
import type { TokenOptions } from '../tokens/run-grant.ts';

const EXAMPLES = `  grantbench token                              code and exchange for the first client and user
  grantbench token --explain                    and every check the request went through
  grantbench token --json | jq -r .access_token
  grantbench token --grant client_credentials --client-id worker
  grantbench token --scope "openid email" --pkce

The exchange goes over real HTTP to the token endpoint, and is seen in traffic as any other.`;

export function declare(program: Command): void {
  const command = program
    .command('token')
    .helpGroup(GROUPS.tokens)
    .description('run a whole grant at the token endpoint and print the response');
  authorizing(command)
    .addOption(
      new Option('--grant <type>', 'the grant to run')
        .choices(['authorization_code', 'client_credentials'])
        .default('authorization_code'),
    )
    .option('--pkce', 'with PKCE S256 (a client without secret always has it)')
    .option('--explain', 'print the trace: each check, what was expected, what came, the verdict');
  connected(command, EXAMPLES).action(async (given: TokenOptions) => {
    await begin();
    const { runGrant } = await import('../tokens/run-grant.ts');
    await runGrant(given);
  });
}
