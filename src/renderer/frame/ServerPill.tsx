import { useReach } from '../connection/reach.ts';
import { usePage } from '../connection/state.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import classes from './TopBar.module.css';

const WORDS = {
  running: 'Running',
  stopped: 'Stopped',
  failed: 'Failed',
  unknown: 'Unknown',
} as const;

export function ServerPill() {
  const issuer = usePage((state) => state.server?.issuer);
  const state = useReach((reach) => reach.server);
  if (issuer === undefined) return null;
  return (
    <span className={`${classes.pill} ${classes.server}`}>
      <span className={classes.dot} data-state={state} aria-hidden="true" />
      <b role="status">{WORDS[state]}</b>
      <code className={classes.url} title={issuer}>
        {issuer}
      </code>
      <CopyButton value={issuer} label="Copy base URL" />
    </span>
  );
}
