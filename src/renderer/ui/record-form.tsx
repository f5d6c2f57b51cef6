// A form for one record. It validates a field when it loses focus, keeps what was typed when saving fails, shows the
// engine's rejection at the field it names, and moves the focus to the first field with an error.

import { Button, Group, Modal, SimpleGrid, Stack } from '@mantine/core';
import { useForm, type FormErrors, type UseFormReturnType } from '@mantine/form';
import { useEffect, useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { fieldOf, membersOf } from '../../control/fields.ts';
import type { z } from '../../control/zod.ts';
import { problemOf } from '../connection/control.ts';
import { useObstacle } from '../connection/reach.ts';
import { confirmDiscard, useUnsavedGuard } from './confirm.ts';
import { navigate, type View } from '../navigation/route.ts';
import classes from './form.module.css';
import { notifyFailure } from './notify.tsx';
import { problemSentence } from './problems.ts';
import { Rows, type RowsProps } from './rows.tsx';
import { useNeed } from './use-need.ts';
import { Hint } from './panel.tsx';
import panel from './panel.module.css';

interface RecordFormOptions<V, R> {
  readonly initial: V;
  /** Messages by field path (`redirect_uris.0`); empty if all is valid. */
  readonly validate: (values: V) => FormErrors;
  readonly save: (values: V) => Promise<R>;
  /** Shown if the engine's rejection names no field: "The client was not saved." */
  readonly failure: string;
  /** Members that are empty once they are saved, such as a password. */
  readonly emptied?: Partial<V>;
  /** Called after saving, with its result, when the form has no edits. */
  readonly onSaved?: (saved: R) => void;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Finds the field by the end of a path: `settings.throttle.limit`, `clients.0.client_id`. */
function pathOf(path: string, values: object): string | null {
  const parts = path.split('.');
  const start = parts.findIndex((part) => Object.hasOwn(values, part));
  if (start < 0) return null;
  const field: string[] = [];
  let at: unknown = values;
  for (const part of parts.slice(start)) {
    if (!isRecord(at) || (!Array.isArray(at) && !Object.hasOwn(at, part))) break;
    field.push(part);
    at = at[part];
  }
  return field.join('.');
}

/** A value that the engine rejected. The message stays at its field until the value changes. */
interface Rejected {
  readonly field: string;
  readonly value: unknown;
  readonly message: string;
}

const valueAt = (values: object, field: string): unknown =>
  field.split('.').reduce<unknown>((at, part) => (isRecord(at) ? at[part] : undefined), values);

const stillRejected = (rejected: Rejected | null, values: object): FormErrors =>
  rejected !== null && valueAt(values, rejected.field) === rejected.value
    ? { [rejected.field]: rejected.message }
    : {};

/**
 * The members that were edited. Not `form.isDirty`: once a field was edited and restored, that overlooks the items added
 * to a list or removed.
 */
function editsOf<V extends Record<string, unknown>>(form: UseFormReturnType<V>): Partial<V> {
  const initial = form.getInitialValues();
  return Object.fromEntries(
    Object.entries(form.getValues()).filter(([name, value]) => !same(value, initial[name])),
  ) as Partial<V>;
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The edited members whose saved value has changed since the first edit, to something else than what was typed. */
export const changedElsewhere = (
  edits: Readonly<Record<string, unknown>>,
  former: Readonly<Record<string, unknown>>,
  saved: Readonly<Record<string, unknown>>,
): string[] =>
  Object.entries(edits)
    .filter(([name, edit]) => !same(saved[name], former[name]) && !same(saved[name], edit))
    .map(([name]) => name);

export function useRecordForm<V extends Record<string, unknown>, R>(
  options: RecordFormOptions<V, R>,
) {
  const { initial, validate, save, failure, emptied, onSaved } = options;
  const [busy, setBusy] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const element = useRef<HTMLFormElement>(null);
  const rejected = useRef<Rejected | null>(null);
  const form = useForm<V>({
    initialValues: initial,
    validate: (values) => ({ ...validate(values), ...stillRejected(rejected.current, values) }),
    validateInputOnBlur: true,
  });

  useEffect(() => {
    if (refusals === 0) return;
    const field = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.focus();
    // Some browsers ignore the scroll margin, which leaves space for the message, when they scroll to a focused field.
    field?.scrollIntoView({ block: 'nearest' });
  }, [refusals]);

  const reject = (error: unknown) => {
    const problem = problemOf(error);
    const { field } = problem;
    const known = field === null ? null : pathOf(field, form.getValues());
    if (known === null) notifyFailure(failure, error);
    else {
      const message = problemSentence(problem);
      rejected.current = { field: known, value: valueAt(form.getValues(), known), message };
      form.setErrors((errors) => ({ ...errors, [known]: message }));
    }
    setRefusals((count) => count + 1);
  };

  const saveChecked = async (values: V) => {
    setBusy(true);
    try {
      const saved = await save(values);
      form.setInitialValues({ ...values, ...emptied });
      if (emptied !== undefined) form.setValues(emptied);
      onSaved?.(saved);
    } catch (error) {
      reject(error);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    // A value that was rejected may be valid by now.
    rejected.current = null;
    form.onSubmit(saveChecked, () => setRefusals((count) => count + 1))(event);
  };
  const edits = editsOf(form);
  return { form, edits, dirty: Object.keys(edits).length > 0, busy, submit, element };
}

interface SavedRecord {
  /** The saved record; null for a new one. When it changes, the fields without edits take its values. */
  readonly record: object | null;
  /** Has the labels of its members. */
  readonly schema: z.core.$ZodType;
}

const labelIn = (schema: z.core.$ZodType | undefined) => (name: string) => {
  const member = schema && membersOf(schema)[name];
  return (member && fieldOf(member).label) || name;
};

/** The form of a saved record that may change elsewhere, with a notice of the edits that would overwrite that. */
function useSavedRecordForm<V extends Record<string, unknown>, R>({
  record = null,
  schema,
  ...options
}: RecordFormOptions<V, R> & Partial<SavedRecord>) {
  const used = useRecordForm(options);
  const { form, edits, dirty } = used;
  const saved = form.getInitialValues();
  /** The saved values before the first edit. */
  const [former, setFormer] = useState(saved);
  if (!dirty && former !== saved) setFormer(saved);
  useEffect(() => {
    if (record === null) return;
    const edited = editsOf(form);
    form.setInitialValues(options.initial);
    if (dirty) form.setValues({ ...options.initial, ...edited });
    else form.reset();
    // Only a change of the record itself may replace the form's values.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [record]);
  const changed = changedElsewhere(edits, former, saved);
  const notice = changed.length > 0 && (
    <Group className={panel.foot} gap="xs" px="md" py="xs" role="status">
      <Hint flex={1}>
        {`Changed elsewhere: ${changed.map(labelIn(schema)).join(', ')}. Saving keeps your edits.`}
      </Hint>
      <Button variant="subtle" onClick={() => changed.forEach(form.resetField)}>
        Take theirs
      </Button>
    </Group>
  );
  return { ...used, notice };
}

interface RecordFormProps<V extends Record<string, unknown>>
  extends Omit<RecordFormOptions<V, string>, 'onSaved'>, SavedRecord {
  readonly view: View;
  /** Names the record in the question whether to discard its edits. */
  readonly name: string;
  /** Resolves to the key of the record. */
  readonly save: (values: V) => Promise<string>;
  /** The footer's text while there are no edits. */
  readonly idleText?: string | undefined;
  readonly children: (form: UseFormReturnType<V>) => ReactNode;
}

/** A record's form in its editor: groups of fields that scroll above the buttons. Opens a record that was added. */
export function RecordForm<V extends Record<string, unknown>>(props: RecordFormProps<V>) {
  const { view, name, idleText, children, ...options } = props;
  const { record } = options;
  const { form, dirty, busy, submit, element, notice } = useSavedRecordForm({
    ...options,
    onSaved: (key) => {
      release();
      if (record === null) void navigate(view, key);
    },
  });
  const [existed] = useState(record !== null);
  const deleted = existed && record === null;
  const release = useUnsavedGuard(dirty || deleted, name);
  const close = () => {
    release();
    void navigate(view);
  };
  return (
    <form className={classes.form} onSubmit={submit} ref={element} noValidate>
      <Stack className={classes.fields} gap="lg" flex={1} mih={0} p="md">
        {children(form)}
      </Stack>
      {notice}
      <FormFooter
        {...{ dirty, busy, deleted, idleText }}
        onDiscard={deleted ? close : form.reset}
      />
    </form>
  );
}

interface RecordDialogProps<V>
  extends Omit<RecordFormOptions<V, unknown>, 'onSaved'>, Partial<SavedRecord> {
  readonly title: string;
  readonly onClose: () => void;
  /** Whether the record was deleted while it was open. */
  readonly deleted?: boolean;
  /** The footer's text while there are no edits. */
  readonly idleText?: string | undefined;
  readonly children: (form: UseFormReturnType<V>) => ReactNode;
}

/** A small record's form in a dialog, which closes once it is saved. Closing it with unsaved edits asks first. */
export function RecordDialog<V extends Record<string, unknown>>(props: RecordDialogProps<V>) {
  const { title, onClose, deleted = false, idleText, children, ...options } = props;
  const { form, dirty, busy, submit, element, notice } = useSavedRecordForm({
    ...options,
    onSaved: onClose,
  });
  useUnsavedGuard(dirty);
  const close = async () => {
    if (!dirty || (await confirmDiscard())) onClose();
  };
  return (
    <Modal opened onClose={() => void close()} title={title} styles={{ body: { padding: 0 } }}>
      <form onSubmit={submit} ref={element} noValidate>
        <Stack gap="sm" px="md" pt="xs" pb="md">
          {children(form)}
        </Stack>
        {notice}
        <FormFooter
          {...{ dirty, busy, deleted, idleText }}
          onDiscard={deleted ? onClose : form.reset}
        />
      </form>
    </Modal>
  );
}

interface FormFooterProps {
  readonly dirty: boolean;
  readonly busy: boolean;
  /** Whether saving creates the record again. */
  readonly deleted: boolean;
  readonly onDiscard: () => void;
  /** The text while there are no edits; by default, that there is nothing to save. */
  readonly idleText?: string | undefined;
}

/** The bar below a form: whether there are edits, Discard, Save, which does nothing while there is nothing to save. */
function FormFooter({ dirty, busy, deleted, onDiscard, idleText }: FormFooterProps) {
  const idle = !dirty && !deleted && idleText === undefined;
  const needs = useNeed('connection');
  const why = useObstacle('connection');
  const held = idle ? { 'aria-disabled': true as const } : needs;
  return (
    <Group className={panel.foot} gap="xs" wrap="nowrap" h="var(--bar)" px="md" bg="var(--surface)">
      <Hint flex={1} role="status">
        {deleted ? 'Deleted elsewhere' : dirty ? 'Unsaved edits' : (idleText ?? 'Nothing to save')}
        {dirty && why !== null && `. ${why}`}
      </Hint>
      <Button variant="subtle" disabled={!dirty && !deleted} onClick={onDiscard}>
        Discard
      </Button>
      <Button
        type="submit"
        variant={idle ? 'default' : 'filled'}
        loading={busy}
        // A field that loses the focus may get a message, which moves the button before the click ends.
        onMouseDown={(event) => event.preventDefault()}
        {...held}
      >
        {deleted ? 'Create again' : 'Save'}
      </Button>
    </Group>
  );
}

/** Fields beside each other, as many as there is room for. */
export const FieldGrid = SimpleGrid.withProps({
  minColWidth: '11rem',
  autoFlow: 'auto-fit',
  spacing: 'sm',
});

interface ItemRowsProps<T> extends Pick<RowsProps<T>, 'items' | 'what' | 'most' | 'gap' | 'above'> {
  readonly form: {
    readonly errors: FormErrors;
    readonly insertListItem: (path: string, item: unknown) => void;
    readonly removeListItem: (path: string, index: number) => void;
  };
  /** The list in the form: `redirect_uris`. */
  readonly path: string;
  /** The value of an added item. */
  readonly blank: T;
  readonly children: (index: number, remove: ReactNode) => ReactNode;
}

export const ItemRows = <T,>({ form, path, blank, children, ...rows }: ItemRowsProps<T>) => (
  <Rows
    {...rows}
    onAdd={() => form.insertListItem(path, blank)}
    onRemove={(index) => form.removeListItem(path, index)}
    problem={
      typeof form.errors[path] === 'string' && <Hint c="var(--bad)">{form.errors[path]}</Hint>
    }
  >
    {(_, index, remove) => children(index, remove)}
  </Rows>
);
