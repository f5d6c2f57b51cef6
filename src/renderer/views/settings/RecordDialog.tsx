import { Modal } from '@mantine/core';
import type { SyntheticEvent, ReactNode, RefObject } from 'react';
import { askToDiscard } from '../../ui/confirm.ts';
import { FormFooter } from '../../ui/FormFooter.tsx';
import { useUnsavedGuard } from '../../ui/use-unsaved-guard.ts';
import classes from './RecordDialog.module.css';

interface RecordDialogProps {
  readonly title: string;
  readonly dirty: boolean;
  readonly busy: boolean;
  readonly element: RefObject<HTMLFormElement | null>;
  readonly onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void;
  readonly onDiscard: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A record's form in a dialog; closing with unsaved edits asks. */
export function RecordDialog(props: RecordDialogProps) {
  const { title, dirty, busy, element, onSubmit, onDiscard, onClose, children } = props;
  useUnsavedGuard(dirty);
  const close = async () => {
    if (!dirty || (await askToDiscard())) onClose();
  };
  return (
    <Modal
      opened
      onClose={() => void close()}
      title={title}
      classNames={{ body: classes.body }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={onSubmit} ref={element} noValidate>
        <div className={classes.fields}>{children}</div>
        <FormFooter dirty={dirty} busy={busy} onDiscard={onDiscard} />
      </form>
    </Modal>
  );
}
