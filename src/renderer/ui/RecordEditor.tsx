import { Button } from '@mantine/core';
import { IconCopyPlus, IconTrash, IconX } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { hrefOf, navigate, type View, copyItem } from '../navigation/route.ts';
import { PanelHead } from './panel.tsx';
import classes from './split.module.css';
import { useNeed } from './use-need.ts';
import { IconButton } from './buttons.tsx';

interface RecordEditorProps {
  readonly view: View;
  /** The kind of record: "client". */
  readonly kind: string;
  /** The key of the record; null for a new one. */
  readonly name: string | null;
  /** The display name of the record, if that is not its key. */
  readonly title?: string | null;
  /** Resolves to whether the record was deleted. */
  readonly onDelete: () => Promise<boolean>;
  readonly children: ReactNode;
}

/** The pane beside a list that creates, edits, duplicates and deletes a record. */
export function RecordEditor(props: RecordEditorProps) {
  const { view, kind, name, title = null, onDelete, children } = props;
  const close = () => navigate(view);
  const needs = useNeed('connection');
  const fresh = `New ${kind}`;
  const label =
    name === null ? fresh : `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${title ?? name}`;
  const heading = title ?? <span className="mono">{name}</span>;
  return (
    <section className={classes.editor} aria-label={label}>
      <PanelHead title={name === null ? fresh : heading}>
        {name !== null && (
          <>
            <Button
              variant="subtle"
              leftSection={<IconCopyPlus />}
              onClick={() => void navigate(view, copyItem(name))}
            >
              Duplicate
            </Button>
            <Button
              variant="subtle"
              color="bad"
              leftSection={<IconTrash />}
              onClick={() => void onDelete().then((deleted) => deleted && close())}
              {...needs}
            >
              Delete
            </Button>
          </>
        )}
        <IconButton
          label="Close the editor"
          tip="Close"
          icon={IconX}
          onClick={() => void close()}
        />
      </PanelHead>
      {children}
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
