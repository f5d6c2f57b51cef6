import type { ReactNode } from 'react';
import classes from './EmptyState.module.css';

interface EmptyStateProps {
  readonly icon: ReactNode;
  readonly title: string;
  /** What the view is for. */
  readonly text: string;
  /** The one action that fills it. */
  readonly action?: ReactNode;
}

export function EmptyState({ icon, title, text, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <span className={classes.icon} aria-hidden="true">
        {icon}
      </span>
      <h3 className={classes.title}>{title}</h3>
      <p className={classes.text}>{text}</p>
      {action}
    </div>
  );
}
