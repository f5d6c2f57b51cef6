import { Loader } from '@mantine/core';
import { useReach } from '../connection/reach.ts';
import classes from './Frame.module.css';

/** While a view's code is on its way: an error only when it cannot come. */
export function AwaitedView() {
  const cut = useReach((reach) => !reach.live);
  if (!cut) return <div aria-busy="true" />;
  return (
    <div className={classes.connecting} role="status">
      <Loader size="sm" aria-hidden="true" />
      This view loads when the connection is restored.
    </div>
  );
}
