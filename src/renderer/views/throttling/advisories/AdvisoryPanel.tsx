import { Button } from '@mantine/core';
import { IconAlertTriangle, IconMoodCheck } from '@tabler/icons-react';
import { Cited } from '../../../ui/links.tsx';
import { EmptyState } from '../../../ui/panel.tsx';
import table from '../../../ui/grid/table.module.css';
import { useWhose } from '../../../ui/preferences.ts';
import classes from './Advisories.module.css';
import { AdvisoryRow } from './AdvisoryRow.tsx';
import type { useAdvisories } from './use-advisories.ts';

const ABOUT =
  'An app should request a new access token only when the previous one is about to expire. A request while the previous token still has more than 60 s and more than 10 % of its lifetime left is reported here. The response is not affected.';

interface AdvisoryPanelProps {
  readonly advisories: ReturnType<typeof useAdvisories>;
}

/** Which clients send redundant token requests, how often, and when last. */
export function AdvisoryPanel({ advisories: { known, problem, retry } }: AdvisoryPanelProps) {
  const whose = useWhose();
  if (known === null && problem !== null) {
    return (
      <EmptyState
        icon={<IconAlertTriangle />}
        title="The advisories could not be loaded"
        text={problem}
        action={<Button onClick={retry}>Try again</Button>}
      />
    );
  }
  if (known === null) return <p className={classes.loading}>Loading advisories…</p>;
  if (known.clients.length === 0) {
    const title =
      whose === 'app' ? 'No redundant token requests of the app' : 'No redundant token requests';
    return <EmptyState icon={<IconMoodCheck />} title={title} text={ABOUT} />;
  }
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label="Advisories">
      <p className={classes.about}>
        {ABOUT}{' '}
        <span className={classes.ref}>
          <Cited text="behaviour 5.12, spec 1.4" />
        </span>
      </p>
      <table className={`${table.table} ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">Client</th>
            <th scope="col">Redundant token requests</th>
            <th scope="col">Unnecessary re-authorizations</th>
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
