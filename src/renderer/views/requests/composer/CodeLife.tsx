import { useSandboxNow } from '../../../connection/clock.ts';
import { codeLifeOf, type CodeLife as Life } from '../../../sending/code-life.ts';
import { valueIn } from '../field-rows.ts';
import { useRequests } from '../requests-store.ts';
import classes from './Composer.module.css';

function lifeWords(life: Life): string {
  switch (life.state) {
    case 'redeemable':
      return `The code expires in ${life.left}.`;
    case 'redeemed':
      return 'The code has been used, and a code works only once. Get new credentials for another.';
    case 'expired':
      return 'The code has expired. Get new credentials for another.';
  }
}

/** What is left of the code that was put in, as long as the body holds it; or where one will come from. */
export function CodeLife() {
  const held = useRequests((state) => state.held);
  const inBody = useRequests((state) => valueIn(state.draft.body.rows, 'code'));
  const awaited = useRequests(({ awaits_issued }) => awaits_issued);
  const now = useSandboxNow();
  if (awaited)
    return <p className={classes.life}>The code is issued when you send this request.</p>;
  if (held === null || inBody !== held.code) return null;
  const life = codeLifeOf(held, now);
  return (
    <p className={classes.life} data-over={life.state !== 'redeemable' || undefined}>
      {lifeWords(life)}
    </p>
  );
}
