import { usePage } from '../connection/state.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import classes from './TopBar.module.css';

const WORDS = { running: 'Running', stopped: 'Stopped', failed: 'Failed' } as const;

export function ServerPill() {
  const server = usePage((state) => state.server);
  if (server === null) return null;
  return (
    <span className={`${classes.pill} ${classes.server}`}>
      <span className={classes.dot} data-state={server.state} aria-hidden="true" />
      <b role="status">{WORDS[server.state]}</b>
      <code className={classes.url} title={server.issuer}>
        {server.issuer}
      </code>
      <CopyButton value={server.issuer} label="Copy base URL" />
    </span>
  );
}
