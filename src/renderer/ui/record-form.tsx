// A form for one record. It validates a field when it loses focus, keeps what was typed when saving fails, shows the
// engine's rejection at the field it names, and moves the focus to the first field with an error.

import { Button, Group, Modal, Stack } from '@mantine/core';
import { useForm, type FormErrors, type UseFormReturnType } from '@mantine/form';
import {
  useEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
} from 'react';
import { problemOf } from '../connection/control.ts';
import { useObstacle } from '../connection/reach.ts';
import { confirmDiscard, useUnsavedGuard } from './confirm.tsx';
import classes from './form.module.css';
import { notifyFailure } from './notify.tsx';
import { problemSentence } from './problems.ts';
import { useNeed } from './use-need.ts';
import { Hint } from './panel.tsx';
import panel from './panel.module.css';

interface RecordFormOptions<V> {
  readonly initial: V;
  /** Messages by field path (`redirect_uris.0`); empty if all is valid. */
  readonly validate: (values: V) => FormErrors;
  readonly save: (values: V) => Promise<void>;
  /** Shown if the engine's rejection names no field: "The client was not saved." */
  readonly failure: string;
  /** Called after saving, when the form has no edits. */
  readonly onSaved?: (values: V) => void;
}

export interface RecordFormState<V> {
  readonly form: UseFormReturnType<V>;
  readonly busy: boolean;
  readonly submit: (event: SyntheticEvent<HTMLFormElement>) => void;
  readonly element: RefObject<HTMLFormElement | null>;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Finds the field by the end of a path: `settings.throttle.limit`, `clients.0.client_id`. */
function fieldOf(path: string, values: object): string | null {
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

export function useRecordForm<V extends Record<string, unknown>>(
  options: RecordFormOptions<V>,
): RecordFormState<V> {
  const { initial, validate, save, failure } = options;
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
    const known = field === null ? null : fieldOf(field, form.getValues());
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
      await save(values);
      form.setInitialValues(values);
      form.resetDirty(values);
      options.onSaved?.(values);
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
  return { form, busy, submit, element };
}

interface RecordFormProps<V extends Record<string, unknown>> {
  readonly state: RecordFormState<V>;
  /** The saved record. When it changes, a form without edits takes its values. */
  readonly record: object | null;
  readonly start: V;
  /** The footer's text while there are no edits. */
  readonly calm?: string | undefined;
  readonly children: ReactNode;
}

/** A record's form in its editor: groups of fields that scroll above the buttons. */
export function RecordForm<V extends Record<string, unknown>>(props: RecordFormProps<V>) {
  const { state, record, start, calm, children } = props;
  const { form, busy, submit, element } = state;
  useEffect(() => {
    if (form.isDirty()) return;
    form.setInitialValues(start);
    form.reset();
    // Only a change of the record itself may replace the form's values.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [record]);
  return (
    <form className={classes.form} onSubmit={submit} ref={element} noValidate>
      <Stack className={classes.fields} gap="lg" flex={1} mih={0} p="md">
        {children}
      </Stack>
      <FormFooter dirty={form.isDirty()} busy={busy} onDiscard={form.reset} calm={calm} />
    </form>
  );
}

interface RecordDialogProps<V> {
  readonly title: string;
  readonly state: RecordFormState<V>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A small record's form in a dialog. Closing it with unsaved edits asks first. */
export function RecordDialog<V>({ title, state, onClose, children }: RecordDialogProps<V>) {
  const { form, busy, submit, element } = state;
  const dirty = form.isDirty();
  useUnsavedGuard(dirty);
  const close = async () => {
    if (!dirty || (await confirmDiscard())) onClose();
  };
  return (
    <Modal opened onClose={() => void close()} title={title} styles={{ body: { padding: 0 } }}>
      <form onSubmit={submit} ref={element} noValidate>
        <Stack gap="sm" px="md" pt="xs" pb="md">
          {children}
        </Stack>
        <FormFooter dirty={dirty} busy={busy} onDiscard={form.reset} />
      </form>
    </Modal>
  );
}

interface FormFooterProps {
  readonly dirty: boolean;
  readonly busy: boolean;
  readonly onDiscard: () => void;
  /** The text while there are no edits; by default, that there is nothing to save. */
  readonly calm?: string | undefined;
}

/** The bar below a form: whether there are edits, Discard, Save. */
function FormFooter({ dirty, busy, onDiscard, calm }: FormFooterProps) {
  const idle = !dirty && calm === undefined;
  const needs = useNeed('connection');
  const why = useObstacle('connection');
  return (
    <Group className={panel.foot} gap="xs" wrap="nowrap" h="var(--bar)" px="md" bg="var(--surface)">
      <Hint flex={1} role="status">
        {dirty ? 'Unsaved edits' : (calm ?? 'Nothing to save')}
        {dirty && why !== null && `. ${why}`}
      </Hint>
      <Button variant="subtle" disabled={!dirty} onClick={onDiscard}>
        Discard
      </Button>
      <Button type="submit" variant={idle ? 'default' : 'filled'} loading={busy} {...needs}>
        Save
      </Button>
    </Group>
  );
}

/**
 * Moves the focus to an added row, and keeps it in the list when a row is removed.
 * @param count number of rows, which are the children of the list
 */
export function useRowFocus<L extends HTMLElement>(count: number) {
  const list = useRef<L>(null);
  const add = useRef<HTMLButtonElement>(null);
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    const row = list.current?.children[Math.min(wanted.current, count - 1)];
    (row?.querySelector('input') ?? add.current)?.focus();
    wanted.current = null;
  }, [count]);
  return { list, add, focusOn: (index: number) => (wanted.current = index) };
}
