import {
  type Icon,
  IconAlertTriangle,
  IconBolt,
  IconGauge,
  IconHandStop,
  IconRepeat,
  IconRotateClockwise,
  IconAppWindow,
  IconArrowsLeftRight,
  IconChevronDown,
  IconChevronRight,
  IconFlask,
  IconGitCompare,
  IconListCheck,
  IconSend,
  IconTerminal2,
} from '@tabler/icons-react';
import { Button } from '@mantine/core';
import { memo, type MouseEvent, type ReactNode } from 'react';
import type { ExchangeSummary, Sender } from '../../../control/schemas.ts';
import { SENDER_SHORT, shortGrantName } from '../../../control/names.ts';
import { momentInZones, timeOfDay, withLocalTimes } from '../../connection/clock.ts';
import { PathText } from '../../ui/PathText.tsx';
import { milliseconds } from '../../ui/short-forms.ts';
import { pluralize } from '../../../words.ts';
import { sentence } from '../../ui/problems.ts';
import { StatusTag } from '../../ui/status.tsx';
import { answerTone } from '../../exchange/answer.ts';
import { AnswerTag } from '../../exchange/ExchangeLine.tsx';
import { clientsOf, loginInWords, representativeOf, newestFailureOf } from './logins.ts';
import { keyOf, type Login, type RowKey } from './rows.ts';
import { type Mark, MARKS, marksOf, pathOf, SENDER_WORDS } from './filter.ts';
import classes from './Table.module.css';

/** The id of the list's element, for moving the focus to it. */
export const GRID_ID = 'exchanges';
export const rowId = (key: RowKey): string => (typeof key === 'number' ? `exchange-${key}` : key);

export const keyOfRow = ({ id }: Element): RowKey =>
  id.startsWith('login-') ? (id as RowKey) : Number(id.slice('exchange-'.length));

export const focusGrid = (): void =>
  document.getElementById(GRID_ID)?.focus({ preventScroll: true });

export const DETAIL_ID = 'exchange';

export function focusDetail(): void {
  const detail = document.getElementById(DETAIL_ID);
  const tab = detail?.querySelector<HTMLElement>('[role="tab"][tabindex="0"]');
  (tab ?? detail?.querySelector('button'))?.focus();
}

/** The time of day in two parts, so that a narrow list can hide the second: `10:02:40` `.123`. */
export function momentOf(at: string): readonly [time: string, milliseconds: string] {
  const ms = Date.parse(at);
  return [timeOfDay(ms), `.${String(ms % 1000).padStart(3, '0')}`];
}

const MARK_LOOKS: Readonly<Record<Mark, readonly [icon: Icon, tone: string]>> = {
  throttled: [IconGauge, 'warn'],
  fault: [IconBolt, 'fault'],
  held: [IconHandStop, 'fault'],
  retry: [IconRotateClockwise, 'info'],
  deviation: [IconAlertTriangle, 'warn'],
  over_fetch: [IconRepeat, 'info'],
};

/** An icon for each mark, which its tooltip and its label explain. One that stands alone also has a word. */
function Marks({ exchange }: { readonly exchange: ExchangeSummary }) {
  const marks = marksOf(exchange);
  const isAlone = marks.length === 1 && causeOf(exchange) === undefined;
  return marks.map((mark) => {
    const [Shape, tone] = MARK_LOOKS[mark];
    const words = MARKS[mark].sentence(exchange);
    return (
      <span key={mark} className={classes.mark} data-tone={tone} title={words}>
        <Shape size={14} aria-hidden="true" />
        {isAlone && (
          <span className={classes.word} aria-hidden="true">
            {MARKS[mark].word}
          </span>
        )}
        <span className="visually-hidden">{sentence(words)} </span>
      </span>
    );
  });
}

const SENDER_ICONS: Record<Sender, Icon> = {
  app: IconAppWindow,
  workbench: IconFlask,
  command_line: IconTerminal2,
  scenario: IconListCheck,
  server: IconSend,
};

function SentBy({ sender }: { readonly sender: Sender }) {
  const Shape = SENDER_ICONS[sender];
  return (
    <>
      <Shape size={14} aria-hidden="true" />
      <span className={classes.senderName}>{SENDER_SHORT[sender]}</span>
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

const causeOf = ({ cause, fault, held }: ExchangeSummary): string | undefined =>
  cause ?? fault?.what ?? held?.what;

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

interface Column {
  readonly id: string;
  readonly name: string;
  readonly cell: (exchange: ExchangeSummary) => ReactNode;
  /** The full text of the cell, which may be cut. */
  readonly title?: (exchange: ExchangeSummary) => string | null;
}

/** The columns of the list, in order. Narrow lists hide some: see Table.module.css. */
export const COLUMNS: readonly Column[] = [
  { id: 'number', name: 'No.', cell: ({ number }) => `#${number}` },
  {
    id: 'time',
    name: 'Time',
    cell: ({ at }) => <Moment at={at} />,
    title: ({ at }) => momentInZones(Date.parse(at)),
  },
  { id: 'method', name: 'Method', cell: ({ method }) => method },
  {
    id: 'path',
    name: 'Path',
    cell: (exchange) => (
      <>
        <span className={classes.inline}>{exchange.method}</span>
        <PathText>{pathOf(exchange)}</PathText>
      </>
    ),
    title: ({ path }) => path,
  },
  {
    id: 'grant',
    name: 'Grant',
    cell: ({ grant_type }) => (grant_type === null ? '' : shortGrantName(grant_type)),
    title: ({ grant_type }) => grant_type,
  },
  {
    id: 'client',
    name: 'Client',
    cell: ({ client_id }) => client_id,
    title: ({ client_id }) => client_id,
  },
  {
    id: 'sender',
    name: 'By',
    cell: ({ sent_by }) => <SentBy sender={sent_by} />,
    title: ({ sent_by }) => SENDER_WORDS[sent_by].sentence,
  },
  {
    id: 'status',
    name: 'Status',
    cell: ({ status, error }) => (
      <>
        <StatusTag tone={status === 0 ? 'muted' : answerTone({ status, error })}>
          {status === 0 ? 'none' : status}
        </StatusTag>
        {error !== null && <code className={classes.error}>{error}</code>}
      </>
    ),
    title: ({ error }) => error,
  },
  {
    id: 'cause',
    name: 'Cause',
    cell: (exchange) => <Cause exchange={exchange} />,
    title: ({ cause }) => cause,
  },
  { id: 'duration', name: 'Duration', cell: ({ duration_ms }) => milliseconds(duration_ms) },
];

/** Rows may move between press and release, so a press is enough. Assistive technology clicks without pressing. */
const pressing = (press: (event: MouseEvent) => void) => ({
  onMouseDown: press,
  onClick: (event: MouseEvent) => {
    if (event.detail === 0) press(event);
  },
});

interface TrafficRowProps {
  readonly exchange: ExchangeSummary;
  /** The row number, counting the heading as 1. */
  readonly place: number;
  readonly active: boolean;
  readonly selected: boolean;
  readonly open: boolean;
  readonly pinned: boolean;
  /** 2 below its login; null if the list is not by login. */
  readonly level: 1 | 2 | null;
  readonly onPress: (exchange: ExchangeSummary, event: MouseEvent) => void;
}

export const TrafficRow = memo(function TrafficRow(props: TrafficRowProps) {
  const { exchange, place, active, selected, open, pinned, level, onPress } = props;
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
      data-nested={level === 2 || undefined}
      aria-level={level ?? undefined}
      {...pressing((event) => onPress(exchange, event))}
    >
      {COLUMNS.map(({ id, cell, title }) => (
        <span
          key={id}
          role="gridcell"
          className={classes[id]}
          title={title?.(exchange) || undefined}
        >
          {cell(exchange)}
        </span>
      ))}
    </div>
  );
});

interface LoginRowProps {
  readonly login: Login;
  readonly place: number;
  readonly active: boolean;
  readonly selected: boolean;
  readonly unfolded: boolean;
  readonly onPress: (login: Login, event: MouseEvent) => void;
  readonly onSequence: () => void;
  /** null if there is no other login. */
  readonly onCompare: (() => void) | null;
}

interface LoginButtonProps {
  readonly word: string;
  readonly icon: Icon;
  readonly label: string;
  readonly onClick: (() => void) | null;
}

/** A button in the row of a login, without its word where the list is narrow. */
const LoginButton = ({ word, icon: Shape, label, onClick }: LoginButtonProps) => (
  <Button
    variant="subtle"
    size="compact-xs"
    title={label}
    aria-label={label}
    disabled={onClick === null}
    // A press would fold the login.
    onMouseDown={(event) => event.stopPropagation()}
    onClick={(event) => {
      event.stopPropagation();
      onClick?.();
    }}
  >
    <Shape size={14} aria-hidden="true" />
    <span className={classes.buttonWord}>{word}</span>
  </Button>
);

/** A login in one line: a sentence about it, and why it was rejected. */
export function LoginRow(props: LoginRowProps) {
  const { login, place, active, selected, unfolded, onPress, onSequence, onCompare } = props;
  const { number, exchanges } = login;
  const representative = representativeOf(login);
  const failure = newestFailureOf(login);
  const cause = failure?.cause ?? failure?.error;
  const Chevron = unfolded ? IconChevronDown : IconChevronRight;
  return (
    <div
      role="row"
      id={rowId(keyOf(login))}
      className={classes.row}
      aria-rowindex={place}
      aria-level={1}
      aria-expanded={unfolded}
      aria-selected={selected}
      data-active={active || undefined}
      {...pressing((event) => onPress(login, event))}
    >
      <span role="gridcell" className={classes.number}>
        #{number}
      </span>
      <span role="gridcell" className={classes.time}>
        <Moment at={exchanges[0].at} />
      </span>
      <span role="gridcell" className={classes.story} aria-colspan={COLUMNS.length - 2}>
        <Chevron size={14} aria-hidden="true" />
        <AnswerTag {...representative} />
        <strong>{loginInWords(login)}</strong>
        {!unfolded && cause && <em title={cause}>{withLocalTimes(cause)}</em>}
        <code>{clientsOf(login)}</code>
        <small>{pluralize(exchanges.length, 'exchange')}</small>
        {unfolded && (
          <>
            <LoginButton
              word="Sequence"
              icon={IconArrowsLeftRight}
              label={`Show as sequence: login #${number}`}
              onClick={onSequence}
            />
            <LoginButton
              word="Compare"
              icon={IconGitCompare}
              label={`Compare login #${number}`}
              onClick={onCompare}
            />
          </>
        )}
      </span>
    </div>
  );
}
