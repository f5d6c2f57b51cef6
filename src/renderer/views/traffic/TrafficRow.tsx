import { memo, type MouseEvent, type ReactNode } from 'react';
import type { ExchangeSummary } from '../../../control/schemas.ts';
import { shortGrantName } from '../../../control/names.ts';
import { momentInZones, withLocalTimes } from '../../connection/clock.ts';
import { milliseconds } from '../../ui/short-forms.ts';
import { StatusTag } from '../../ui/status.tsx';
import { answerTone } from '../../exchange/answer.ts';
import { COLUMNS, type ColumnId } from './columns.ts';
import { pathOf } from './filter.ts';
import { rowId } from './grid.ts';
import { Marks } from './Marks.tsx';
import { momentOf } from './moment.ts';
import { SENDER_SENTENCES } from './sender.ts';
import { SentBy } from './SentBy.tsx';
import classes from './Table.module.css';

function Status({ exchange: { status, error } }: { readonly exchange: ExchangeSummary }) {
  return (
    <>
      {status === 0 ? (
        <StatusTag tone="muted">none</StatusTag>
      ) : (
        <StatusTag tone={answerTone({ status, error })}>{status}</StatusTag>
      )}
      {error !== null && <code className={classes.error}>{error}</code>}
    </>
  );
}

function Moment({ at }: { readonly at: string }) {
  const [time, fraction] = momentOf(at);
  return (
    <>
      {time}
      <span className={classes.fraction}>{fraction}</span>
    </>
  );
}

/** Where there is no room for the error beside the status, it stands in for a cause that is not known. */
function Cause({ exchange: { error, cause, fault } }: { readonly exchange: ExchangeSummary }) {
  const words = cause ?? fault?.what;
  if (words !== undefined) return withLocalTimes(words);
  return error !== null && <code className={classes.standIn}>{error}</code>;
}

function cellsOf(exchange: ExchangeSummary): Record<ColumnId, ReactNode> {
  const { number, at, method, grant_type, client_id, sent_by, duration_ms } = exchange;
  return {
    number: `#${number}`,
    time: <Moment at={at} />,
    method,
    path: (
      <>
        <span className={classes.inline}>{method} </span>
        {pathOf(exchange)}
      </>
    ),
    grant: grant_type === null ? '' : shortGrantName(grant_type),
    client: client_id,
    sender: <SentBy sender={sent_by} />,
    status: <Status exchange={exchange} />,
    cause: <Cause exchange={exchange} />,
    duration: milliseconds(duration_ms),
    marks: <Marks exchange={exchange} />,
  };
}

/** In full where a cell may have cut it. */
function titleOf(
  column: ColumnId,
  { at, path, grant_type, client_id, sent_by, error, cause }: ExchangeSummary,
) {
  const titles: Partial<Record<ColumnId, string | null>> = {
    time: momentInZones(Date.parse(at)),
    path,
    grant: grant_type,
    client: client_id,
    sender: SENDER_SENTENCES[sent_by],
    status: error,
    cause,
  };
  return titles[column] || undefined;
}

interface TrafficRowProps {
  readonly exchange: ExchangeSummary;
  /** Its place among all rows, the heading being 1. */
  readonly place: number;
  readonly active: boolean;
  readonly selected: boolean;
  readonly open: boolean;
  readonly pinned: boolean;
  readonly onPress: (exchange: ExchangeSummary, event: MouseEvent) => void;
}

export const TrafficRow = memo(function TrafficRow(props: TrafficRowProps) {
  const { exchange, place, active, selected, open, pinned, onPress } = props;
  const cells = cellsOf(exchange);
  return (
    <div
      role="row"
      id={rowId(exchange.number)}
      className={classes.row}
      aria-rowindex={place}
      aria-selected={selected}
      data-active={active || undefined}
      data-open={open || undefined}
      data-pinned={pinned || undefined}
      // Rows may move between press and release.
      onMouseDown={(event) => onPress(exchange, event)}
      // Assistive technology clicks without pressing.
      onClick={(event) => {
        if (event.detail === 0) onPress(exchange, event);
      }}
    >
      {COLUMNS.map(({ id: column }) => (
        <span
          key={column}
          role="gridcell"
          className={classes[column]}
          title={titleOf(column, exchange)}
        >
          {cells[column]}
        </span>
      ))}
    </div>
  );
});
