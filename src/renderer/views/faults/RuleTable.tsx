import { Button, Switch, Group, Text, Loader, Box, Paper } from '@mantine/core';
import { useDidUpdate, useInterval } from '@mantine/hooks';
import { type KeyboardEvent, memo, useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { FaultState } from '../../../control/fault-schemas.ts';
import { milliseconds } from '../../ui/short-forms.ts';
import { pluralize } from '../../../words.ts';
import { page, usePage } from '../../connection/state.ts';
import { deleteFault, moveFault, setEnabled } from './fault-actions.ts';
import classes from './Faults.module.css';
import { shadowOf, shownOf } from './Queues.tsx';
import {
  chanceInWords,
  isActive,
  leftInWords,
  matchInWords,
  titleOf,
  whatInWords,
  WHEN_SHORT,
} from './rule-words.ts';
import split from '../../ui/split.module.css';
import { Heads } from '../../ui/grid/GridTable.tsx';
import table from '../../ui/grid/table.module.css';
import {
  IconAlertTriangle,
  IconArrowDown,
  IconArrowUp,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { linkTo, navigate } from '../../navigation/route.ts';
import { StatusTag, statusWords, toneOf } from '../../ui/status.tsx';
import {
  testRule,
  useRuleTest,
  testRequestFor,
  testRequestInWords,
  dismissTest,
  type RuleTest,
} from './rule-test.ts';
import { obstacleTo } from '../../connection/reach.ts';
import { ActionButton, IconButton } from '../../ui/buttons.tsx';
import { useNeed } from '../../ui/use-need.ts';
import { Hint } from '../../ui/panel.tsx';
import type { Exchange } from '../../../control/schemas.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { rawResponse } from '../../exchange/raw-http.ts';

const SECOND_MS = 1000;

const WHAT = { flex: 1, miw: '12rem', style: { overflowWrap: 'anywhere' } } as const;

function Waiting({ test }: { readonly test: Extract<RuleTest, { state: 'waiting' }> }) {
  // Machine time, since the sandbox clock does not affect a delay.
  const [now, setNow] = useState(test.since);
  useInterval(() => setNow(performance.now()), SECOND_MS, { autoInvoke: true });
  const seconds = Math.floor((now - test.since) / SECOND_MS);
  return (
    <>
      <Loader size="xs" aria-hidden="true" />
      <Box component="span" {...WHAT}>
        Sent, waiting for the response{seconds > 0 && `, ${seconds} s so far`}
      </Box>
      <Button onClick={test.cancel}>Cancel</Button>
    </>
  );
}

/** Says which rule was applied, if any, and its effect. */
function resultWords(rule: FaultState, { fault }: Exchange): string {
  if (fault?.id === rule.id) return fault.what;
  if (fault !== null) return `“${fault.name || fault.id}” was applied instead: ${fault.what}`;
  return 'No rule was applied; this is the normal response.';
}

function Done({ rule, exchange }: { readonly rule: FaultState; readonly exchange: Exchange }) {
  const [shown, setShown] = useState(false);
  const { status, error, number, duration_ms } = exchange;
  const { head, body } = rawResponse(exchange, false);
  return (
    <>
      <StatusTag tone={toneOf(status)}>{statusWords(status)}</StatusTag>
      <Box component="span" {...WHAT}>
        {error !== null && <code>{error} </code>}
        {resultWords(rule, exchange)}
      </Box>
      <Text span ff="monospace" fz="var(--fs-xs)" c="dimmed">
        #{number}, {milliseconds(duration_ms)}
      </Text>
      {status > 0 && (
        <Button variant="subtle" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? 'Hide response' : 'Show response'}
        </Button>
      )}
      <Button variant="subtle" onClick={() => void navigate('traffic', String(number))}>
        Open in Traffic
      </Button>
      {shown && (
        <Box flex="1 0 100%" miw={0} style={{ order: 2 }}>
          <CodeBlock
            label={`response ${number}`}
            text={body === '' ? head : `${head}\n\n${body}`}
          />
        </Box>
      )}
    </>
  );
}

function TestResult({ rule, test }: { readonly rule: FaultState; readonly test: RuleTest }) {
  return (
    <Paper withBorder px={10} py={6} bg="var(--surface)">
      <Group
        gap="var(--s1) var(--s2)"
        fz="xs"
        role="status"
        aria-label={`Test result: ${titleOf(rule)}`}
      >
        {test.state === 'waiting' && <Waiting test={test} />}
        {test.state === 'done' && <Done rule={rule} exchange={test.exchange} />}
        {test.state === 'failed' && (
          <>
            <IconAlertTriangle color="var(--bad)" size="1.2em" aria-hidden="true" />
            <Box component="span" {...WHAT}>
              The test request failed. {test.message}
            </Box>
          </>
        )}
        {test.state !== 'waiting' && (
          <IconButton
            label={`Dismiss the test result of ${titleOf(rule)}`}
            tip="Dismiss"
            icon={IconX}
            onClick={() => dismissTest(rule.id)}
          />
        )}
      </Group>
    </Paper>
  );
}

type Direction = 'up' | 'down';

interface RuleTableProps {
  readonly rules: readonly FaultState[];
  readonly open: string | null;
}

/** Moving a row in the document takes the focus away, so the button that moved it gets the focus back. */
function useMoving(rules: readonly FaultState[]) {
  const body = useRef<HTMLTableSectionElement>(null);
  const moved = useRef<{ id: string; direction: Direction } | null>(null);
  const before = useRef<Promise<unknown>>(Promise.resolve());
  const [announcement, setAnnouncement] = useState('');
  useLayoutEffect(() => {
    const wanted = moved.current;
    if (wanted === null) return;
    const buttons = body.current?.querySelectorAll<HTMLElement>(`[data-move=${wanted.direction}]`);
    [...(buttons ?? [])].find((button) => button.dataset['rule'] === wanted.id)?.focus();
  }, [rules]);
  const move = useCallback((rule: FaultState, direction: Direction) => {
    const moveNow = async () => {
      const { faults } = page.getState();
      const index = faults.findIndex(({ id }) => id === rule.id);
      const position = direction === 'up' ? index - 1 : index + 1;
      if (index < 0 || position < 0 || position >= faults.length) return;
      moved.current = { id: rule.id, direction };
      if (await moveFault(rule, position))
        setAnnouncement(`${titleOf(rule)} is now rule ${position + 1} of ${faults.length}`);
      moved.current = null;
    };
    // The key may be pressed again before the move is done: each move starts from the result of the former one.
    before.current = before.current.then(moveNow);
  }, []);
  return { body, announcement, move };
}

/** Scrolls to a rule that was just added, which is the last one. */
function useSight(added: string | null) {
  const scroller = useRef<HTMLDivElement>(null);
  useDidUpdate(() => {
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [added]);
  return scroller;
}

const HEADS = [
  { name: 'Order', unseen: true },
  'On',
  'Rule',
  { name: 'Left', className: table.from520 },
  { name: 'Hits', className: `${table.number} ${table.from520}` },
];

export function RuleTable({ rules, open }: RuleTableProps) {
  const { body, announcement, move } = useMoving(rules);
  const added = usePage((state) => state.added_fault);
  const scroller = useSight(added);
  const [unfolded, setUnfolded] = useState(false);
  const shown = shownOf(rules, unfolded, added);
  const hidden = rules.length - shown.length;
  return (
    <div className={split.scroll} ref={scroller}>
      <table className={`${table.table} ${classes.table}`}>
        <Heads names={HEADS} actions />
        <tbody ref={body}>
          {shown.map(([index, rule]) => (
            <RuleRow
              key={rule.id}
              rule={rule}
              place={index + 1}
              last={index === rules.length - 1}
              shadow={shadowOf(rules, index)}
              open={rule.id === open}
              onMove={move}
            />
          ))}
        </tbody>
      </table>
      {hidden > 0 && (
        <Button variant="subtle" onClick={() => setUnfolded(true)}>
          Show all ({pluralize(hidden, 'rule')} left)
        </Button>
      )}
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </div>
  );
}

interface RuleRowProps {
  readonly rule: FaultState;
  /** The position, from 1. */
  readonly place: number;
  readonly last: boolean;
  /** An earlier rule that matches everything this one matches; null if there is none. */
  readonly shadow: FaultState | null;
  readonly open: boolean;
  readonly onMove: (rule: FaultState, direction: Direction) => void;
}

const KEYS: Readonly<Record<string, Direction>> = { ArrowUp: 'up', ArrowDown: 'down' };

function RuleWords({ rule, shadow }: Pick<RuleRowProps, 'rule' | 'shadow'>) {
  const chance = chanceInWords(rule.probability);
  return (
    <>
      <Hint span display="block" style={{ overflowWrap: 'anywhere' }}>
        {matchInWords(rule.match)}
        {chance !== '' && `, ${chance}`} <span aria-hidden="true">→</span>
        <span className="visually-hidden">:</span>{' '}
        <Text span inherit {...(isActive(rule) ? { c: 'var(--text)' } : {})}>
          {whatInWords(rule)}
        </Text>
      </Hint>
      {shadow !== null && (
        <Group component="span" gap={4} wrap="nowrap" fz="xs" c="var(--warn)">
          <IconAlertTriangle size="1.1em" aria-hidden="true" /> Never applied: “{titleOf(shadow)}”
          matches all of these first
        </Group>
      )}
    </>
  );
}

/** One rule: its switch, what it does to which requests, how often it still applies, and the result of a test. */
const RuleRow = memo(function RuleRow(props: RuleRowProps) {
  const { rule, place, last, shadow, open, onMove } = props;
  const test = useRuleTest(rule.id);
  const needs = useNeed('connection');
  const title = titleOf(rule);
  const moveByKey = (event: KeyboardEvent) => {
    const direction = event.altKey ? KEYS[event.key] : undefined;
    if (direction === undefined) return;
    event.preventDefault();
    if (obstacleTo('connection') === null) onMove(rule, direction);
  };
  return (
    <>
      <tr className={classes.rule} data-open={open || undefined} onKeyDown={moveByKey}>
        <td className={classes.place}>{place}</td>
        <td>
          <Switch
            aria-label={`${title}: active`}
            checked={isActive(rule)}
            {...needs}
            onChange={(event) => void setEnabled(rule, event.currentTarget.checked)}
          />
        </td>
        <th scope="row" className={classes.about}>
          <Group component="span" gap="0 var(--s2)">
            <Text
              component="a"
              className={table.name}
              c={isActive(rule) ? 'var(--text)' : 'dimmed'}
              style={{ overflowWrap: 'anywhere' }}
              aria-current={open || undefined}
              {...linkTo('faults', rule.id)}
            >
              {title}
            </Text>
            <StatusTag tone={rule.when === 'after' ? 'info' : 'muted'}>
              {WHEN_SHORT[rule.when]}
            </StatusTag>
          </Group>
          <RuleWords rule={rule} shadow={shadow} />
        </th>
        <td className={table.from520}>
          <RuleLeft rule={rule} />
        </td>
        <td className={`${table.number} ${table.from520}`}>{rule.hits.toLocaleString('en')}</td>
        <td style={{ width: '1%' }}>
          <RuleActions
            rule={rule}
            first={place === 1}
            last={last}
            waiting={test?.state === 'waiting'}
            onMove={(direction) => onMove(rule, direction)}
          />
        </td>
      </tr>
      {test !== null && (
        <tr className={classes.fired}>
          <td colSpan={6}>
            <TestResult rule={rule} test={test} />
          </td>
        </tr>
      )}
    </>
  );
});

interface RuleActionsProps {
  readonly rule: FaultState;
  readonly first: boolean;
  readonly last: boolean;
  /** Whether a test request is already running. */
  readonly waiting: boolean;
  readonly onMove: (direction: Direction) => void;
}

/** The actions of a rule. At the end of the list a move does nothing, but its button keeps the focus. */
function RuleActions({ rule, first, last, waiting, onMove }: RuleActionsProps) {
  const clients = usePage((state) => state.clients);
  const idle = !isActive(rule);
  const name = titleOf(rule);
  const moves = [
    { direction: 'up', icon: IconArrowUp, sign: '↑', key: 'ArrowUp', end: first },
    { direction: 'down', icon: IconArrowDown, sign: '↓', key: 'ArrowDown', end: last },
  ] as const;
  return (
    <span className={table.actions}>
      <ActionButton
        variant="subtle"
        px="var(--s1h)"
        aria-label={`Test: ${name}`}
        needs="server"
        title={
          idle
            ? 'Activate the rule to test it'
            : `Test: send ${testRequestInWords(testRequestFor(rule, clients))}`
        }
        aria-disabled={idle || waiting || undefined}
        onClick={() => void testRule(rule)}
      >
        Test
      </ActionButton>
      {moves.map(({ direction, icon, sign, key, end }) => (
        <IconButton
          key={key}
          className={table.from520 ?? ''}
          label={`Move ${direction}: ${name}`}
          icon={icon}
          needs="connection"
          title={`Move ${direction} (Alt ${sign})`}
          aria-keyshortcuts={`Alt+${key}`}
          aria-disabled={end || undefined}
          data-move={direction}
          data-rule={rule.id}
          onClick={() => onMove(direction)}
        />
      ))}
      <IconButton
        className={table.from520 ?? ''}
        label={`Delete: ${name}`}
        icon={IconTrash}
        needs="connection"
        title={
          rule.hits === 0
            ? 'Delete'
            : `Delete; Undo does not bring back its ${pluralize(rule.hits, 'hit')}`
        }
        onClick={() => void deleteFault(rule)}
      />
    </span>
  );
}

/** How many more requests a rule applies to. A rule that is used up can be activated again. */
function RuleLeft({ rule }: { readonly rule: FaultState }) {
  if (rule.enabled && rule.remaining === 0) {
    return (
      <Group component="span" gap={4}>
        <StatusTag tone="muted">used up</StatusTag>
        <ActionButton
          variant="subtle"
          onClick={() => void setEnabled(rule, true)}
          aria-label={`Activate again: ${titleOf(rule)}`}
          needs="connection"
        >
          Activate again
        </ActionButton>
      </Group>
    );
  }
  if (!rule.enabled) return <StatusTag tone="muted">off</StatusTag>;
  return (
    <Text span size="xs" className="figures">
      {leftInWords(rule)}
    </Text>
  );
}
