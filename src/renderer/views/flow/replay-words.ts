// The result of a scenario, in words.

import { pluralize } from '../../ui/short-forms.ts';
import type { Replayed } from './replay/replay-state.ts';

export function replayInWords({ steps, failure }: Replayed): string {
  if (failure === null) return `${pluralize(steps, 'step')}, all as expected.`;
  const { step, title, message } = failure;
  const left = steps - step;
  const rest =
    left === 0 ? '' : ` ${pluralize(left, 'later step')} ${left === 1 ? 'was' : 'were'} not run.`;
  return `it stopped at step ${step} of ${steps}, ${title}: ${message}.${rest}`;
}
