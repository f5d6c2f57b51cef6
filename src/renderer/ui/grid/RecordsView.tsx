import { Button } from '@mantine/core';
import { IconPlus, type Icon } from '@tabler/icons-react';
import { useState, type MouseEvent, type ReactNode } from 'react';
import { copyItem, goTo, hrefOf, navigate, NEW_ITEM } from '../../navigation/route.ts';
import { copyText } from '../notify.tsx';
import { EmptyState, PanelHead } from '../panel.tsx';
import { capitalized } from '../../../words.ts';
import {
  RecordEditor,
  useLast,
  useOpened,
  useReturnedFocus,
  type RecordKind,
} from '../RecordEditor.tsx';
import split from '../split.module.css';
import { filtered, useSorting } from './arrange.ts';
import { FilterField, NoMatch } from './FilterField.tsx';
import { GridTable, useShownRows, type Column } from './GridTable.tsx';
import { openRowMenu, type RowAction } from './row-menu.tsx';
import table from './table.module.css';

interface RecordsViewProps<T, D, K extends string> {
  readonly of: RecordKind<T, D>;
  /** The route's item. */
  readonly item: string | null;
  /** Newest first. */
  readonly records: readonly T[];
  /** What the records are: "The apps that may request tokens". */
  readonly note: string;
  /** The label of the button that adds a record. */
  readonly add: string;
  /** Buttons beside it. */
  readonly beside?: ReactNode;
  readonly icon: Icon;
  /** What a record is for, shown while there is none. */
  readonly about: string;
  /** The name of the records' key: "client_id". */
  readonly keyName: string;
  readonly columns: readonly Column<K>[];
  /** The value that each column is sorted by. */
  readonly ranks: Readonly<Record<K, (record: T) => string | number>>;
  readonly textOf: (record: T) => string;
  /** A record's cells. @param linked makes the link that opens the record */
  readonly cells: (record: T, linked: (content: ReactNode) => ReactNode) => ReactNode;
  /** Further actions of a record's menu. */
  readonly actions?: (record: T) => readonly RowAction[];
  /** The form of the open record, or of a new one. */
  readonly form: (record: T | null, start: D) => ReactNode;
}

export function RecordsView<T, D, K extends string>(props: RecordsViewProps<T, D, K>) {
  const { of, item, records, note, beside, icon, about, textOf, form } = props;
  const { view } = of;
  const list = useReturnedFocus(view, item);
  const [text, setText] = useState('');
  const { open, draft } = useOpened(of, item, records);
  const editing = open !== null || draft !== null;
  const shown = filtered(records, text, textOf);
  const none = records.length === 0;
  const title = capitalized(view);
  const add = (
    <Button
      variant={editing ? 'default' : 'filled'}
      leftSection={<IconPlus />}
      onClick={() => void navigate(view, NEW_ITEM)}
    >
      {props.add}
    </Button>
  );
  return (
    <div className={split.view} data-open={editing || undefined}>
      <section className={split.list} aria-label={title} ref={list}>
        <PanelHead title={title} note={note}>
          {!none && <FilterField what={view} text={text} onText={setText} />}
          {beside}
          {!none && add}
        </PanelHead>
        {none ? (
          <EmptyState
            icon={icon}
            title={`No ${view}`}
            text={about}
            {...(editing ? {} : { action: add })}
          />
        ) : (
          <>
            <RecordTable {...props} records={shown} open={open} />
            {shown.length === 0 && <NoMatch what={view} text={text} />}
          </>
        )}
      </section>
      {editing && (
        <RecordEditor key={item} of={of} record={open} draft={draft}>
          {(start) => form(open, start)}
        </RecordEditor>
      )}
    </div>
  );
}

function RecordTable<T, D, K extends string>(
  props: RecordsViewProps<T, D, K> & { readonly open: T | null },
) {
  const { of, records, columns, ranks, keyName, cells, actions, open } = props;
  const { view, kind, keyOf, remove } = of;
  const { heads, sorted } = useSorting(ranks);
  const { shown, more } = useShownRows();
  // Keeps its row when it is closed, since the focus returns there.
  const last = useLast(open && keyOf(open));
  const drawn = sorted(records).filter((record, at) => at < shown || keyOf(record) === last);
  const menuOf = (record: T): readonly RowAction[] => {
    const key = keyOf(record);
    const copy = () => copyText(key, `The ${keyName} was not copied.`, () => key);
    return [
      { title: 'Edit', run: () => navigate(view, key) },
      { title: 'Duplicate', run: () => navigate(view, copyItem(key)) },
      { title: `Copy ${keyName}`, run: copy },
      ...(actions?.(record) ?? []),
      { title: 'Delete', needs: 'connection', danger: true, run: () => remove(record) },
    ];
  };
  return (
    <div className={split.scroll}>
      <GridTable name={view} columns={columns} least={320} {...heads}>
        {drawn.map((record) => {
          const key = keyOf(record);
          const current = record === open || undefined;
          const linked = (content: ReactNode) => (
            <a className={table.name} href={hrefOf(view, key)} aria-current={current}>
              {content}
            </a>
          );
          const openMenu = (event: MouseEvent) => {
            const menu = { label: `${capitalized(kind)} ${key}`, actions: menuOf(record) };
            openRowMenu(event, event.currentTarget, menu);
          };
          return (
            <tr
              key={key}
              className={table.opens}
              data-open={current}
              onClick={goTo(view, key)}
              onContextMenu={openMenu}
            >
              {cells(record, linked)}
            </tr>
          );
        })}
      </GridTable>
      {more(records.length - drawn.length)}
    </div>
  );
}
