// Ids are base64url, and so begin with - now and then: `grantbench keys retire -xW3` names a key, no flags.

import type { Command } from 'commander';

/** The shortest beginning of an id that is taken for one; -h and -v stay flags. */
const DASHED_ID = /^-[\w-]{3,}$/;

const isDashedId = (arg: string) => DASHED_ID.test(arg) && !arg.startsWith('--');

/** The command that the first arguments name, and how many of them do. */
function commandOf(program: Command, args: readonly string[]) {
  let command = program;
  let names = 0;
  for (;;) {
    const name = args[names] ?? '';
    const next = command.commands.find(
      (one) => one.name() === name || one.aliases().includes(name),
    );
    if (next === undefined) return { command, names };
    command = next;
    names += 1;
  }
}

/** Flags with their values, and operands. */
function sorted(command: Command, args: readonly string[]) {
  const flags: string[] = [];
  const operands: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (!arg.startsWith('-') || isDashedId(arg)) {
      operands.push(arg);
      continue;
    }
    flags.push(arg);
    const option = command.options.find(({ long, short }) => arg === long || arg === short);
    const value = args[index + 1];
    if (option?.required !== true || value === undefined) continue;
    flags.push(value);
    index += 1;
  }
  return { flags, operands };
}

/** The same arguments, with ids that begin with - behind a `--`, where commander takes them for operands. */
export function withDashedOperands(program: Command, args: readonly string[]): readonly string[] {
  if (args.includes('--')) return args;
  const { command, names } = commandOf(program, args);
  if (command.registeredArguments.length === 0) return args;
  const { flags, operands } = sorted(command, args.slice(names));
  if (!operands.some(isDashedId)) return args;
  return [...args.slice(0, names), ...flags, '--', ...operands];
}
