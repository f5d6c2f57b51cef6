import { NumberInput, SegmentedControl, Select } from '@mantine/core';
import type { Client } from '../../../../control/schemas.ts';
import { grantsOf, MOST, type Chosen } from './hammer-state.ts';
import { changeForm, useHammer } from './hammer-store.ts';
import classes from './Hammer.module.css';

interface CountProps {
  readonly label: string;
  readonly value: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

function Count({ label, value, most, onChange }: CountProps) {
  return (
    <NumberInput
      label={label}
      min={1}
      max={most}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="blur"
      thousandSeparator=","
      value={value}
      onChange={(typed) => {
        if (typeof typed === 'number' && typed >= 1) onChange(Math.min(typed, most));
      }}
    />
  );
}

const WAYS = [
  { value: 'burst', label: 'Burst' },
  { value: 'rate', label: 'Rate' },
] as const;

const CREDENTIALS = [
  { value: 'fresh', label: 'A new one' },
  { value: 'newest', label: 'The newest there is' },
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
        data={grantsOf(client)}
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
      <Count
        label="Requests"
        value={pace.count}
        most={MOST.count}
        onChange={(count) => changeForm({ count })}
      />
      {way === 'burst' ? (
        <Count
          label="At once"
          value={parallel}
          most={MOST.parallel}
          onChange={(value) => changeForm({ parallel: value })}
        />
      ) : (
        <Count
          label="Per second"
          value={per_second}
          most={MOST.per_second}
          onChange={(value) => changeForm({ per_second: value })}
        />
      )}
    </div>
  );
}
