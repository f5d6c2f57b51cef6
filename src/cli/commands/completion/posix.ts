// Completion for bash and zsh: each walks the words before the cursor down the commands, then offers what
// that place has.

import type { Flag, Place } from './places.ts';
import { inSingleQuotes, namesOf, pathsBelow } from './script-text.ts';

const offered = ({ commands, words, flags }: Place) => [
  ...commands.map(({ name }) => name),
  ...words,
  ...flags.map(({ long }) => long),
];

/** The arms of a `case` over the place. */
const placeArms = (places: readonly Place[], body: (place: Place) => string): string =>
  places.map((place) => `    ${inSingleQuotes(place.path)}) ${body(place)} ;;\n`).join('');

/** The arms of a `case` over "<place> <former word>" whose flag takes a value. */
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

export function bash(places: readonly Place[]): string {
  const arms = placeArms(places, (place) => `words=${inSingleQuotes(offered(place).join(' '))}`);
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

export function zsh(places: readonly Place[]): string {
  const arms = placeArms(places, ({ commands, flags, words }) => {
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
