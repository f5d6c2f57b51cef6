// `grantbench completion`: prints a completion script for a shell, generated from the whole command tree. This file
// names no command or flag.

import { Argument, type Command, type Option } from 'commander';
import { EXIT_CODES, GROUPS, type Surroundings } from './command.ts';
import { print } from '../terminal/print.ts';

const HELP = `
Examples:
  grantbench completion bash >> ~/.bashrc
  grantbench completion zsh > "\${fpath[1]}/_grantbench"
  grantbench completion fish > ~/.config/fish/completions/grantbench.fish
  grantbench completion powershell | Out-File -Append -Encoding utf8 $PROFILE
${EXIT_CODES}`;

export function declare(program: Command, { whole }: Surroundings): void {
  program
    .command('completion')
    .helpGroup(GROUPS.files)
    .allowExcessArguments(false)
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', HELP)
    .action(async (shell: Shell) => {
      print(SCRIPTS[shell](placesOf(await whole())));
    });
}

interface Flag {
  readonly long: string;
  readonly short: string | null;
  readonly text: string;
  /** Null for a flag without a value. */
  readonly value: 'file' | 'text' | readonly string[] | null;
}

/** The commands and flags of one place in the tree, independent of the shell. */
interface Place {
  /** `clients/list`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly text: string }[];
  readonly flags: readonly Flag[];
  /** The values that an argument can have. */
  readonly words: readonly string[];
  /** Whether an argument can be any text, such as the name of a file: flags are then offered only after a dash. */
  readonly takes_text: boolean;
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

function placesOf(command: Command, path = ''): Place[] {
  const below = command.commands;
  const place: Place = {
    path,
    commands: below.map((one) => ({ name: one.name(), text: one.description() })),
    flags: [
      ...command.options.filter(({ hidden }) => !hidden).map(flagOf),
      { long: '--help', short: '-h', text: 'display help', value: null },
    ],
    words: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    takes_text: command.registeredArguments.some(({ argChoices }) => argChoices === undefined),
  };
  const join = (name: string) => (path === '' ? name : `${path}/${name}`);
  return [place, ...below.flatMap((one) => placesOf(one, join(one.name())))];
}

const namesOf = ({ long, short }: Flag) => (short === null ? [long] : [long, short]);

/** Returns the paths of all commands and subcommands, such as `clock/advance`. */
const pathsBelow = (places: readonly Place[]): string[] =>
  places.map(({ path }) => path).filter((path) => path !== '');

/** Quotes a word for bash, zsh and fish. */
const inSingleQuotes = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const offered = ({ commands, words, flags }: Place) => [
  ...commands.map(({ name }) => name),
  ...words,
  ...flags.map(({ long }) => long),
];

/**
 * Returns the arms of a `case` over the path, for bash and zsh.
 * @param word the variable with the word to complete
 */
const placeArms = (
  places: readonly Place[],
  word: string,
  body: (place: Place) => string,
): string =>
  places
    .map((place) => {
      const condition = place.takes_text ? `[[ "$${word}" == -* ]] && ` : '';
      return `    ${inSingleQuotes(place.path)}) ${condition}${body(place)} ;;\n`;
    })
    .join('');

/** Returns the arms of a `case` over "<path> <previous word>" for flags that take a value. */
function valueArms(
  places: readonly Place[],
  answer: (value: Exclude<Flag['value'], null>) => string,
): string {
  return places
    .flatMap(({ path, flags }) =>
      flags.map((flag) => {
        if (flag.value === null) return '';
        const patterns = namesOf(flag).map((name) => inSingleQuotes(`${path} ${name}`));
        return `    ${patterns.join(' | ')}) ${answer(flag.value)} ;;\n`;
      }),
    )
    .join('');
}

const descents = (places: readonly Place[]) => pathsBelow(places).map(inSingleQuotes).join(' | ');

function bash(places: readonly Place[]): string {
  const arms = placeArms(
    places,
    'cur',
    (place) => `words=${inSingleQuotes(offered(place).join(' '))}`,
  );
  const values = valueArms(places, (value) => {
    if (value === 'file') return 'COMPREPLY=($(compgen -f -- "$cur")); return';
    if (value === 'text') return 'return';
    return `COMPREPLY=($(compgen -W ${inSingleQuotes(value.join(' '))} -- "$cur")); return`;
  });
  return `# grantbench completion for bash
_grantbench() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}" path='' words='' i next
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${path:+$path/}\${COMP_WORDS[i]}"
    case "$next" in
    ${descents(places)}) path="$next" ;;
    esac
  done
  case "$path $prev" in
${values}  esac
  case "$path" in
${arms}  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _grantbench grantbench`;
}

/** In an entry of zsh's _describe, a colon ends the name, so it is escaped. */
const entry = (name: string, text: string) =>
  inSingleQuotes(`${name.replaceAll(':', '\\:')}${text && `:${text}`}`);

function zsh(places: readonly Place[]): string {
  const arms = placeArms(places, 'PREFIX', ({ commands, flags, words }) => {
    const all = [
      ...commands.map(({ name, text }) => entry(name, text)),
      ...words.map((word) => entry(word, '')),
      ...flags.map(({ long, text }) => entry(long, text)),
    ];
    return `offered=(${all.join(' ')})`;
  });
  const values = valueArms(places, (value) => {
    if (value === 'file') return '_files; return';
    if (value === 'text') return 'return';
    return `compadd -- ${value.map(inSingleQuotes).join(' ')}; return`;
  });
  return `#compdef grantbench
# grantbench completion for zsh
_grantbench() {
  local at='' next word
  local -a offered
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${at:+$at/}$word"
    case "$next" in
    ${descents(places)}) at="$next" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${values}  esac
  case "$at" in
${arms}  esac
  _describe grantbench offered || _files
}
if [ "$funcstack[1]" = _grantbench ]; then
  _grantbench "$@"
else
  compdef _grantbench grantbench
fi`;
}

/** Returns the values of a flag as options of `complete`. */
function fishValue(value: Flag['value']): string {
  if (value === null) return '';
  if (value === 'file') return ' -r -F';
  if (value === 'text') return ' -x';
  return ` -x -a ${inSingleQuotes(value.join(' '))}`;
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, flags, words }) => {
    const at = `complete -c grantbench -n ${inSingleQuotes(`__grantbench_at "${path}"`)}`;
    return [
      ...commands.map(({ name, text }) => `${at} -f -a ${name} -d ${inSingleQuotes(text)}`),
      ...words.map((word) => `${at} -f -a ${word}`),
      ...flags.map(({ long, short, text, value }) => {
        const letter = short === null ? '' : ` -s ${short.slice(1)}`;
        return `${at} -l ${long.slice(2)}${letter}${fishValue(value)} -d ${inSingleQuotes(text)}`;
      }),
    ];
  });
  return `# grantbench completion for fish
function __grantbench_at
    set -l at ''
    for word in (commandline -opc)[2..]
        set -l next $word
        test -n "$at"; and set next "$at/$word"
        contains -- $next ${pathsBelow(places).join(' ')}; and set at $next
    end
    test "$at" = "$argv[1]"
end
${lines.join('\n')}`;
}

// Windows PowerShell 5.1 and PowerShell 7. The script is ASCII because 5.1 reads and writes files in the system's
// code page.

const quoted = (text: string) => `'${text.replaceAll(/[’']/g, "''")}'`;

/** PowerShell rejects an empty description. */
const offer = (name: string, text = '') => `& $offer ${quoted(name)} ${quoted(text || name)}`;

/** Returns an arm of the `switch` over the path. */
function powershellPlaceArm({ path, commands, words, flags, takes_text }: Place): string {
  const offers = [
    ...(takes_text ? ["if ($wordToComplete -notlike '-*') { return }"] : []),
    ...commands.map(({ name, text }) => offer(name, text)),
    ...words.map((word) => offer(word)),
    ...flags.map(({ long, text }) => offer(long, text)),
  ];
  return `    ${quoted(path)} {\n${offers.map((line) => `      ${line}\n`).join('')}    }\n`;
}

/** Without output, PowerShell completes file names; an empty string prevents that. */
function powershellAnswer(value: Exclude<Flag['value'], null>): string {
  if (value === 'file') return 'return';
  if (value === 'text') return "''; return";
  return [...value.map((word) => offer(word)), 'return'].join('; ');
}

/** Returns the arms of the `switch` over "<path> <previous word>" for flags that take a value. */
const powershellValueArms = ({ path, flags }: Place) =>
  flags.flatMap((flag) => {
    const { value } = flag;
    if (value === null) return [];
    return namesOf(flag).map(
      (name) => `    ${quoted(`${path} ${name}`)} { ${powershellAnswer(value)} }\n`,
    );
  });

const powershell = (places: readonly Place[]): string => `# grantbench completion for PowerShell
Register-ArgumentCompleter -Native -CommandName grantbench -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $offer = {
    param($name, $text)
    if ($name.StartsWith($wordToComplete, [System.StringComparison]::Ordinal)) {
      [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $text)
    }
  }
  $paths = ${pathsBelow(places).map(quoted).join(', ')}
  $at = ''
  $former = ''
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    $former = $element.Extent.Text
    $next = if ($at -eq '') { $former } else { "$at/$former" }
    if ($paths -ccontains $next) { $at = $next }
  }
  switch -CaseSensitive ("$at $former") {
${places.flatMap(powershellValueArms).join('')}  }
  switch -CaseSensitive ($at) {
${places.map(powershellPlaceArm).join('')}  }
}`;

const SCRIPTS = { bash, zsh, fish, powershell };

type Shell = keyof typeof SCRIPTS;
