// Completion for Windows PowerShell 5.1 and PowerShell 7: walks the words before the cursor down the
// commands, then offers what that place has. The script is ASCII, since 5.1 reads and writes files in
// the code page of the system.

import type { Flag, Place } from './places.ts';
import { namesOf, pathsBelow } from './script-text.ts';

const quoted = (text: string) => `'${text.replaceAll(/[’']/g, "''")}'`;

/** PowerShell accepts no empty description. */
const offer = (name: string, text = '') => `& $offer ${quoted(name)} ${quoted(text || name)}`;

/** An arm of the `switch` over the place. */
function placeArm({ path, commands, words, flags }: Place): string {
  const offers = [
    ...commands.map(({ name, text }) => offer(name, text)),
    ...words.map((word) => offer(word)),
    ...flags.map(({ long, text }) => offer(long, text)),
  ];
  return `    ${quoted(path)} {\n${offers.map((line) => `      ${line}\n`).join('')}    }\n`;
}

/** Without any output PowerShell completes names of files; an empty string keeps it from that. */
function answerOf(value: Exclude<Flag['value'], null>): string {
  if (value === 'file') return 'return';
  if (value === 'text') return "''; return";
  return [...value.map((word) => offer(word)), 'return'].join('; ');
}

/** The arms of the `switch` over "<place> <former word>" whose flag takes a value. */
const valueArms = ({ path, flags }: Place) =>
  flags.flatMap((flag) => {
    const { value } = flag;
    if (value === null) return [];
    return namesOf(flag).map((name) => `    ${quoted(`${path} ${name}`)} { ${answerOf(value)} }\n`);
  });

export const powershell = (
  places: readonly Place[],
): string => `# grantbench completion for PowerShell
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
${places.flatMap(valueArms).join('')}  }
  switch -CaseSensitive ($at) {
${places.map(placeArm).join('')}  }
}`;
