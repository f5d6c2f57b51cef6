import { Select } from '@mantine/core';
import type { Client } from '../../../../control/schemas.ts';
import { requestableGrants } from '../../../sending/token-steps.ts';
import { PaceFields } from '../../../sending/RepetitionParts.tsx';
import { changeForm, useHammer } from './hammer.ts';
import type { Chosen } from './hammer-form.ts';
import classes from './Hammer.module.css';

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
  const credential = useHammer((state) => state.form.credential);
  return (
    <div className={classes.fields}>
      <Select
        label="Client"
        data={clients.map(({ client_id }) => client_id)}
        value={client.client_id}
        allowDeselect={false}
        onChange={(client_id) => changeForm({ client_id, times: null })}
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
      <div className={classes.pace}>
        <PaceFields form={pace} onChange={changeForm} />
      </div>
    </div>
  );
}
