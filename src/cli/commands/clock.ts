// `grantbench clock`: its subcommands.

import type { Command } from 'commander';
import type { ClockStep } from '../steering/clock.ts';
import { GROUPS } from './command.ts';
import { begin, connected, type Connection } from './connection.ts';

async function run(step: ClockStep, given: Connection): Promise<void> {
  await begin();
  const { moveClock } = await import('../steering/clock.ts');
  await moveClock(step, given);
}

export const fallback = 'show';

export function declare(program: Command): void {
  const group = program
    .command('clock')
    .helpGroup(GROUPS.steer)
    .description('read and move the sandbox clock, which codes, tokens and windows follow');
  connected(
    group.command('show').description('what it shows'),
    '  grantbench clock\n  grantbench clock show --json | jq -r .now',
  ).action((given: Connection) => run({ do: 'show' }, given));
  connected(
    group
      .command('advance')
      .description('move it forward')
      .argument('<duration>', 'seconds, or 90s, 15m, 2h, 1d, 1h30m'),
    '  grantbench clock advance 2h\n  grantbench clock advance 86401     a token of a day has expired',
  ).action((duration: string, given: Connection) => run({ do: 'advance', duration }, given));
  connected(
    group.command('freeze').description('let it stand'),
    '  grantbench clock freeze',
  ).action((given: Connection) => run({ do: 'freeze' }, given));
  connected(group.command('run').description('let it go on'), '  grantbench clock run').action(
    (given: Connection) => run({ do: 'run' }, given),
  );
  connected(
    group
      .command('set')
      .description('set it')
      .argument('<time>', 'RFC 3339, like 2027-01-01T00:00:00Z'),
    '  grantbench clock set 2027-01-01T00:00:00Z',
  ).action((time: string, given: Connection) => run({ do: 'set', time }, given));
  connected(
    group.command('reset').description('back to the machine’s time'),
    '  grantbench clock reset',
  ).action((given: Connection) => run({ do: 'reset' }, given));
}
