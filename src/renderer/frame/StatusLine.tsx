import { timeOfDay } from '../connection/clock.ts';
import { useReach } from '../connection/reach.ts';
import { usePage } from '../connection/state.ts';
import type { ServerState } from '../../control/schemas.ts';
import classes from './StatusLine.module.css';

const SAVED: Record<ServerState['workspace']['state'], string> = {
  saved: 'saved',
  saving: 'saving…',
  memory: 'in memory only',
  conflict: 'not saved: the file was changed elsewhere',
  failed: 'not saved',
};

const KB = 1000;
const MB = KB * KB;

function size(bytes: number): string {
  if (bytes < MB) return `${Math.round(bytes / KB)} kB`;
  return `${(bytes / MB).toFixed(1)} MB`;
}

const count = (value: number, one: string, many: string) =>
  `${value.toLocaleString('en')} ${value === 1 ? one : many}`;

export function StatusLine() {
  const server = usePage((state) => state.server);
  const totals = usePage((state) => state.totals);
  const live = useReach((reach) => reach.live);
  const since = usePage((state) => state.lost_ms);
  if (server === null) return <footer className={classes.line}>Grantbench</footer>;
  const { workspace } = server;
  const trouble = live && (workspace.state === 'conflict' || workspace.state === 'failed');
  return (
    <footer className={classes.line}>
      <span className={classes.workspace} data-trouble={trouble || undefined}>
        Workspace <b>{workspace.file ?? workspace.name}</b> ·{' '}
        {live
          ? SAVED[workspace.state]
          : since === null
            ? 'connecting…'
            : `as of ${timeOfDay(since)}`}
      </span>
      {totals !== null && (
        <>
          <span>{count(totals.live_credentials, 'live credential', 'live credentials')}</span>
          <span>
            {count(totals.exchanges, 'exchange', 'exchanges')}, {size(totals.exchange_bytes)}
          </span>
        </>
      )}
      <span className={classes.version}>Grantbench {server.version}</span>
    </footer>
  );
}
