// What `exec` takes, and what it can be told to fail on.

import { InvalidArgumentError } from 'commander';

export const FAIL_ON = ['over-fetch', 'throttled', 'refused', 'deviation'] as const;
export type FailOn = (typeof FAIL_ON)[number];

export interface ExecOptions {
  readonly command: readonly [name: string, ...args: string[]];
  readonly workspace?: string;
  /** Each JUnit or JSON, by its ending. */
  readonly report: readonly string[];
  readonly failOn: readonly FailOn[];
  readonly quiet: boolean;
  /** Made anew at each start when left out. */
  readonly controlToken?: string;
}

export function parseFailOn(value: string): readonly FailOn[] {
  const words = value.split(',').map((word) => word.trim());
  const known = words.filter((word): word is FailOn => FAIL_ON.some((one) => one === word));
  if (known.length === words.length) return known;
  throw new InvalidArgumentError(`It must be a comma-separated list of ${FAIL_ON.join(', ')}.`);
}

/** One more of them. */
export function parseReport(value: string, former: readonly string[] = []): readonly string[] {
  if (/\.(json|xml)$/i.test(value)) return [...former, value];
  throw new InvalidArgumentError('The name of a report must end in .json, or in .xml for JUnit.');
}
