// What the scripts of several shells have in common.

import type { Flag, Place } from './places.ts';

export const namesOf = ({ long, short }: Flag) => (short === null ? [long] : [long, short]);

/** The places of all commands and subcommands: `clock/advance`. */
export const pathsBelow = (places: readonly Place[]): string[] =>
  places.map(({ path }) => path).filter((path) => path !== '');

/** For bash, zsh and fish. */
export const inSingleQuotes = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
