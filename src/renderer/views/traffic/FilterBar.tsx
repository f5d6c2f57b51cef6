import { Button, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { memo } from 'react';
import {
  COLUMN_NAMES,
  COLUMNS,
  isFiltered,
  NO_FILTER,
  valueWords,
  withValue,
  type Filter,
} from './filter.ts';
import { FilterMenu } from './FilterMenu.tsx';
import { focusGrid } from './grid.ts';
import classes from './Traffic.module.css';
import { changeTraffic, useTraffic } from './traffic-store.ts';
import { useAskedFocus } from './use-asked-focus.ts';

const set = (how: (filter: Filter) => Filter) =>
  changeTraffic((state) => ({ ...state, filter: how(state.filter) }));

/** Refusals are what one comes for: one click away. */
const REFUSED = ['4xx', '5xx'] as const;

function onlyRefused(filter: Filter): Filter {
  const { status } = filter.columns;
  const on = REFUSED.every((value) => status.includes(value));
  return { ...filter, columns: { ...filter.columns, status: on ? [] : [...REFUSED] } };
}

function Chips({ filter }: { readonly filter: Filter }) {
  return COLUMNS.flatMap((column) =>
    filter.columns[column].map((value) => (
      <button
        key={`${column} ${value}`}
        type="button"
        className={classes.chip}
        aria-label={`Remove filter: ${COLUMN_NAMES[column]} ${valueWords(column, value)}`}
        onClick={() => set((now) => withValue(now, column, value))}
      >
        <span className={classes.column}>{COLUMN_NAMES[column]}</span>
        {valueWords(column, value)}
        <IconX aria-hidden="true" />
      </button>
    )),
  );
}

/** Leaves the field for the list, its text given up or kept. */
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
    <div className={classes.filters} role="search" aria-label="Filter exchanges">
      <TextInput
        ref={input}
        className={classes.text}
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
    </div>
  );
});
