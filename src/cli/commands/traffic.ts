// `grantbench traffic`: its flags.

import { InvalidArgumentError, type Command } from 'commander';
import { parseFile } from '../options.ts';
import { GROUPS } from './command.ts';
import { begin, connected } from './connection.ts';
import type { TrafficOptions } from '../watching/traffic.ts';

const EXAMPLES = `  grantbench traffic                            the newest exchanges
  grantbench traffic --follow                   and each one to come, until Ctrl+C
  grantbench traffic --explain 3                why exchange 3 was answered as it was
  grantbench traffic --status 400 --json | jq -r .[].cause
  grantbench traffic --har traffic.har          for the tools of a browser; without secrets
  grantbench traffic --follow --json            one exchange a line`;

function parseNumber(value: string): number {
  if (/^\d{1,9}$/.test(value) && Number(value) >= 1) return Number(value);
  throw new InvalidArgumentError('It takes a whole number, 1 or more.');
}

export function declare(program: Command): void {
  const command = program
    .command('traffic')
    .helpGroup(GROUPS.watch)
    .description('see what apps asked and what they were answered')
    .option('-f, --follow', 'go on with each exchange to come')
    .option('--explain <number>', 'one exchange with its trace', parseNumber)
    .option('--har <file>', 'write HAR 1.2 to this file; - is standard output', parseFile)
    .option('--limit <count>', 'the newest ones, at most 1000', parseNumber, 20)
    .option('--client-id <id>', 'of this client only')
    .option('--status <status>', 'with this status only', parseNumber)
    .option('--error <code>', 'with this error only')
    .option('--secrets', 'with secrets in them, in HAR and --explain --json');
  connected(command, EXAMPLES).action(async (given: TrafficOptions) => {
    await begin();
    const { showTraffic } = await import('../watching/traffic.ts');
    await showTraffic(given);
  });
}
