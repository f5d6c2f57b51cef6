import { IconCheck } from '@tabler/icons-react';
import { useId, type ReactNode } from 'react';
import { Cited } from '../../ui/links.tsx';
import classes from './Settings.module.css';

interface SettingRowProps {
  readonly label: string;
  readonly help: ReactNode;
  /** Whether the control keeps its own width, at the end of the row. */
  readonly end?: boolean;
  /** True for a moment after saving. */
  readonly saved?: boolean;
  /** Gets the ids of the label and of the description. */
  readonly children: (ids: { readonly name: string; readonly help: string }) => ReactNode;
}

/** A setting's label and description, with its control beside them. */
export function SettingRow({ label, help, end, saved, children }: SettingRowProps) {
  const id = useId();
  const ids = { name: `${id}-name`, help: `${id}-help` };
  return (
    <div className={classes.row}>
      <div>
        <div className={classes.name}>
          <span id={ids.name}>{label}</span>
          <span className={classes.saved} role="status">
            {saved === true && (
              <>
                <IconCheck size="1em" aria-hidden="true" /> Saved
              </>
            )}
          </span>
        </div>
        <p className={classes.help} id={ids.help}>
          {typeof help === 'string' ? <Cited text={help} /> : help}
        </p>
      </div>
      <div className={classes.control} data-end={end || undefined}>
        {children(ids)}
      </div>
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly about: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A section: its heading, its description, and its rows in one panel. */
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
