import { countdown, useSandboxNow } from '../../../connection/clock.ts';
import { valueIn } from '../field-rows.ts';
import { useRequests } from '../requests-store.ts';
import classes from './Composer.module.css';

/** What is left of the code that was put in, as long as it stands there. */
export function CodeLife() {
  const held = useRequests((state) => state.held);
  const here = useRequests((state) => valueIn(state.draft.body.rows, 'code') === state.held?.code);
  const now = useSandboxNow();
  if (held === null || !here) return null;
  const left = (Date.parse(held.expires_at) - now) / 1000;
  const over = held.spent || left <= 0;
  return (
    <p className={classes.life} data-over={over || undefined}>
      {held.spent
        ? 'The code has been used, and a code works only once. Get new credentials for another.'
        : left <= 0
          ? 'The code has expired. Get new credentials for another.'
          : `The code expires in ${countdown(left)}.`}
    </p>
  );
}
