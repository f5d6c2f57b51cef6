// The head of the list: its actions and its filter.

import {
  useEffect,
  useRef,
  type ComponentProps,
  type RefObject,
  useState,
  type SyntheticEvent,
  memo,
} from 'react';
import { Box, Button, Menu, Text, TextInput, Tooltip } from '@mantine/core';
import {
  type Icon,
  IconHandStop,
  IconHash,
  IconArrowsLeftRight,
  IconDownload,
  IconEraser,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnected,
  IconFilter,
  IconSearch,
  IconUserCheck,
  IconX,
} from '@tabler/icons-react';
import { keysOf } from '../../navigation/command.ts';
import { useAppTraffic } from '../../connect-app/app-traffic.ts';
import { Bar, PanelHead } from '../../ui/panel.tsx';
import { page, usePage } from '../../connection/state.ts';
import { CLIENT_GRANTS } from '../../../control/names.ts';
import type { HoldRuleInput } from '../../../control/schemas.ts';
import { grantName } from '../../actions/sandbox.ts';
import { toggleListing, usePreference } from '../../ui/preferences.ts';
import { ActionButton } from '../../ui/buttons.tsx';
import { MenuAction } from '../../ui/MenuAction.tsx';
import { startHolding, stopHolding } from './holding.ts';
import { type AskedField, changeTraffic, rowsFor, traffic, useTraffic } from './traffic-state.ts';
import { readNumber } from './number-ranges.ts';
import { stopExport } from './exports.ts';
import { ExportMenu } from './ExportMenu.tsx';
import { clearView, openExchange, showApp, showSequence, togglePause } from './traffic-actions.ts';
import {
  COLUMN_NAMES,
  COLUMNS,
  facetsOf,
  valueWords,
  withValue,
  type Column,
  type Filter,
  isFiltered,
  NO_FILTER,
} from './filter.ts';
import { focusGrid } from './TrafficRow.tsx';
import classes from './Traffic.module.css';

/** Moves the focus to the field when that is requested, and selects its text. */
function useAskedFocus(field: AskedField): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  const asked = useTraffic((state) => state.asked === field);
  useEffect(() => {
    if (!asked) return;
    input.current?.focus();
    input.current?.select();
    traffic.setState({ asked: null });
  }, [asked]);
  return input;
}

/** A field that opens the exchange with the number in a Grantbench-Exchange header. */
function GoToField() {
  const input = useAskedFocus('number');
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState(false);
  const go = (event: SyntheticEvent) => {
    event.preventDefault();
    const number = readNumber(text);
    setWrong(number === null);
    if (number === null) return;
    setText('');
    void openExchange(number);
  };
  return (
    <Box component="form" pos="relative" w={92} onSubmit={go}>
      <TextInput
        ref={input}
        aria-label="Go to exchange number"
        title={`The number in the Grantbench-Exchange header of a response (${keysOf('alt+G')})`}
        placeholder="Go to"
        leftSection={<IconHash size="1.1em" aria-hidden="true" />}
        value={text}
        error={wrong}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setWrong(false);
        }}
      />
      {wrong && (
        <span role="alert" className={classes.wrong}>
          Enter a whole number, as in Grantbench-Exchange.
        </span>
      )}
    </Box>
  );
}

function Exporting() {
  const progress = useTraffic((state) => state.exporting);
  if (progress === null) return null;
  const { done, total } = progress;
  return (
    <>
      <span role="status">
        Exporting {done.toLocaleString('en')} of {total.toLocaleString('en')}
      </span>
      <Button onClick={stopExport}>Stop</Button>
    </>
  );
}

interface ToolProps extends ComponentProps<typeof ActionButton> {
  readonly icon: Icon;
  /** Shown where there is room. */
  readonly word: string;
  /** Whether the word needs more room than the others. */
  readonly long?: boolean;
  /** Its accessible name, if the word does not say enough. */
  readonly label?: string;
  readonly tip?: string;
  /** Whether it is on, for a button that switches something. */
  readonly pressed?: boolean;
}

const Tool = ({ icon: Shape, word, long, label = word, tip, pressed, ...button }: ToolProps) => (
  <Tooltip label={tip} disabled={tip === undefined}>
    <ActionButton
      variant={pressed === true ? 'light' : 'subtle'}
      px="xs"
      styles={{ label: { gap: 'var(--s1h)' } }}
      aria-label={label}
      aria-pressed={pressed}
      {...button}
    >
      <Shape size="1.2em" aria-hidden="true" />
      <span className={long === true ? classes.long : classes.word}>{word}</span>
    </ActionButton>
  </Tooltip>
);

const ENDPOINTS = ['/authorize', '/oauth/token', '/userinfo', '/oauth/introspect', '/oauth/revoke'];

/** A rule in words, and the rule. */
type Hold = readonly [label: string, rule: HoldRuleInput];

const HoldActions = ({ holds }: { readonly holds: readonly Hold[] }) =>
  holds.map(([label, rule]) => (
    <MenuAction key={label} needs="server" onClick={() => void startHolding(label, rule)}>
      {label}
    </MenuAction>
  ));

const HOLDS: readonly Hold[] = [
  ['The next request', { times: 1 }],
  ['Every request', {}],
  ['Responses to rejected requests', { at: 'response', rejected_only: true }],
  ['Every response', { at: 'response' }],
];

const holdsBy = (
  ids: readonly string[],
): readonly (readonly [title: string, readonly Hold[]])[] => [
  ['Requests to', ENDPOINTS.map((path) => [path, { match: { path } }])],
  ['Requests of', ids.map((client_id) => [client_id, { match: { client_id } }])],
  [
    'Requests with',
    CLIENT_GRANTS.map((grant_type) => [grantName(grant_type), { match: { grant_type } }]),
  ],
];

const MOST_CLIENTS = 20;

function HoldButton() {
  const what = useTraffic((state) => state.holding);
  const clients = usePage((state) => state.clients);
  if (what !== null) {
    return (
      <Tool
        variant="filled"
        icon={IconHandStop}
        word="Stop holding"
        tip={`Holding: ${what}. Click to stop and release`}
        needs="connection"
        onClick={stopHolding}
      />
    );
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tool
          title="Hold requests of your app, to look at them and decide"
          icon={IconHandStop}
          word="Hold"
          needs="connection"
        />
      </Menu.Target>
      <Menu.Dropdown>
        <HoldActions holds={HOLDS} />
        <Menu.Divider />
        {holdsBy(clients.slice(0, MOST_CLIENTS).map(({ client_id }) => client_id)).map(
          ([title, holds]) => (
            <Menu.Sub key={title}>
              <Menu.Sub.Target>
                <Menu.Sub.Item>{title}</Menu.Sub.Item>
              </Menu.Sub.Target>
              <Menu.Sub.Dropdown>
                <HoldActions holds={holds} />
              </Menu.Sub.Dropdown>
            </Menu.Sub>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function SinceConnected() {
  const known = useAppTraffic() !== null;
  return (
    <Tool
      icon={IconPlugConnected}
      word="Since the app connected"
      long
      tip="Show what the app sent since it connected as a sequence"
      disabled={!known}
      onClick={showApp}
    />
  );
}

/** Memoised, so that they do not render when the count changes. */
const Controls = memo(function Controls({ isEmpty }: Pick<ListHeadProps, 'isEmpty'>) {
  const selected = useTraffic((state) => state.selected);
  const paused = useTraffic((state) => state.paused);
  const byLogin = usePreference('listing') === 'logins';
  return (
    <>
      <Exporting />
      <GoToField />
      <HoldButton />
      <Tool
        label="Pause the list"
        icon={paused ? IconPlayerPlay : IconPlayerPause}
        word="Pause"
        tip={paused ? 'Follow the newest (P)' : 'Pause the list (P)'}
        pressed={paused}
        onClick={togglePause}
      />
      <Tool
        label="Group by login"
        icon={IconUserCheck}
        word="Logins"
        tip={byLogin ? 'List each exchange' : 'Group exchanges by login'}
        pressed={byLogin}
        onClick={toggleListing}
      />
      <Tool
        label="Show as sequence"
        icon={IconArrowsLeftRight}
        word="Sequence"
        tip="Show the selected or listed exchanges as a sequence"
        disabled={isEmpty}
        onClick={showSequence}
      />
      <SinceConnected />
      <Tool
        label="Clear from view"
        icon={IconEraser}
        word="Clear"
        tip="Clear from view; nothing is deleted"
        disabled={isEmpty}
        onClick={clearView}
      />
      <ExportMenu numbers={selected.size > 1 ? [...selected] : null}>
        <Tool
          icon={IconDownload}
          word="Export"
          tip="Export the selected or listed exchanges"
          disabled={isEmpty}
        />
      </ExportMenu>
    </>
  );
});

interface ListHeadProps {
  readonly note: string | undefined;
  readonly isEmpty: boolean;
}

export function ListHead({ note, isEmpty }: ListHeadProps) {
  return (
    <div className={classes.head}>
      <PanelHead title="Traffic" note={note}>
        <Controls isEmpty={isEmpty} />
      </PanelHead>
    </div>
  );
}

const MOST = 12;

const set = (how: (filter: Filter) => Filter) =>
  changeTraffic((state) => ({ ...state, filter: how(state.filter) }));

function ColumnValues({ column, filter }: { readonly column: Column; readonly filter: Filter }) {
  const wanted = filter.columns[column];
  const state = { ...traffic.getState(), filter: NO_FILTER, pinned: [] };
  const { all } = rowsFor(state)(state.held ?? page.getState().exchanges);
  const facets = facetsOf(all(), column, wanted, MOST);
  if (facets.length === 0) return <Menu.Item disabled>None listed</Menu.Item>;
  return facets.map(({ value, count }) => (
    <Menu.CheckboxItem
      key={value}
      checked={wanted.includes(value)}
      onChange={() => set((now) => withValue(now, column, value))}
      rightSection={
        <Text span ml="md" ff="monospace" fz="var(--fs-xs)" c="dimmed">
          {count.toLocaleString('en')}
        </Text>
      }
    >
      {valueWords(column, value)}
    </Menu.CheckboxItem>
  ));
}

function FilterMenu({ filter }: { readonly filter: Filter }) {
  return (
    <Menu position="bottom-start" closeOnItemClick={false}>
      <Menu.Target>
        <Button leftSection={<IconFilter />}>Filter</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {COLUMN_NAMES.map((column) => (
          <Menu.Sub key={column}>
            <Menu.Sub.Target>
              <Menu.Sub.Item>{COLUMNS[column].name}</Menu.Sub.Item>
            </Menu.Sub.Target>
            <Menu.Sub.Dropdown>
              <ColumnValues column={column} filter={filter} />
            </Menu.Sub.Dropdown>
          </Menu.Sub>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Rejections are what people look for most, so one click filters by them. */
const REJECTED = ['4xx', '5xx'] as const;

const showsRejected = ({ columns: { status } }: Filter): boolean =>
  REJECTED.every((value) => status.includes(value));

const rejectedToggled = (filter: Filter): Filter => ({
  ...filter,
  columns: { ...filter.columns, status: showsRejected(filter) ? [] : REJECTED },
});

function Chips({ filter }: { readonly filter: Filter }) {
  return COLUMN_NAMES.flatMap((column) =>
    filter.columns[column].map((value) => (
      <Button
        key={`${column} ${value}`}
        radius="xl"
        rightSection={<IconX size={12} aria-hidden="true" />}
        aria-label={`Remove filter: ${COLUMNS[column].name} ${valueWords(column, value)}`}
        onClick={() => set((now) => withValue(now, column, value))}
      >
        <Text span inherit mr={6} c="dimmed">
          {COLUMNS[column].name}
        </Text>
        {valueWords(column, value)}
      </Button>
    )),
  );
}

/** Moves from the field to the list; Escape clears the text first. */
function leaveField(key: string, input: HTMLInputElement): boolean {
  if (key === 'Escape' && input.value !== '') set((now) => ({ ...now, text: '' }));
  else if (key !== 'Escape' && key !== 'Enter' && key !== 'ArrowDown') return false;
  else focusGrid();
  return true;
}

export const FilterBar = memo(function FilterBar() {
  const filter = useTraffic((state) => state.filter);
  const input = useAskedFocus('filter');
  const rejected = showsRejected(filter);
  return (
    <Bar role="search" aria-label="Filter exchanges">
      <TextInput
        ref={input}
        flex="1 1 180px"
        maw={420}
        data-find
        aria-label="Filter by text"
        placeholder="Path, client, error, cause; -word excludes"
        leftSection={<IconSearch size="1.1em" aria-hidden="true" />}
        rightSection={filter.text === '' ? <kbd>/</kbd> : null}
        value={filter.text}
        onChange={(event) => {
          const text = event.currentTarget.value;
          set((now) => ({ ...now, text }));
        }}
        onKeyDown={(event) => {
          if (leaveField(event.key, event.currentTarget)) event.preventDefault();
        }}
      />
      <Button
        variant={rejected ? 'light' : 'default'}
        aria-pressed={rejected}
        onClick={() => set(rejectedToggled)}
      >
        Rejected
      </Button>
      <FilterMenu filter={filter} />
      <Chips filter={filter} />
      {isFiltered(filter) && (
        <Button variant="subtle" onClick={() => set(() => NO_FILTER)}>
          Clear the filter
        </Button>
      )}
    </Bar>
  );
});
