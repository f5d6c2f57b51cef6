// The commands and flags as a flat list of places, whatever shell they are written down for.

import type { Command, Option } from 'commander';

export interface Flag {
  readonly long: string;
  readonly short: string | null;
  readonly text: string;
  /** null: it takes none. */
  readonly value: 'file' | 'text' | readonly string[] | null;
}

export interface Place {
  /** `clients/list`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly text: string }[];
  readonly flags: readonly Flag[];
  /** What an argument may be. */
  readonly words: readonly string[];
}

function valueOf({ required, optional, argChoices, flags }: Option): Flag['value'] {
  if (!required && !optional) return null;
  return argChoices ?? (flags.includes('<file>') ? 'file' : 'text');
}

const flagOf = (option: Option): Flag => ({
  long: option.long ?? '',
  short: option.short ?? null,
  text: option.description.replace(/ \(env: [^()]*\)/, ''),
  value: valueOf(option),
});

export function placesOf(command: Command, path = ''): Place[] {
  const below = command.commands;
  const place: Place = {
    path,
    commands: below.map((one) => ({ name: one.name(), text: one.description() })),
    flags: [
      ...command.options.filter(({ hidden }) => !hidden).map(flagOf),
      { long: '--help', short: '-h', text: 'display help', value: null },
    ],
    words: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  };
  const join = (name: string) => (path === '' ? name : `${path}/${name}`);
  return [place, ...below.flatMap((one) => placesOf(one, join(one.name())))];
}
