// The key of `serve`, begun on before its arguments are read in earnest and before anything else is loaded.

import { beginKeyFor, beginKeyForFile, type ComingKey } from '../engine/keys/first-key.ts';

/** The value of a flag, or of its variable; null without either. */
function valueOf(flag: string, variable: string, args: readonly string[]): string | null {
  const at = args.findIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  if (at < 0) return process.env[variable] || null;
  const [, value = args[at + 1]] = args[at]?.split(/=(.*)/s) ?? [];
  return value ?? null;
}

let begun: ComingKey | null = null;

/** What is kept may bring keys along, and whoever asks for help waits for none. */
export function beginFirstKey(args: readonly string[]): void {
  if (args.includes('-h') || args.includes('--help')) return;
  if (valueOf('--keep', 'GRANTBENCH_KEEP', args) !== null) return;
  const file = valueOf('--workspace', 'GRANTBENCH_WORKSPACE', args);
  begun = file === null ? beginKeyFor({}) : beginKeyForFile(file);
}

export const firstKey = (): ComingKey | null => begun;
