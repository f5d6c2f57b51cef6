// Compares a replay with its recording and returns a line for each member that differs.

import type { Outcome } from './document.ts';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (value: unknown) => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

/** @param path the path of the compared member */
export function differences(recorded: unknown, replayed: unknown, path = ''): string[] {
  if (Object.is(recorded, replayed)) return [];
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (isObject(recorded) && isObject(replayed)) {
    const names = [...new Set([...Object.keys(recorded), ...Object.keys(replayed)])];
    return names.flatMap((name) => differences(recorded[name], replayed[name], below(name)));
  }
  if (Array.isArray(recorded) && Array.isArray(replayed)) {
    const length = Math.max(recorded.length, replayed.length);
    return Array.from({ length }, (_, index) =>
      differences(recorded[index], replayed[index], below(String(index))),
    ).flat();
  }
  return [`${path}: recorded ${shown(recorded)}, now ${shown(replayed)}`];
}

/** Phrases that documented or shipped scenarios match: a recorded phrase must occur again in the replay. */
export const PHRASES = ['used at', 'differs at character'];

/** @param every whether all prose is compared */
export function outcomeDifferences(recorded: Outcome, replayed: Outcome, every: boolean): string[] {
  const { says: wording = {}, ...former } = recorded;
  const { says = {}, ...present } = replayed;
  const lost = Object.entries(wording).flatMap(([name, text]) =>
    PHRASES.filter((phrase) => text.includes(phrase) && says[name]?.includes(phrase) !== true).map(
      (phrase) => `says.${name}: "${phrase}" was said, now ${shown(says[name])}`,
    ),
  );
  return [
    ...differences(former, JSON.parse(JSON.stringify(present))),
    ...(every ? differences(wording, says, 'says') : lost),
  ];
}
