// Takes the secrets of a run out of what is told about it: each by its name, and whatever else looks like
// a code or a token.

import type { Variables } from './variables.ts';

/** Shorter ones would take harmless words along. */
const LEAST = 6;
/** A JWT, or 256 bits. */
const CREDENTIALS = /(?<![\w-])(?:eyJ[\w-]+\.[\w-]*\.[\w-]*|[\w-]{43,})(?![\w-])/g;

/** @param more secrets of the workspace */
export function redactor({ secrets }: Pick<Variables, 'secrets'>, more: readonly string[]) {
  return (text: string): string =>
    [...secrets(), ...more.map((value) => [value, 'client_secret'] as const)]
      .filter(([value]) => value.length >= LEAST)
      .sort(([a], [b]) => b.length - a.length)
      .reduce((rest, [value, name]) => rest.replaceAll(value, `[${name}]`), text)
      .replace(CREDENTIALS, '[redacted]');
}
