import {
  IconAlertTriangle,
  IconBolt,
  IconGauge,
  IconRepeat,
  IconRotateClockwise,
  IconAppWindow,
  IconFlask,
  IconListCheck,
  IconSend,
  IconTerminal2,
} from '@tabler/icons-react';
import { memo, type MouseEvent, type ReactNode } from 'react';
import type { ExchangeSummary, Sender } from '../../../control/schemas.ts';
import { SENDER_SHORT, shortGrantName } from '../../../control/names.ts';
import { momentInZones, withLocalTimes } from '../../connection/clock.ts';
import { milliseconds } from '../../ui/short-forms.ts';
import { StatusTag } from '../../ui/status.tsx';
import { answerTone } from '../../exchange/answer.ts';
import {
  MARK_WORDS,
  marksOf,
  markSentence,
  type Mark,
  pathOf,
  SENDER_SENTENCES,
} from './filter.ts';
import classes from './Table.module.css';

/** The columns of the list, in order. Narrow lists hide some: see Table.module.css. */
export const COLUMNS = [
  { id: 'number', name: 'No.' },
  { id: 'time', name: 'Time' },
  { id: 'method', name: 'Method' },
  { id: 'path', name: 'Path' },
  { id: 'grant', name: 'Grant' },
  { id: 'client', name: 'Client' },
  { id: 'sender', name: 'By' },
  { id: 'status', name: 'Status' },
  { id: 'cause', name: 'Cause' },
  { id: 'duration', name: 'Duration' },
] as const;

type ColumnId = (typeof COLUMNS)[number]['id'];

/** The id of the list's element, for moving the focus to it. */
export const GRID_ID = 'exchanges';
export const rowId = (number: number): string => `exchange-${number}`;

export const focusGrid = (): void =>
  document.getElementById(GRID_ID)?.focus({ preventScroll: true });

const two = (value: number) => String(value).padStart(2, '0');

/** The time of day in two parts, so that a narrow list can hide the second: `10:02:40` `.123`. */
export function momentOf(at: string): readonly [time: string, milliseconds: string] {
  const date = new Date(at);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return [time, `.${String(date.getMilliseconds()).padStart(3, '0')}`];
}

const MARK_ICONS: Record<Mark, typeof IconBolt> = {
  throttled: IconGauge,
  fault: IconBolt,
  retry: IconRotateClockwise,
  deviation: IconAlertTriangle,
  over_fetch: IconRepeat,
};

const TONES: Record<Mark, string> = {
  throttled: 'warn',
  fault: 'fault',
  retry: 'info',
  deviation: 'warn',
  over_fetch: 'info',
};

/** An icon for each mark, which its tooltip and its label explain. One that stands alone also has a word. */
function Marks({ exchange }: { readonly exchange: ExchangeSummary }) {
  const marks = marksOf(exchange);
  const isAlone = marks.length === 1 && causeOf(exchange) === undefined;
  return marks.map((mark) => {
    const Icon = MARK_ICONS[mark];
    const sentence = markSentence(mark, exchange);
    return (
      <span key={mark} className={classes.mark} data-tone={TONES[mark]} title={sentence}>
        <Icon size={14} aria-hidden="true" />
        {isAlone && (
          <span className={classes.word} aria-hidden="true">
            {MARK_WORDS[mark]}
          </span>
        )}
        <span className="visually-hidden">{sentence}. </span>
      </span>
    );
  });
}

const SENDER_ICONS: Record<Sender, typeof IconFlask> = {
  app: IconAppWindow,
  workbench: IconFlask,
  command_line: IconTerminal2,
  scenario: IconListCheck,
  server: IconSend,
};

/** Who sent an exchange; narrow lists show only the icon. */
function SentBy({ sender }: { readonly sender: Sender }) {
  const Icon = SENDER_ICONS[sender];
  return (
    <>
      <Icon size={14} aria-hidden="true" />
      <span className={classes.senderName}>{SENDER_SHORT[sender]}</span>
    </>
  );
}

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

const causeOf = ({ cause, fault }: ExchangeSummary): string | undefined => cause ?? fault?.what;

/** Narrow lists hide the error beside the status; it is shown here if the cause is unknown. */
function Cause({ exchange }: { readonly exchange: ExchangeSummary }) {
  const { error } = exchange;
  const words = causeOf(exchange);
  return (
    <>
      <Marks exchange={exchange} />
      {words !== undefined && withLocalTimes(words)}
      {words === undefined && error !== null && <code className={classes.standIn}>{error}</code>}
    </>
  );
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
  };
}

/** The full text of a cell, which may be cut. */
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
  /** The row number, counting the heading as 1. */
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
      // Rows may move between press and release, so a press is enough.
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
