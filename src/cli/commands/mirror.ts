// `grantbench mirror`: makes a workspace that imitates a provider from its public documents. As with `run --against`,
// only a user may send requests to other machines, so there is no control operation for it.

import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { readText, saveText } from '../files.ts';
import { print, remark, withoutControls } from '../terminal/print.ts';
import { EXIT_CODES, GROUPS } from './command.ts';
import { collect, parseAddress } from './flag-values.ts';

interface MirrorFlags {
  readonly token?: string;
  readonly allowAddress?: readonly string[];
  readonly allowJwksHost?: readonly string[];
}

/** Asks on the terminal. Without a terminal the answer is no. */
async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

async function run(issuer: string, file: string | undefined, flags: MirrorFlags): Promise<void> {
  const { mirror, MIRROR_TIMEOUT_MS } = await import('../../engine/mirror/workspace.ts');
  const { ProviderError } = await import('../../engine/provider/provider-error.ts');
  const { token, allowAddress = [], allowJwksHost = [] } = flags;
  const sample =
    token === undefined
      ? null
      : {
          token: await readText(token, 'the token'),
          where: token === '-' ? 'Standard input' : token,
        };
  try {
    const { workspace, notes } = await mirror(issuer, sample, {
      named: allowAddress,
      timeout_ms: MIRROR_TIMEOUT_MS,
      confirmHost: async (host) =>
        allowJwksHost.includes(host) ||
        confirm(`The JWK Set is on another host, ${withoutControls(host)}. Request it from there?`),
    });
    const text = JSON.stringify(workspace, null, 2);
    if (file === undefined || file === '-') print(text);
    else saveText(file, `${text}\n`);
    for (const note of notes) remark(withoutControls(note));
    if (file !== undefined && file !== '-') {
      remark(`Wrote ${file}. To start it: grantbench serve --workspace ${file}`);
    }
  } catch (error) {
    if (error instanceof ProviderError) throw new CommandError(2, withoutControls(error.message));
    throw error;
  }
}

const HELP = `
Examples:
  grantbench mirror https://login.example.com/ login.json
  grantbench mirror https://login.example.com/ login.json --token sample.jwt
  grantbench serve --workspace login.json

The command requests the metadata and the JWK Set of the issuer, and nothing else. Redirects are not followed. Each
document may be at most 1 MB, and must arrive within 10 seconds. The token is decoded locally and not sent anywhere.
Its claims keep their names and get made-up values of the same kind. Omissions are printed to standard error.
${EXIT_CODES}`;

export function declare(program: Command): void {
  program
    .command('mirror')
    .helpGroup(GROUPS.files)
    .allowExcessArguments(false)
    .description('make a workspace file that imitates a provider; needs no instance')
    .argument('<issuer>', 'the issuer of the provider: https, or http on a loopback address')
    .argument('[file]', 'the workspace file to write; default: standard output')
    .option(
      '--token <file>',
      'imitate the claims of the access token in this file; - is standard input',
    )
    .option(
      '--allow-address <address>',
      'connect to this private or link-local address; may be repeated',
      parseAddress,
    )
    .option(
      '--allow-jwks-host <host>',
      'also request the JWK Set from this host; may be repeated',
      collect,
    )
    .option('--json', 'print JSON (the default)')
    .addHelpText('after', HELP)
    .action(run);
}
