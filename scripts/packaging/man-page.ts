// grantbench(1), made of the commands themselves, as --help is.

import type { Command } from 'commander';
import { HELP, programOf } from '../../src/cli/program.ts';

// Here and not later: what runs this module loads nothing for it once it is loaded.
const program = await programOf({ app: '', page: '', version: '' });

/** A line of text in roff: no backslash and no leading dot or quote means anything. */
const escaped = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');

const section = (title: string, lines: readonly string[]) => [
  `.SH ${title.toUpperCase()}`,
  ...lines,
];

/** A term, and below it what it means. */
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

/** The parts of a help text: each has a heading, some on the same line as its text. */
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
