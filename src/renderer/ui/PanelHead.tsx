import type { ReactNode } from 'react';
import classes from './PanelHead.module.css';

interface PanelHeadProps {
  readonly title: ReactNode;
  /** A few muted words after the title. */
  readonly note?: ReactNode;
  /** Buttons at the far end. */
  readonly children?: ReactNode;
}

/** The bar at the top of a panel: title, note, actions. */
export function PanelHead({ title, note, children }: PanelHeadProps) {
  return (
    <div className={classes.head}>
      <div className={classes.words}>
        <h2 className={classes.title} dir="auto">
          {title}
        </h2>
        {note !== undefined && <small className={classes.note}>{note}</small>}
      </div>
      <span className={classes.actions}>{children}</span>
    </div>
  );
}
