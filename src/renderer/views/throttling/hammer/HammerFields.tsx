import { SegmentedControl, Select } from '@mantine/core';
import type { Client } from '../../../../control/schemas.ts';
import { CountField } from '../../../ui/CountField.tsx';
import { MOST } from '../../../sending/burst.ts';
import { requestableGrants } from '../../../sending/can-request.ts';
import type { Chosen } from './hammer-state.ts';
import { changeForm, useHammer } from './hammer-store.ts';
import classes from './Hammer.module.css';

const WAYS = [
  { value: 'burst', label: 'Burst' },
  { value: 'rate', label: 'Rate' },
] as const;

const CREDENTIALS = [
  { value: 'fresh', label: 'New' },
  { value: 'newest', label: 'Newest existing' },
];

interface HammerFieldsProps {
  readonly clients: readonly Client[];
  readonly chosen: Chosen;
}

/** What is sent, how often and how fast. */
export function HammerFields({ clients, chosen }: HammerFieldsProps) {
  const { client, grant, pace } = chosen;
  const { credential, way, parallel, per_second } = useHammer((state) => state.form);
  return (
    <div className={classes.fields}>
      <Select
        label="Client"
        data={clients.map(({ client_id }) => client_id)}
        value={client.client_id}
        allowDeselect={false}
        onChange={(client_id) => changeForm({ client_id, count: null })}
      />
      <Select
        label="Grant"
        data={requestableGrants(client)}
        value={grant}
        allowDeselect={false}
        onChange={(value) => changeForm({ grant: value })}
      />
      {grant === 'refresh_token' && (
        <Select
          label="Token"
          data={CREDENTIALS}
          value={credential}
          allowDeselect={false}
          onChange={(value) => changeForm({ credential: value === 'newest' ? 'newest' : 'fresh' })}
        />
      )}
      <div className={classes.way}>
        <SegmentedControl
          aria-label="Pace"
          fullWidth
          value={way}
          onChange={(value) => changeForm({ way: value })}
          data={[...WAYS]}
        />
      </div>
      <CountField
        label="Requests"
        value={pace.count}
        most={MOST.count}
        onChange={(count) => changeForm({ count })}
      />
      {way === 'burst' ? (
        <CountField
          label="At once"
          value={parallel}
          most={MOST.parallel}
          onChange={(value) => changeForm({ parallel: value })}
        />
      ) : (
        <CountField
          label="Per second"
          value={per_second}
          most={MOST.per_second}
          onChange={(value) => changeForm({ per_second: value })}
        />
      )}
    </div>
  );
}
