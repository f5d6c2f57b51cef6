import { Button } from '@mantine/core';
import { IconAlertTriangle, IconMoodCheck } from '@tabler/icons-react';
import { Cited } from '../../../ui/citation/Cited.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import classes from './Advisories.module.css';
import { AdvisoryRow } from './AdvisoryRow.tsx';
import type { useAdvisories } from './use-advisories.ts';

const ABOUT =
  'An app should ask for a new access token only when the old one is used up. One that asks while the former token still has more than a minute and a tenth of its life left is told here; the answer it gets stays the same.';

interface AdvisoryPanelProps {
  readonly advisories: ReturnType<typeof useAdvisories>;
}

/** Which clients fetch tokens needlessly, how often, and when last. */
export function AdvisoryPanel({ advisories: { known, problem, retry } }: AdvisoryPanelProps) {
  if (known === null && problem !== null) {
    return (
      <EmptyState
        icon={<IconAlertTriangle />}
        title="The advisories could not be read"
        text={problem}
        action={<Button onClick={retry}>Try again</Button>}
      />
    );
  }
  if (known === null) return <p className={classes.loading}>Reading the advisories…</p>;
  if (known.clients.length === 0) {
    return (
      <EmptyState icon={<IconMoodCheck />} title="No token was fetched needlessly" text={ABOUT} />
    );
  }
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label="Advisories">
      <p className={classes.about}>
        {ABOUT}{' '}
        <span className={classes.ref}>
          <Cited text="behaviour 5.12, spec 1.4" />
        </span>
      </p>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Client</th>
            <th scope="col">Needless fetches</th>
            <th scope="col">Repeated authorizations</th>
            <th scope="col">Newest</th>
            <th scope="col">Exchange</th>
          </tr>
        </thead>
        <tbody>
          {known.clients.map((counts) => (
            <AdvisoryRow
              key={counts.client_id}
              counts={counts}
              newest={known.items.filter(({ client_id }) => client_id === counts.client_id)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
