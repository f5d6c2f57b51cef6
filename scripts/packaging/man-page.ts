// Generates grantbench(1) from the commands, like --help.

import type { Command } from 'commander';
import { HELP, programOf } from '../../src/cli/program.ts';

// Loaded here, because the caller of this module loads nothing later.
const program = await programOf({ app: '', page: '', version: '' });

/** Escapes a line for roff: backslashes and a leading dot or quote. */
const escaped = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');

const section = (title: string, lines: readonly string[]) => [
  `.SH ${title.toUpperCase()}`,
  ...lines,
];

/** Formats a term with its description below. */
const entry = (term: string, text: string) => ['.TP', `\\fB${escaped(term)}\\fR`, escaped(text)];

function optionsOf(command: Command): string[] {
  const help = command.createHelp();
  return help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .flatMap((option) => entry(help.optionTerm(option), help.optionDescription(option)));
}

function commandLines(command: Command, above: string): string[] {
  const name = `${above} ${command.name()}`;
  const help = command.createHelp();
  const below = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  return [
    `.SS "${escaped(name)}"`,
    escaped(command.description()),
    ...optionsOf(command),
    ...below.flatMap((one) => commandLines(one, name)),
  ];
}

/** Splits a help text into parts; each has a heading, some on the same line as the text. */
function helpSections(help: string): string[] {
  return help
    .trim()
    .split('\n\n')
    .flatMap((part) => {
      const [, title = '', text = ''] = /^([^:]+):\s?([\s\S]*)$/.exec(part) ?? [];
      return section(title, ['.nf', escaped(text), '.fi']);
    });
}

/** @param version of Grantbench */
export function manPage(version: string): string {
  const commands = program.commands.filter((one) => one.name() !== 'help');
  const lines = [
    `.TH GRANTBENCH 1 "" "Grantbench ${version}" "User commands"`,
    // Lines with a URN are too long to adjust.
    '.ad l',
    ...section('Name', ['grantbench \\- a sandbox OAuth 2.0 authorization server']),
    ...section('Synopsis', [
      '.B grantbench',
      '.RI [ file.grantbench.json ]',
      '.br',
      '.B grantbench',
      '.I command',
      '.RI [ options ]',
    ]),
    ...section('Description', [escaped(program.description())]),
    ...section(
      'Commands',
      commands.flatMap((one) => commandLines(one, 'grantbench')),
    ),
    ...helpSections(HELP),
  ];
  return `${lines.join('\n')}\n`;
}
