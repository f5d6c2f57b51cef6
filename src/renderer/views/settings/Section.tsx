import type { ReactNode } from 'react';
import classes from './Section.module.css';
import { Cited } from '../../ui/links.tsx';

interface SectionProps {
  readonly title: string;
  readonly about: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A section's heading, what it is for, and its rows in one panel. */
export function Section({ title, about, action, children }: SectionProps) {
  return (
    <section className={classes.section} aria-label={title}>
      <div className={classes.head}>
        <div>
          <h2 className={classes.title}>{title}</h2>
          <p className={classes.about}>
            <Cited text={about} />
          </p>
        </div>
        {action}
      </div>
      <div className={classes.panel}>{children}</div>
    </section>
  );
}
