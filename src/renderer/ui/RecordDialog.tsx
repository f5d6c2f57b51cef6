import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { confirmDiscard } from './confirm.ts';
import { FormFooter } from './FormFooter.tsx';
import classes from './RecordDialog.module.css';
import type { RecordForm } from './use-record-form.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';

interface RecordDialogProps<V> {
  readonly title: string;
  readonly state: RecordForm<V>;
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
    <Modal
      opened
      onClose={() => void close()}
      title={title}
      classNames={{ body: classes.body }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit} ref={element} noValidate>
        <div className={classes.fields}>{children}</div>
        <FormFooter dirty={dirty} busy={busy} onDiscard={form.reset} />
      </form>
    </Modal>
  );
}
