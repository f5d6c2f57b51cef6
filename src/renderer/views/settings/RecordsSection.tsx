import { Button, Text } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { z } from '../../../control/zod.ts';
import { IconButton } from '../../ui/buttons.tsx';
import { Heads } from '../../ui/grid/GridTable.tsx';
import table from '../../ui/grid/table.module.css';
import { RecordDialog } from '../../ui/record-form.tsx';
import { Section } from './Section.tsx';

interface RecordsSectionProps<T, V extends Record<string, unknown>> {
  readonly title: string;
  readonly about: string;
  /** The label of the button that adds a record. */
  readonly add: string;
  /** Shown while there is no record. */
  readonly empty: string;
  readonly heads: readonly string[];
  readonly records: readonly T[];
  /** The identifier, which names the record in its buttons. */
  readonly nameOf: (record: T) => string;
  /** One text for each head. The first is a name, the others are code. */
  readonly cells: (record: T) => readonly string[];
  readonly onDelete: (record: T) => Promise<unknown>;
  // The dialog that edits a record, or a new one for null.
  readonly schema: z.core.$ZodType;
  readonly dialogTitle: (record: T | null) => string;
  readonly draftOf: (record: T | null) => V;
  readonly validate: (draft: V) => FormErrors;
  readonly save: (record: T | null, draft: V) => Promise<void>;
  readonly failure: string;
  readonly fields: (form: UseFormReturnType<V>, isNew: boolean) => ReactNode;
}

export function RecordsSection<T, V extends Record<string, unknown>>(
  props: RecordsSectionProps<T, V>,
) {
  const { title, about, add, empty, heads, records, nameOf, cells, onDelete } = props;
  const [editing, setEditing] = useState<T | 'new' | null>(null);
  const opened = editing === 'new' ? null : editing;
  const edited = records.find((one) => opened !== null && nameOf(one) === nameOf(opened)) ?? null;
  return (
    <Section
      title={title}
      about={about}
      action={
        <Button variant="filled" leftSection={<IconPlus />} onClick={() => setEditing('new')}>
          {add}
        </Button>
      }
    >
      {records.length === 0 ? (
        <Text p="lg" ta="center" c="dimmed">
          {empty}
        </Text>
      ) : (
        <table className={table.table}>
          <Heads names={heads} actions />
          <tbody>
            {records.map((record) => {
              const name = nameOf(record);
              const [first, ...others] = cells(record);
              return (
                <tr key={name}>
                  <td className={table.short} title={first}>
                    {first}
                  </td>
                  {others.map((text, index) => (
                    <td
                      key={index}
                      className={index < others.length - 2 ? table.short : table.cut}
                      title={text}
                    >
                      <code className={index > 0 ? table.muted : undefined}>{text}</code>
                    </td>
                  ))}
                  <td>
                    <span className={table.actions}>
                      <IconButton
                        label={`Edit ${name}`}
                        tip="Edit"
                        icon={IconPencil}
                        onClick={() => setEditing(record)}
                      />
                      <IconButton
                        label={`Delete ${name}`}
                        tip="Delete"
                        icon={IconTrash}
                        color="bad"
                        needs="connection"
                        onClick={() => void onDelete(record)}
                      />
                    </span>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {editing !== null && (
        <RecordDialog
          title={props.dialogTitle(opened)}
          record={edited}
          schema={props.schema}
          initial={props.draftOf(edited ?? opened)}
          validate={props.validate}
          save={(draft) => props.save(edited, draft)}
          failure={props.failure}
          onClose={() => setEditing(null)}
          deleted={opened !== null && edited === null}
          idleText={opened === null ? 'Not added yet' : undefined}
        >
          {(form) => props.fields(form, edited === null)}
        </RecordDialog>
      )}
    </Section>
  );
}
