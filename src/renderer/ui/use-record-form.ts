// A form over one record: validates as a field is left, keeps what was typed when saving fails, puts
// the engine's refusal at the field it names, and moves focus to the first field in error.

import { useForm, type FormErrors, type UseFormReturnType } from '@mantine/form';
import { useEffect, useRef, useState, type SyntheticEvent, type RefObject } from 'react';
import { problemOf } from '../connection/control.ts';
import { notifyFailure } from './notify.tsx';
import { sentence } from './problems.ts';

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

export interface RecordForm<V> {
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
): RecordForm<V> {
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
    if (refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);

  const refuse = (error: unknown) => {
    const { field, message: said } = problemOf(error);
    const message = sentence(said);
    const known = field === null ? null : fieldOf(field, form.getValues());
    if (known === null) notifyFailure(failure, error);
    else {
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
