import { Button } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import type { Lineage } from '../../../control/schemas.ts';
import { pluralize } from '../../ui/short-forms.ts';
import { momentInFull } from '../../../oauth/moments.ts';
import { LineageTree } from './LineageTree.tsx';
import classes from './Lineage.module.css';
import { revokeLineage } from './token-actions.ts';

interface LineagePanelProps {
  readonly lineage: Lineage;
  readonly open: string;
  readonly now: number;
}

/** One lineage: when it was created, whether it is revoked, and the tree of its credentials. */
export function LineagePanel({ lineage, open, now }: LineagePanelProps) {
  const { lineage_id, created_at, revoked_at, count, members } = lineage;
  const since = momentInFull(Date.parse(created_at), now);
  const left = count - members.length;
  return (
    <div className={classes.panel}>
      <div className={classes.head}>
        <p>
          <b>Lineage {lineage_id}</b>, created {since}
          {revoked_at !== null && `, revoked ${momentInFull(Date.parse(revoked_at), now)}`}.{' '}
          {pluralize(count, 'credential')} so far
          {left > 0 && `, of which the ${members.length} still kept are shown`}.
        </p>
        <Button
          color="bad"
          disabled={revoked_at !== null}
          leftSection={<IconBan size="1.1em" aria-hidden="true" />}
          onClick={() => void revokeLineage(lineage)}
        >
          Revoke lineage
        </Button>
      </div>
      <LineageTree lineage={lineage} open={open} now={now} />
    </div>
  );
}
