// Completion scripts, made of the commands themselves: each walks the words before the cursor down the
// commands, then offers what that place has.

import type { Command } from 'commander';
import { placesOf, type Flag, type Place } from './places.ts';

const names = ({ long, short }: Flag) => (short === null ? [long] : [long, short]);

const offered = ({ commands, words, flags }: Place) => [
  ...commands.map(({ name }) => name),
  ...words,
  ...flags.map(({ long }) => long),
];

const inSingleQuotes = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The arms of a `case` over "<place> <former word>" whose flag takes a value. */
function valueArms(
  places: readonly Place[],
  answer: (value: Exclude<Flag['value'], null>) => string,
): string {
  return places
    .flatMap(({ path, flags }) =>
      flags.map((flag) => {
        if (flag.value === null) return '';
        const patterns = names(flag).map((name) => inSingleQuotes(`${path} ${name}`));
        return `    ${patterns.join(' | ')}) ${answer(flag.value)} ;;\n`;
      }),
    )
    .join('');
}

const descents = (places: readonly Place[]) =>
  places
    .filter(({ path }) => path !== '')
    .map(({ path }) => inSingleQuotes(path))
    .join(' | ');

function bash(places: readonly Place[]): string {
  const arms = places
    .map(
      (place) =>
        `    ${inSingleQuotes(place.path)}) words=${inSingleQuotes(offered(place).join(' '))} ;;\n`,
    )
    .join('');
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

/** A colon ends the name in an entry of zsh's _describe. */
const entry = (name: string, text: string) =>
  inSingleQuotes(`${name.replaceAll(':', '\\:')}:${text}`);

function zsh(places: readonly Place[]): string {
  const arms = places
    .map(({ path, commands, flags, words }) => {
      const all = [
        ...commands.map(({ name, text }) => entry(name, text)),
        ...words.map((word) => entry(word, '')),
        ...flags.map(({ long, text }) => entry(long, text)),
      ];
      return `    ${inSingleQuotes(path)}) offered=(${all.join(' ')}) ;;\n`;
    })
    .join('');
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

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, flags, words }) => {
    const at = `complete -c grantbench -n ${inSingleQuotes(`__grantbench_at "${path}"`)}`;
    return [
      ...commands.map(({ name, text }) => `${at} -f -a ${name} -d ${inSingleQuotes(text)}`),
      ...words.map((word) => `${at} -f -a ${word}`),
      ...flags.map(({ long, short, text, value }) => {
        const letter = short === null ? '' : ` -s ${short.slice(1)}`;
        const wanted =
          value === null
            ? ''
            : value === 'file'
              ? ' -r -F'
              : value === 'text'
                ? ' -x'
                : ` -x -a ${inSingleQuotes(value.join(' '))}`;
        return `${at} -l ${long.slice(2)}${letter}${wanted} -d ${inSingleQuotes(text)}`;
      }),
    ];
  });
  return `# grantbench completion for fish
function __grantbench_at
    set -l at ''
    for word in (commandline -opc)[2..]
        set -l next $word
        test -n "$at"; and set next "$at/$word"
        contains -- $next ${places
          .filter(({ path }) => path !== '')
          .map(({ path }) => path)
          .join(' ')}; and set at $next
    end
    test "$at" = "$argv[1]"
end
${lines.join('\n')}`;
}

const SHELLS = { bash, zsh, fish } as const;

export const completionScript = (program: Command, shell: keyof typeof SHELLS): string =>
  SHELLS[shell](placesOf(program));
