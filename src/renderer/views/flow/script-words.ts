// A walk's steps in words: what each was, what it came to, whether a replay came to the same.

import { pluralize } from '../../ui/short-forms.ts';
import type { Replayed } from './flow-state.ts';
import { answerInWords } from './mistake.ts';
import { findMistake, isBreakable } from './mistakes.ts';
import type { Came, Difference, ScriptEntry } from './flow-state.ts';
import { STEP_TITLES } from './step-words.ts';

const cameInWords = (came: Came | null): string =>
  came === null ? 'nothing' : answerInWords(came);

/** What came and what came before: `302 access_denied instead of 303`. */
export const differenceInWords = ({ entry, now }: Difference): string =>
  `${cameInWords(now)} instead of ${cameInWords(entry.came)}`;

export function entryInWords({ step, mistake: id }: ScriptEntry): string {
  const mistake = id !== null && isBreakable(step) ? findMistake(step, id) : null;
  return mistake === null ? STEP_TITLES[step] : `${STEP_TITLES[step]}, ${mistake.title}`;
}

export const replayInWords = ({ steps, differences }: Replayed): string =>
  differences.length === 0
    ? `${pluralize(steps, 'step')}, all as when it was saved.`
    : `${differences.length} of ${pluralize(steps, 'step')} came out differently.`;
