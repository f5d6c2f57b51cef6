// Completion for fish: one line for each thing that a place has.

import type { Flag, Place } from './places.ts';
import { inSingleQuotes, pathsBelow } from './script-text.ts';

/** What a flag takes, as options of `complete`. */
function valueOf(value: Flag['value']): string {
  if (value === null) return '';
  if (value === 'file') return ' -r -F';
  if (value === 'text') return ' -x';
  return ` -x -a ${inSingleQuotes(value.join(' '))}`;
}

export function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, flags, words }) => {
    const at = `complete -c grantbench -n ${inSingleQuotes(`__grantbench_at "${path}"`)}`;
    return [
      ...commands.map(({ name, text }) => `${at} -f -a ${name} -d ${inSingleQuotes(text)}`),
      ...words.map((word) => `${at} -f -a ${word}`),
      ...flags.map(({ long, short, text, value }) => {
        const letter = short === null ? '' : ` -s ${short.slice(1)}`;
        return `${at} -l ${long.slice(2)}${letter}${valueOf(value)} -d ${inSingleQuotes(text)}`;
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
