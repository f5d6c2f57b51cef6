import { IconChevronRight } from '@tabler/icons-react';
import classes from '../../ui/disclose.module.css';

interface BlockedCountProps {
  readonly blocked: number;
  readonly opened: boolean;
  readonly controls: string;
  readonly onToggle: () => void;
}

/** How many requests were rejected; opens the latest. */
export function BlockedCount({ blocked, opened, controls, onToggle }: BlockedCountProps) {
  if (blocked === 0) return <>0</>;
  return (
    <button
      type="button"
      className={classes.disclose}
      aria-expanded={opened}
      aria-controls={controls}
      onClick={onToggle}
    >
      <IconChevronRight aria-hidden="true" />
      {blocked.toLocaleString('en')}
      <span className="visually-hidden"> blocked, show the latest</span>
    </button>
  );
}
