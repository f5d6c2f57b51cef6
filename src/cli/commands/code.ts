// `grantbench code`: its flags.

import type { Command } from 'commander';
import { GROUPS } from './command.ts';
import { begin, connected } from './connection.ts';
import { authorizing, parseSeconds } from './grant-flags.ts';
import type { CodeOptions } from '../tokens/issue-code.ts';

const EXAMPLES = `  grantbench code                               for the first client and user
  grantbench code --client-id demo-app --scope "openid orders:read"
  grantbench code --code-expires-in 5           to see a code expire
  grantbench code --json | jq -r .code`;

export function declare(program: Command): void {
  const command = program
    .command('code')
    .helpGroup(GROUPS.tokens)
    .description('issue an authorization code, as if a user had signed in');
  authorizing(command)
    .option('--state <text>', 'state to hand back')
    .option('--nonce <text>', 'nonce for the ID token')
    .option('--code-challenge <text>', 'PKCE challenge (RFC 7636)')
    .option('--code-challenge-method <method>', 'S256 or plain')
    .option('--code-expires-in <seconds>', 'lifetime of the code', parseSeconds);
  connected(command, EXAMPLES).action(async (given: CodeOptions) => {
    await begin();
    const { issueCode } = await import('../tokens/issue-code.ts');
    await issueCode(given);
  });
}
