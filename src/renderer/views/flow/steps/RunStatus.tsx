import { useFlow } from '../flow-store.ts';
import { STEP_TITLES } from '../step-words.ts';

/** Tells a screen reader the result of the last step. */
export function RunStatus() {
  const active = useFlow((state) => state.active);
  const outcome = useFlow((state) => state.steps[state.active]);
  const verdict = useFlow((state) => state.verdicts[state.active]);
  const done = outcome.status === 'ok' || outcome.status === 'refused';
  const word = outcome.status === 'ok' ? 'done' : 'failed';
  const matched = verdict === undefined ? '' : verdict.came ? 'As expected.' : 'Not as expected.';
  return (
    <div role="status" className="visually-hidden">
      {done && `${STEP_TITLES[active]}: ${word}. ${outcome.text ?? ''}. ${matched}`}
    </div>
  );
}
