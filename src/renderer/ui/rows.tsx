// The rows of a list that can be edited: each with the button that removes it, and below them the one that adds a row.

import { Button, Stack, type MantineSpacing, type StyleProp } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { IconButton } from './buttons.tsx';

export interface RowsProps<T> {
  readonly items: readonly T[];
  /** Names one row: "header". */
  readonly what: string;
  readonly onAdd: () => void;
  readonly onRemove: (index: number) => void;
  /** The name of a row that has one of its own; the others have a number. */
  readonly nameOf?: (item: T) => string;
  /** How many rows there may be. */
  readonly most?: number | undefined;
  readonly gap?: MantineSpacing | undefined;
  /** The space above a row's button, which aligns it with the inputs. */
  readonly above?: StyleProp<MantineSpacing> | undefined;
  /** A problem of the list itself, such as that it is empty. */
  readonly problem?: ReactNode;
  /** @param remove the button that removes the row @param name the row's own name, or its number */
  readonly children: (item: T, index: number, remove: ReactNode, name: string) => ReactNode;
}

/** Moves the focus to an added row, and keeps it in the list when a row is removed. */
export function Rows<T>(props: RowsProps<T>) {
  const { items, what, onAdd, onRemove, nameOf, most = Infinity, problem, children } = props;
  const { gap = 'sm', above = 2 } = props;
  const list = useRef<HTMLDivElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    const row = list.current?.children[Math.min(wanted.current, items.length - 1)];
    (row?.querySelector('input') ?? add.current)?.focus();
    wanted.current = null;
  }, [items.length]);
  const remove = (index: number, name: string) => (
    <IconButton
      label={`Remove ${name}`}
      tip="Remove"
      icon={IconTrash}
      mt={above}
      onClick={() => {
        wanted.current = index;
        onRemove(index);
      }}
    />
  );
  return (
    <>
      {items.length > 0 && (
        <Stack role="list" gap={gap} ref={list} aria-label={`${what}s`}>
          {items.map((item, index) => {
            const name = nameOf?.(item) || `${what} ${index + 1}`;
            return (
              // The index is the key, because rows can be equal and change while the user types.
              <div role="listitem" key={index}>
                {children(item, index, remove(index, name), name)}
              </div>
            );
          })}
        </Stack>
      )}
      {problem}
      <Button
        ref={add}
        mr="auto"
        leftSection={<IconPlus />}
        disabled={items.length >= most}
        onClick={() => {
          wanted.current = items.length;
          onAdd();
        }}
      >
        Add {what}
      </Button>
    </>
  );
}
