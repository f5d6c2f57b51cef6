import { Button, Menu } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { page } from '../../connection/state.ts';
import {
  COLUMN_NAMES,
  COLUMNS,
  facetsOf,
  valueWords,
  withValue,
  type Column,
  type Filter,
} from './filter.ts';
import classes from './Traffic.module.css';
import { changeTraffic, traffic } from './traffic-store.ts';

const MOST = 12;

const toggle = (column: Column, value: string) =>
  changeTraffic((state) => ({ ...state, filter: withValue(state.filter, column, value) }));

/** What the column holds as the menu opens. */
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
      rightSection={<span className={classes.count}>{count.toLocaleString('en')}</span>}
    >
      {valueWords(column, value)}
    </Menu.CheckboxItem>
  ));
}

/** The columns to filter by, and in each the values that occur. */
export function FilterMenu({ filter }: { readonly filter: Filter }) {
  return (
    <Menu position="bottom-start" closeOnItemClick={false}>
      <Menu.Target>
        <Button leftSection={<IconFilter size="1.1em" aria-hidden="true" />}>Filter</Button>
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
