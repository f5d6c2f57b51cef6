import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import table from '../../ui/grid/table.module.css';
import { useNeed } from '../../ui/use-need.ts';

interface RecordActionsProps {
  /** What the record is called: "ada". */
  readonly name: string;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

export function RecordActions({ name, onEdit, onDelete }: RecordActionsProps) {
  const needs = useNeed('connection');
  return (
    <span className={table.actions}>
      <Tooltip label="Edit">
        <ActionIcon aria-label={`Edit ${name}`} onClick={onEdit}>
          <IconPencil size="1.1em" />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Delete">
        <ActionIcon color="bad" aria-label={`Delete ${name}`} onClick={onDelete} {...needs}>
          <IconTrash size="1.1em" />
        </ActionIcon>
      </Tooltip>
    </span>
  );
}
