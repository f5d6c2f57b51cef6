// Completion scripts, made of the commands themselves.

import type { Command } from 'commander';
import { fish } from './fish.ts';
import { placesOf, type Place } from './places.ts';
import { bash, zsh } from './posix.ts';
import { powershell } from './powershell.ts';
import type { Shell } from './shells.ts';

const SCRIPTS: Record<Shell, (places: readonly Place[]) => string> = {
  bash,
  zsh,
  fish,
  powershell,
};

export const completionScript = (program: Command, shell: Shell): string =>
  SCRIPTS[shell](placesOf(program));
