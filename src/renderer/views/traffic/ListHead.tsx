import { useEffect, useRef, type RefObject, useState, type SyntheticEvent, memo } from 'react';
import { TextInput, Button, Tooltip, Menu, Box, Group, Text } from '@mantine/core';
import {
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
import { useStore } from 'zustand';
import { keysOf } from '../../navigation/command.ts';
import { useAppTraffic } from '../../connect/app-traffic.ts';
import { PanelHead } from '../../ui/panel.tsx';
import { page } from '../../connection/state.ts';
import type { AskedField } from './traffic-state.ts';
import { changeTraffic, useTraffic, traffic } from './traffic-store.ts';
import { readNumber } from './number-ranges.ts';
import { exporting, stopExport } from './exports.ts';
import { HoldButton } from './HoldParts.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { clearView, showApp, showSequence, toggleLogins, togglePause } from './traffic-actions.ts';
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
import panel from '../../ui/panel.module.css';
import classes from './Traffic.module.css';

/** Moves the focus to the field when that is requested, and selects its text. */
function useAskedFocus(field: AskedField): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  const asked = useTraffic((state) => state.asked === field);
  useEffect(() => {
    if (!asked) return;
    input.current?.focus();
    input.current?.select();
    changeTraffic((state) => ({ ...state, asked: null }));
  }, [asked]);
  return input;
}

/** A field that opens the exchange with the number in a Grantbench-Exchange header. */
function GoToField({ onOpen }: { readonly onOpen: (number: number) => void }) {
  const input = useAskedFocus('number');
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState(false);
  const go = (event: SyntheticEvent) => {
    event.preventDefault();
    const number = readNumber(text);
    setWrong(number === null);
    if (number === null) return;
    setText('');
    onOpen(number);
  };
  return (
    <Box component="form" pos="relative" w={132} onSubmit={go}>
      <TextInput
        ref={input}
        aria-label="Go to exchange number"
        title={`The number in the Grantbench-Exchange header of a response (${keysOf('alt+G')})`}
        placeholder="Go to number"
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
  const progress = useStore(exporting, (state) => state.progress);
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

/** A button of the list's head: its word is shown where there is room. */
const TOOL = { variant: 'subtle', px: 'xs', classNames: { label: classes.tool } } as const;

function Pause() {
  const paused = useTraffic((state) => state.paused);
  const label = paused ? 'Follow the newest (P)' : 'Pause the list (P)';
  const Icon = paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Tooltip label={label}>
      <Button
        {...TOOL}
        variant={paused ? 'filled' : 'subtle'}
        aria-label="Pause the list"
        aria-pressed={paused}
        onClick={togglePause}
      >
        <Icon size="1.2em" aria-hidden="true" />
        <span className={classes.word}>Pause</span>
      </Button>
    </Tooltip>
  );
}

function ByLogin() {
  const pressed = useTraffic((state) => state.by_login);
  return (
    <Tooltip label={pressed ? 'List each exchange' : 'Group exchanges by login'}>
      <Button
        {...TOOL}
        variant={pressed ? 'filled' : 'subtle'}
        aria-label="Group by login"
        aria-pressed={pressed}
        onClick={toggleLogins}
      >
        <IconUserCheck size="1.2em" aria-hidden="true" />
        <span className={classes.word}>Logins</span>
      </Button>
    </Tooltip>
  );
}

function SinceConnected() {
  const known = useAppTraffic() !== null;
  return (
    <Tooltip label="Show what the app sent since it connected as a sequence">
      <Button {...TOOL} aria-label="Since the app connected" disabled={!known} onClick={showApp}>
        <IconPlugConnected size="1.2em" aria-hidden="true" />
        <span className={classes.word}>Since the app connected</span>
      </Button>
    </Tooltip>
  );
}

interface ControlsProps {
  readonly isEmpty: boolean;
  readonly onOpen: (number: number) => void;
}

/** Memoised, so that they do not render when the count changes. */
const Controls = memo(function Controls({ isEmpty, onOpen }: ControlsProps) {
  const selected = useTraffic((state) => state.selected);
  return (
    <>
      <Exporting />
      <GoToField onOpen={onOpen} />
      <HoldButton />
      <Pause />
      <ByLogin />
      <Tooltip label="Show the selected or listed exchanges as a sequence">
        <Button {...TOOL} aria-label="Show as sequence" disabled={isEmpty} onClick={showSequence}>
          <IconArrowsLeftRight size="1.2em" aria-hidden="true" />
          <span className={classes.word}>Sequence</span>
        </Button>
      </Tooltip>
      <SinceConnected />
      <Tooltip label="Clear from view; nothing is deleted">
        <Button {...TOOL} aria-label="Clear from view" disabled={isEmpty} onClick={clearView}>
          <IconEraser size="1.2em" aria-hidden="true" />
          <span className={classes.word}>Clear</span>
        </Button>
      </Tooltip>
      <ExportMenu
        numbers={selected.size > 1 ? [...selected] : null}
        tooltip="Export the selected or listed exchanges"
      >
        <Button {...TOOL} aria-label="Export" disabled={isEmpty}>
          <IconDownload size="1.2em" aria-hidden="true" />
          <span className={classes.word}>Export</span>
        </Button>
      </ExportMenu>
    </>
  );
});

interface ListHeadProps extends ControlsProps {
  readonly note: string | undefined;
}

export function ListHead({ note, ...props }: ListHeadProps) {
  return (
    <div className={classes.head}>
      <PanelHead title="Traffic" note={note}>
        <Controls {...props} />
      </PanelHead>
    </div>
  );
}

const MOST = 12;

const toggle = (column: Column, value: string) =>
  changeTraffic((state) => ({ ...state, filter: withValue(state.filter, column, value) }));

/** The values in the column when the menu opens. */
function ColumnValues({ column, filter }: { readonly column: Column; readonly filter: Filter }) {
  const wanted = filter.columns[column];
  const shown = traffic.getState().held ?? page.getState().exchanges;
  const facets = facetsOf(shown, column, wanted, MOST);
  if (facets.length === 0) return <Menu.Item disabled>None listed</Menu.Item>;
  return facets.map(({ value, count }) => (
    <Menu.CheckboxItem
      key={value}
      checked={wanted.includes(value)}
      onChange={() => toggle(column, value)}
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

/** The columns to filter by, each with the values that occur in it. */
function FilterMenu({ filter }: { readonly filter: Filter }) {
  return (
    <Menu position="bottom-start" closeOnItemClick={false}>
      <Menu.Target>
        <Button leftSection={<IconFilter />}>Filter</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {COLUMNS.map((column) => (
          <Menu.Sub key={column}>
            <Menu.Sub.Target>
              <Menu.Sub.Item>{COLUMN_NAMES[column]}</Menu.Sub.Item>
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

const set = (how: (filter: Filter) => Filter) =>
  changeTraffic((state) => ({ ...state, filter: how(state.filter) }));

/** Rejections are what people look for most, so one click filters by them. */
const REFUSED = ['4xx', '5xx'] as const;

function onlyRefused(filter: Filter): Filter {
  const { status } = filter.columns;
  const on = REFUSED.every((value) => status.includes(value));
  return { ...filter, columns: { ...filter.columns, status: on ? [] : [...REFUSED] } };
}

function Chips({ filter }: { readonly filter: Filter }) {
  return COLUMNS.flatMap((column) =>
    filter.columns[column].map((value) => (
      <Button
        key={`${column} ${value}`}
        radius="xl"
        rightSection={<IconX size={12} aria-hidden="true" />}
        aria-label={`Remove filter: ${COLUMN_NAMES[column]} ${valueWords(column, value)}`}
        onClick={() => set((now) => withValue(now, column, value))}
      >
        <Text span inherit mr={6} c="dimmed">
          {COLUMN_NAMES[column]}
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
  const refused = REFUSED.every((value) => filter.columns.status.includes(value));
  return (
    <Group
      className={panel.bar}
      gap="xs"
      px="md"
      py="xs"
      role="search"
      aria-label="Filter exchanges"
    >
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
        variant={refused ? 'filled' : 'default'}
        aria-pressed={refused}
        onClick={() => set(onlyRefused)}
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
    </Group>
  );
});
