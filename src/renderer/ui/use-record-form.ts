// A form over one record: validates as a field is left, keeps what was typed when saving fails, puts
// the engine's refusal at the field it names, and moves focus to the first field in error.

import { useForm, type FormErrors, type UseFormReturnType } from '@mantine/form';
import { useEffect, useRef, useState, type SyntheticEvent, type RefObject } from 'react';
import { problemOf } from '../control.ts';
import { tellFailure } from './notify.tsx';

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

/** `settings.throttle.limit` and `clients.0.client_id` name the field that the form knows by its end. */
function fieldOf(path: string, values: object): string | null {
  const parts = path.split('.');
  const start = parts.findIndex((part) => Object.hasOwn(values, part));
  if (start < 0) return null;
  const [head = '', index] = parts.slice(start);
  return index !== undefined && /^\d+$/.test(index) ? `${head}.${index}` : head;
}

export function useRecordForm<V extends Record<string, unknown>>(
  options: RecordFormOptions<V>,
): RecordForm<V> {
  const { initial, validate, save, failure } = options;
  const [busy, setBusy] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const element = useRef<HTMLFormElement>(null);
  const form = useForm<V>({ initialValues: initial, validate, validateInputOnBlur: true });

  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);

  const refuse = (error: unknown) => {
    const { field, message } = problemOf(error);
    const known = field === null ? null : fieldOf(field, form.getValues());
    if (known === null) tellFailure(failure, error);
    else form.setErrors({ ...form.errors, [known]: message });
    setRefusals((count) => count + 1);
  };

  const submit = form.onSubmit(
    async (values) => {
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
    },
    () => setRefusals((count) => count + 1),
  );
  return { form, busy, submit, element };
}
