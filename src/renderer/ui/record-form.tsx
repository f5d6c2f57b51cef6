// A form over one record: validates as a field is left, keeps what was typed when saving fails, puts
// the engine's refusal at the field it names, and moves focus to the first field in error.

import { Button, Group, Modal, Stack, Text } from '@mantine/core';
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

interface RecordFormOptions<V> {
  readonly initial: V;
  /** Messages by field path (`redirect_uris.0`); empty when all is well. */
  readonly validate: (values: V) => FormErrors;
  readonly save: (values: V) => Promise<void>;
  /** Told when the engine refuses without naming a field: "The client was not saved." */
  readonly failure: string;
  /** Runs when it is saved and the form holds no edits any more. */
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

/** `settings.throttle.limit` and `clients.0.client_id` name the field that the form knows by its end. */
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

/** A value that the engine refused: the message stays at its field until another value stands there. */
interface Refused {
  readonly field: string;
  readonly value: unknown;
  readonly message: string;
}

const valueAt = (values: object, field: string): unknown =>
  field.split('.').reduce<unknown>((at, part) => (isRecord(at) ? at[part] : undefined), values);

const stillRefused = (refused: readonly Refused[], values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    refused
      .filter(({ field, value }) => valueAt(values, field) === value)
      .map(({ field, message }) => [field, message]),
  );

export function useRecordForm<V extends Record<string, unknown>>(
  options: RecordFormOptions<V>,
): RecordFormState<V> {
  const { initial, validate, save, failure } = options;
  const [busy, setBusy] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const element = useRef<HTMLFormElement>(null);
  const refused = useRef<readonly Refused[]>([]);
  const form = useForm<V>({
    initialValues: initial,
    validate: (values) => ({ ...validate(values), ...stillRefused(refused.current, values) }),
    validateInputOnBlur: true,
  });

  useEffect(() => {
    if (refusals === 0) return;
    const field = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.focus();
    // Not all browsers heed the margin for its message when they scroll to what is focused.
    field?.scrollIntoView({ block: 'nearest' });
  }, [refusals]);

  const refuse = (error: unknown) => {
    const { field, message: told } = problemOf(error);
    const known = field === null ? null : fieldOf(field, form.getValues());
    if (known === null) notifyFailure(failure, error);
    else {
      const message = problemSentence({ field, message: told });
      refused.current = [{ field: known, value: valueAt(form.getValues(), known), message }];
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
      refuse(error);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    // What was refused may be fine by now.
    refused.current = [];
    form.onSubmit(saveChecked, () => setRefusals((count) => count + 1))(event);
  };
  return { form, busy, submit, element };
}

interface RecordFormProps<V extends Record<string, unknown>> {
  readonly state: RecordFormState<V>;
  /** The record as it is saved, and the values that stand for it: they come to a form without edits. */
  readonly record: object | null;
  readonly start: V;
  /** What stands at the foot while there are no edits. */
  readonly calm?: string | undefined;
  readonly children: ReactNode;
}

/** A record's form in the pane of its editor: groups of fields that scroll above save and discard. */
export function RecordForm<V extends Record<string, unknown>>(props: RecordFormProps<V>) {
  const { state, record, start, calm, children } = props;
  const { form, busy, submit, element } = state;
  useEffect(() => {
    if (form.isDirty()) return;
    form.setInitialValues(start);
    form.reset();
    // Only a change of the record itself may replace what the form shows.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [record]);
  return (
    <form className={classes.form} onSubmit={submit} ref={element} noValidate>
      <div className={classes.fields}>{children}</div>
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

/** A small record's form in a dialog, where RecordEditor would be too much; closing with edits asks. */
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
  /** What stands there while there are no edits; left out, there is nothing to save then. */
  readonly calm?: string | undefined;
}

/** The bar under a form: whether there are edits, discard, save. */
function FormFooter({ dirty, busy, onDiscard, calm }: FormFooterProps) {
  const idle = !dirty && calm === undefined;
  const needs = useNeed('connection');
  const why = useObstacle('connection');
  return (
    <Group className={classes.footer} gap="xs" wrap="nowrap">
      <Text flex={1} size="xs" c="dimmed" role="status">
        {dirty ? 'Unsaved edits' : (calm ?? 'Nothing to save')}
        {dirty && why !== null && `. ${why}`}
      </Text>
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
 * The focus goes to a row that was added, and stays in the list when one was removed.
 * @param count of the rows, which are the children of the list
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
