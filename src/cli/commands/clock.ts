// `grantbench clock`: shows and changes the sandbox clock.

import type { Command } from 'commander';
import type { ControlClient } from '../../control/contract.ts';
import type { ClockState } from '../../control/schemas.ts';
import { CommandError } from '../command-error.ts';
import { withControl } from '../connect.ts';
import { print, printJson } from '../terminal/print.ts';
import { rows } from '../terminal/table.ts';
import { connected, type Connection, GROUPS } from './command.ts';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

const PART = /(\d{1,12}(?:\.\d{1,9})?)([smhd])/y;

/** Returns seconds; null if the text is not a duration. */
function readDuration(text: string): number | null {
  if (/^\d{1,12}(\.\d{1,9})?$/.test(text)) return Number(text);
  let seconds = 0;
  PART.lastIndex = 0;
  do {
    const [, count, unit = ''] = PART.exec(text) ?? [];
    if (count === undefined) return null;
    seconds += Number(count) * (SECONDS[unit] ?? 0);
  } while (PART.lastIndex < text.length);
  return seconds;
}

/** Returns seconds. @throws CommandError if the text is not a duration */
function parseDuration(text: string): number {
  const seconds = readDuration(text);
  if (seconds !== null) return seconds;
  throw new CommandError(
    2,
    `"${text}" is not a duration. Use seconds, or a form such as 90s, 15m, 2h, 1d, 1h30m.`,
  );
}

function offset({ offset_seconds: seconds }: ClockState): string {
  const whole = Math.round(seconds);
  if (whole === 0) return 'same as machine time';
  return `${Math.abs(whole)} s ${whole > 0 ? 'ahead of' : 'behind'} machine time`;
}

type ClockChange = Parameters<ControlClient['clock']['update']>[0];

/** Changes the clock and shows it. @param change null shows it only */
async function moveClock(change: ClockChange | null, options: Connection): Promise<void> {
  const state = await withControl(options, ({ clock }) =>
    change === null ? clock.get() : clock.update(change),
  );
  if (options.json) printJson(state);
  else {
    print(
      rows([
        ['now', { text: state.now, style: 'bold' }],
        ['runs', state.frozen ? { text: 'frozen', style: 'yellow' } : 'running'],
        ['offset', offset(state)],
      ]),
    );
  }
}

export const fallback = 'show';

export function declare(program: Command): void {
  const group = program
    .command('clock')
    .helpGroup(GROUPS.sandbox)
    .description('show and change the sandbox clock, which decides when codes and tokens expire');
  const plain = (name: string, text: string, change: ClockChange | null, examples: string) =>
    connected(group.command(name).description(text), examples).action((given: Connection) =>
      moveClock(change, given),
    );
  plain(
    'show',
    'show the sandbox clock',
    null,
    '  grantbench clock\n  grantbench clock show --json | jq -r .now',
  );
  connected(
    group
      .command('advance')
      .description('move the clock forward')
      .argument('<duration>', 'seconds, or 90s, 15m, 2h, 1d, 1h30m'),
    '  grantbench clock advance 2h\n  grantbench clock advance 86401     expires a token that is valid for a day',
  ).action((duration: string, given: Connection) =>
    moveClock({ advance_seconds: parseDuration(duration) }, given),
  );
  plain('freeze', 'freeze the clock', { frozen: true }, '  grantbench clock freeze');
  plain('run', 'resume the clock', { frozen: false }, '  grantbench clock run');
  connected(
    group
      .command('set')
      .description('set the clock')
      .argument('<time>', 'a time in RFC 3339 format, such as 2027-01-01T00:00:00Z'),
    '  grantbench clock set 2027-01-01T00:00:00Z',
  ).action((time: string, given: Connection) => moveClock({ now: time }, given));
  plain('reset', 'reset the clock to machine time', { reset: true }, '  grantbench clock reset');
}
