import { Button } from '@mantine/core';
import { IconCopyPlus, IconTrash, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { capitalized } from '../../words.ts';
import { copyItem, draftFor, hrefOf, isHeld, navigate, type View } from '../navigation/route.ts';
import { PanelHead } from './panel.tsx';
import classes from './split.module.css';
import { ActionButton, IconButton } from './buttons.tsx';

/** What a view and its editor know about a kind of record. */
export interface RecordKind<T, D> {
  readonly view: View;
  /** "client" */
  readonly kind: string;
  readonly keyOf: (record: T) => string;
  /** The display name of a record, if that is not its key. */
  readonly titleOf?: (record: T) => string;
  /** The form's values for a new record, a copy and a saved record. */
  readonly create: () => D;
  readonly duplicate: (record: T, records: readonly T[]) => D;
  readonly draftOf: (record: T) => D;
  /** Resolves to whether the record was deleted. */
  readonly remove: (record: T) => Promise<boolean>;
}

/** The record as it was before it became null. */
export function useLast<T>(record: T | null): T | null {
  const [last, setLast] = useState(record);
  if (record !== null && record !== last) setLast(record);
  return last;
}

/** The open record, or else the draft of a new one: a record that was deleted elsewhere stays as one while it has edits. */
export function useOpened<T, D>(
  of: RecordKind<T, D>,
  item: string | null,
  records: readonly T[],
): { readonly open: T | null; readonly draft: (() => D) | null } {
  const open = records.find((record) => of.keyOf(record) === item) ?? null;
  const last = useLast(open);
  const deleted = open === null && last !== null && of.keyOf(last) === item && isHeld();
  return { open, draft: deleted ? () => of.draftOf(last) : draftFor(item, records, of) };
}

interface RecordEditorProps<T, D> {
  readonly of: RecordKind<T, D>;
  /** The record being edited; null for a new one. */
  readonly record: T | null;
  /** The initial values of a new record. */
  readonly draft: (() => D) | null;
  /** Its form. @param start the initial values */
  readonly children: (start: D) => ReactNode;
}

export function RecordEditor<T, D>({ of, record, draft, children }: RecordEditorProps<T, D>) {
  const { view, kind, keyOf, titleOf, draftOf, remove } = of;
  const [initial] = useState(() => draft?.() ?? null);
  const deleted = useLast(record);
  const close = () => navigate(view);
  const start = record === null ? (initial ?? draft?.() ?? null) : draftOf(record);
  if (start === null) return null;
  const title = titleOf ?? keyOf;
  const fresh = deleted === null ? `New ${kind}` : `Deleted ${kind} ${title(deleted)}`;
  const name = record === null ? fresh : title(record);
  return (
    <section
      className={classes.editor}
      aria-label={record === null ? fresh : `${capitalized(kind)} ${name}`}
    >
      <PanelHead
        title={
          record !== null && titleOf === undefined ? <span className="mono">{name}</span> : name
        }
      >
        {record !== null && (
          <>
            <Button
              variant="subtle"
              leftSection={<IconCopyPlus />}
              onClick={() => void navigate(view, copyItem(keyOf(record)))}
            >
              Duplicate
            </Button>
            <ActionButton
              variant="subtle"
              color="bad"
              leftSection={<IconTrash />}
              onClick={() => void remove(record).then((deleted) => deleted && close())}
              needs="connection"
            >
              Delete
            </ActionButton>
          </>
        )}
        <IconButton
          label="Close the editor"
          tip="Close"
          icon={IconX}
          onClick={() => void close()}
        />
      </PanelHead>
      {children(start)}
    </section>
  );
}

/** Returns the focus to the row that opened an editor, once the editor is closed. */
export function useReturnedFocus(view: View, item: string | null): RefObject<HTMLElement | null> {
  const list = useRef<HTMLElement>(null);
  const before = useRef(item);
  useEffect(() => {
    const left = before.current;
    before.current = item;
    if (left === null || item !== null) return;
    const row = list.current?.querySelector<HTMLElement>(`a[href="${hrefOf(view, left)}"]`);
    (row ?? list.current?.querySelector('button'))?.focus();
  }, [view, item]);
  return list;
}
