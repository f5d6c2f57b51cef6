import { Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { memo, type MouseEvent } from 'react';
import { hrefOf, navigate, type View } from '../navigation/route.ts';
import classes from './Rail.module.css';

interface RailLinkProps {
  readonly view: View;
  readonly label: string;
  readonly icon: Icon;
  readonly active: boolean;
  readonly narrow: boolean;
  readonly count: number;
  /** What the count means when it wants attention: "blocked". */
  readonly hot: string | undefined;
}

/** Another one's count is no reason to render it again. */
export const RailLink = memo(function RailLink(props: RailLinkProps) {
  const { view, label, icon: Shape, active, narrow, count, hot } = props;
  const go = (event: MouseEvent) => {
    event.preventDefault();
    void navigate(view);
  };
  const counted =
    count === 0 ? '' : `${count.toLocaleString('en')}${hot === undefined ? '' : ` ${hot}`}`;
  return (
    <Tooltip
      label={counted === '' ? label : `${label}, ${counted}`}
      position="right"
      // The view that is open has its name at its head, and would be covered.
      disabled={!narrow || active}
    >
      <a
        className={classes.link}
        href={hrefOf(view)}
        onClick={go}
        data-narrow={narrow || undefined}
        aria-current={active ? 'page' : undefined}
        aria-label={narrow ? label : undefined}
      >
        <Shape size="1.23em" stroke={1.6} aria-hidden="true" />
        {!narrow && <span>{label}</span>}
        {count > 0 && (
          <span className={classes.count} data-hot={hot !== undefined || undefined}>
            {count.toLocaleString('en')}
            {hot !== undefined && <span className="visually-hidden"> {hot}</span>}
          </span>
        )}
      </a>
    </Tooltip>
  );
});
