import { IconCheck } from '@tabler/icons-react';
import { useId, type ReactNode } from 'react';
import { Cited } from '../../ui/links.tsx';
import classes from './Section.module.css';

interface SettingRowProps {
  readonly label: string;
  readonly help: ReactNode;
  /** Whether the control keeps its own width at the far end. */
  readonly end?: boolean;
  /** Whether it was saved just now. */
  readonly saved?: boolean;
  /** Handed the ids of the label and of the explanation. */
  readonly children: (ids: { readonly name: string; readonly help: string }) => ReactNode;
}

/** What a setting is called and means, with its control beside it. */
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
