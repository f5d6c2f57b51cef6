// Values that a session takes from responses and inserts into later requests as `${name}`.

import type { RawAnswer } from './http.ts';
import type { Symbols } from './symbols.ts';

/**
 * Every `${name}` replaced, and `${fill:70000}` by so many letters.
 * @throws Error for a name that nothing was saved under
 */
export function fillIn(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{([\w:-]+)\}/g, (_, name: string) => {
    const letters = /^fill:(\d+)$/.exec(name)?.[1];
    const value = letters === undefined ? variables.get(name) : 'x'.repeat(Number(letters));
    if (value === undefined) throw new Error(`nothing was saved as \${${name}}`);
    return value;
  });
}

function headerOf({ headers }: RawAnswer, wanted: string): string[] {
  return headers.filter(
    (_, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === wanted,
  );
}

function atPath(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, name) => (Object(at) as Record<string, unknown>)[name], value);
}

/** The value, and its secret part that differs between runs. */
function read(source: string, answer: RawAnswer): { value: string; random: string } | undefined {
  const [, kind = '', what = ''] = /^(\w+):(.+)$/.exec(source) ?? [];
  const same = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number'
      ? { value: String(value), random: String(value) }
      : undefined;
  const body = answer.body.toString();
  switch (kind) {
    case 'json':
      return same(atPath(JSON.parse(body || 'null'), what));
    case 'location': {
      const [location = ''] = headerOf(answer, 'location');
      return same(new URLSearchParams(location.split(/[?#]/)[1]).get(what));
    }
    case 'field':
      return same(new RegExp(`name="${what}" value="([^"]*)"`).exec(body)?.[1]);
    case 'cookie': {
      const cookie = headerOf(answer, 'set-cookie').find((line) => line.startsWith(what));
      const [pair = ''] = cookie?.split(';') ?? [];
      return pair === '' ? undefined : { value: pair, random: pair.split('=')[1] ?? '' };
    }
    default:
      throw new Error(`there is no source ${source}`);
  }
}

/** @throws Error when the response does not contain the value */
export function saveFrom(
  answer: RawAnswer,
  save: Readonly<Record<string, string>>,
  variables: Map<string, string>,
  symbols: Symbols,
): void {
  for (const [name, source] of Object.entries(save)) {
    const found = answer.status < 400 ? read(source, answer) : undefined;
    if (found === undefined) {
      const status = `${answer.status} ${answer.body.toString().slice(0, 300)}`;
      throw new Error(`nothing to save as ${name} from ${source}: ${status}`);
    }
    variables.set(name, found.value);
    symbols.give(found.random, name);
  }
}
