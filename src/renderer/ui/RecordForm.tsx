import { useEffect, type ReactNode } from 'react';
import classes from './form.module.css';
import { FormFooter } from './FormFooter.tsx';
import type { RecordForm as RecordFormState } from './use-record-form.ts';

interface RecordFormProps<V extends Record<string, unknown>> {
  readonly state: RecordFormState<V>;
  /** The record as it is saved, and the values that stand for it: they come to a form without edits. */
  readonly record: object | null;
  readonly start: V;
  /** What stands at the foot while there are no edits. */
  readonly calm?: string;
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
      <FormFooter
        dirty={form.isDirty()}
        busy={busy}
        onDiscard={form.reset}
        {...(calm === undefined ? {} : { calm })}
      />
    </form>
  );
}
