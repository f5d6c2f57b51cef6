// `grantbench decode`: its flags.

import type { Command } from 'commander';
import { GROUPS } from './command.ts';
import { begin, EXIT_CODES } from './connection.ts';

const HELP = `
Examples:
  grantbench decode eyJhbGciOi…
  grantbench token --json | jq -r .access_token | grantbench decode -
  grantbench decode - --json < token.txt | jq .payload.exp

The token is taken apart here and sent nowhere. Its signature is not checked: that needs the keys of its
issuer. A token that is broken is read as far as it goes, what is wrong with it is told, and the exit
code is 2.
${EXIT_CODES}`;

export function declare(program: Command): void {
  program
    .command('decode')
    .helpGroup(GROUPS.tokens)
    .allowExcessArguments(false)
    .description('take a JWT apart and explain it, without an instance')
    .argument('<token>', 'the token; - reads it from standard input')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (token: string, given: { readonly json?: boolean }) => {
      await begin();
      const { decode } = await import('../tokens/decode.ts');
      await decode(token, given);
    });
}
