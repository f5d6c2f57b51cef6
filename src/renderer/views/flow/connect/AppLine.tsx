import { IconChevronRight, IconPlugConnected } from '@tabler/icons-react';
import { pluralize } from '../../../ui/short-forms.ts';
import { statusWords } from '../../../ui/status.ts';
import { useAppTraffic } from '../../../connect/use-app-traffic.ts';
import classes from './Connect.module.css';

/** The app under test, below the steps: leads from a message of the flow back to it. */
export function AppLine({
  onOpen,
  shown,
}: {
  readonly onOpen: () => void;
  readonly shown: boolean;
}) {
  const traffic = useAppTraffic();
  return (
    <button
      type="button"
      className={classes.line}
      aria-current={shown || undefined}
      onClick={onOpen}
    >
      <IconPlugConnected size="1.2em" stroke={1.6} aria-hidden="true" />
      <span className={classes.words}>
        {traffic === null ? 'Connect your app' : 'Your app'}
        <small>
          {traffic === null
            ? 'no request yet'
            : `${pluralize(traffic.count, 'request')} · newest: ${statusWords(traffic.newest.status)}`}
        </small>
      </span>
      <IconChevronRight size="1.1em" aria-hidden="true" />
    </button>
  );
}
