// The members of a record as they come by a command line: name=value, flags, a JSON file. Their rules are
// the server's to judge.

import { readFile } from 'node:fs/promises';
import type { Connection } from '../commands/connection.ts';
import { CommandError } from '../command-error.ts';
import { readInput } from '../terminal/print.ts';
import type { Members, RecordKind } from './kinds.ts';

export interface RecordOptions extends Connection {
  /** A JSON file with the record's members; - is standard input. */
  readonly file?: string;
  readonly name?: string;
  readonly email?: string;
  readonly redirectUri?: readonly string[];
  readonly grant?: readonly string[];
  readonly scope?: readonly string[];
  readonly secrets?: boolean;
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON where it is some, else the text as it stands. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function put(members: Members, [name = '', ...deeper]: readonly string[], value: unknown): Members {
  if (deeper.length === 0) return { ...members, [name]: value };
  const former = members[name];
  return { ...members, [name]: put(isMembers(former) ? former : {}, deeper, value) };
}

const PAIR = /^([^=]+)=(.*)$/s;

/** `name=value`, and `a.b=value` for a member of a member. @throws CommandError */
export function pairMembers(pairs: readonly string[]): Members {
  return pairs.reduce<Members>((members, pair) => {
    const [, path, value] = PAIR.exec(pair) ?? [];
    if (path === undefined || value === undefined) {
      throw new CommandError(2, `A member is written name=value; there is no = in "${pair}".`);
    }
    return put(members, path.split('.'), valueOf(value));
  }, {});
}

/** @throws CommandError naming the file and what is wrong with it */
export async function readJson(file: string): Promise<Members> {
  const name = file === '-' ? 'standard input' : file;
  const text = await (file === '-' ? readInput('JSON') : readFile(file, 'utf8')).catch(
    (error: unknown) => {
      if (error instanceof CommandError) throw error;
      throw new CommandError(2, `${name} cannot be read: ${(error as Error).message}.`);
    },
  );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CommandError(2, `${name} is not JSON: ${(error as Error).message}.`);
  }
  if (isMembers(value)) return value;
  throw new CommandError(2, `${name} must hold a JSON object.`);
}

function flagMembers(kind: RecordKind, options: RecordOptions): Members {
  const { name, email, redirectUri, grant, scope } = options;
  const all = {
    [kind === 'clients' ? 'client_name' : 'name']: name,
    email,
    redirect_uris: redirectUri,
    grant_types: grant,
    scopes: scope,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Of a file, then flags, then pairs: what comes later wins. */
export async function givenMembers(
  kind: RecordKind,
  pairs: readonly string[],
  options: RecordOptions,
): Promise<Members> {
  const fromFile = options.file === undefined ? {} : await readJson(options.file);
  return { ...fromFile, ...flagMembers(kind, options), ...pairMembers(pairs) };
}
