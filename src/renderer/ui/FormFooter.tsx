import { Button } from '@mantine/core';
import classes from './FormFooter.module.css';

interface FormFooterProps {
  readonly dirty: boolean;
  readonly busy: boolean;
  readonly onDiscard: () => void;
  /** What stands there while there are no edits; left out, there is nothing to save then. */
  readonly calm?: string;
}

/** The bar under a form: whether there are edits, discard, save. */
export function FormFooter({ dirty, busy, onDiscard, calm }: FormFooterProps) {
  const idle = !dirty && calm === undefined;
  return (
    <div className={classes.footer}>
      <span className={classes.state} role="status">
        {dirty ? 'Unsaved edits' : (calm ?? 'Nothing to save')}
      </span>
      <Button variant="subtle" disabled={!dirty} onClick={onDiscard}>
        Discard
      </Button>
      <Button type="submit" variant={idle ? 'default' : 'filled'} loading={busy}>
        Save
      </Button>
    </div>
  );
}
