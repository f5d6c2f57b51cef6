// How a command is started without a shell. On Windows a .cmd or .bat (npm, npx) is only run by cmd.exe,
// and then its arguments must be quoted so that neither it nor the program reads more into them.

import { existsSync } from 'node:fs';
import { win32 } from 'node:path';

export interface Spawnable {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already. */
  readonly verbatim: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

function candidates(name: string, env: Environment): string[] {
  const endings = (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
  const path = env['PATH'] ?? env['Path'] ?? '';
  const folders = /[\\/]/.test(name) ? [''] : ['', ...path.split(';').filter(Boolean)];
  const names = win32.extname(name) === '' ? endings.map((end) => name + end) : [name];
  return folders.flatMap((folder) =>
    names.map((each) => (folder ? win32.join(folder, each) : each)),
  );
}

const META = /([()\][%!^"`<>&|;, *?])/g;

/** Before a quote, each backslash is written twice. */
function withDoubledEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\\') end -= 1;
  return text + text.slice(end);
}

function quoted(text: string): string {
  const inQuotes = `"${text.split('"').map(withDoubledEnd).join('\\"')}"`;
  const escaped = inQuotes.replace(META, '^$1');
  // The batch file hands its arguments on to one more reading by cmd.exe.
  return escaped.replace(META, '^$1');
}

/** @param exists whether there is such a file */
export function windowsSpawnable(
  [name, ...args]: readonly [string, ...string[]],
  env: Environment,
  exists: (file: string) => boolean,
): Spawnable {
  const found = candidates(name, env).find(exists);
  if (found === undefined || !/\.(cmd|bat)$/i.test(found)) {
    return { file: found ?? name, args, verbatim: false };
  }
  const line = [found.replace(META, '^$1'), ...args.map(quoted)].join(' ');
  const file = env['ComSpec'] ?? env['COMSPEC'] ?? 'cmd.exe';
  return { file, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

export function spawnable(command: readonly [string, ...string[]]): Spawnable {
  if (process.platform === 'win32') return windowsSpawnable(command, process.env, existsSync);
  const [file, ...args] = command;
  return { file, args, verbatim: false };
}
