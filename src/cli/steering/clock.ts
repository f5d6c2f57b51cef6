// `grantbench clock`: the sandbox clock, read and moved.

import type { ControlClient } from '../../control/client.ts';
import type { ClockState } from '../../control/schemas.ts';
import type { Connection } from '../commands/connection.ts';
import { CommandError } from '../command-error.ts';
import { withControl } from '../instance/connect.ts';
import { print, printJson } from '../terminal/print.ts';
import { rows } from '../terminal/table.ts';

export type ClockStep =
  | { readonly do: 'show' | 'freeze' | 'run' | 'reset' }
  | { readonly do: 'advance'; readonly duration: string }
  | { readonly do: 'set'; readonly time: string };

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** @throws CommandError for what is no duration */
export function parseDuration(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  if (/^(\d+(\.\d+)?[smhd])+$/.test(text)) {
    const parts = [...text.matchAll(/([\d.]+)([smhd])/g)];
    return parts.reduce(
      (sum, [, count, unit = 's']) => sum + Number(count) * (SECONDS[unit] ?? 1),
      0,
    );
  }
  throw new CommandError(2, `A duration is seconds, or 90s, 15m, 2h, 1d, 1h30m; not "${text}".`);
}

function move({ clock }: ControlClient, step: ClockStep): Promise<ClockState> {
  switch (step.do) {
    case 'show':
      return clock.get();
    case 'freeze':
      return clock.update({ frozen: true });
    case 'run':
      return clock.update({ frozen: false });
    case 'reset':
      return clock.update({ reset: true });
    case 'set':
      return clock.update({ now: step.time });
    case 'advance':
      return clock.update({ advance_seconds: parseDuration(step.duration) });
  }
}

function offset({ offset_seconds: seconds }: ClockState): string {
  const whole = Math.round(seconds);
  if (whole === 0) return 'as the machine’s';
  return `${Math.abs(whole)} s ${whole > 0 ? 'ahead of' : 'behind'} the machine’s`;
}

export async function moveClock(step: ClockStep, options: Connection): Promise<void> {
  if (step.do === 'advance') parseDuration(step.duration);
  const state = await withControl(options, (control) => move(control, step));
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
