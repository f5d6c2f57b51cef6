import { Button } from '@mantine/core';
import { withoutHistory } from '../requests-state.ts';
import { changeRequests, useRequests } from '../requests-store.ts';
import { HistoryRow } from './HistoryRow.tsx';
import classes from './Start.module.css';

const clear = () => changeRequests(withoutHistory);

/** What was sent, newest first. */
export function HistoryList() {
  const history = useRequests((state) => state.history);
  const shown = useRequests((state) => state.shown);
  return (
    <div className={classes.history}>
      <div className={classes.head}>
        <h2>History</h2>
        {history.length > 0 && (
          <Button variant="subtle" onClick={clear}>
            Clear
          </Button>
        )}
      </div>
      {history.length === 0 ? (
        <p className={classes.empty}>
          The requests you send are listed here. You can view, edit and resend them.
        </p>
      ) : (
        <ol className={classes.list} aria-label="History">
          {history.map((sent) => (
            <HistoryRow key={sent.id} sent={sent} shown={sent.id === shown} />
          ))}
        </ol>
      )}
    </div>
  );
}
