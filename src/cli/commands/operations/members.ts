// The members of a record as a command line gives them: name=value, flags, a JSON file. Their rules are
// the service's to check.

import { readFile } from 'node:fs/promises';
import { isJsonObject } from '../../../oauth/json-object.ts';
import { CommandError } from '../../command-error.ts';
import { readInput } from '../../terminal/print.ts';

export type Members = Readonly<Record<string, unknown>>;

/** JSON where the text is JSON, else the text itself. */
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
  return { ...members, [name]: put(isJsonObject(former) ? former : {}, deeper, value) };
}

/** `name=value`, and `a.b=value` for a member of a member. @throws CommandError */
export function pairMembers(pairs: readonly string[]): Members {
  return pairs.reduce<Members>((members, pair) => {
    const mark = pair.indexOf('=');
    if (mark < 1) {
      throw new CommandError(2, `A member must have the form name=value; "${pair}" has no =.`);
    }
    return put(members, pair.slice(0, mark).split('.'), valueOf(pair.slice(mark + 1)));
  }, {});
}

/** @param file a path; - is standard input. @throws CommandError naming the file and what is wrong with it */
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
  if (isJsonObject(value)) return value;
  throw new CommandError(2, `${name} must contain a JSON object.`);
}
