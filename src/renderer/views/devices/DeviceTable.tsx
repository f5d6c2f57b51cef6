import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Device } from '../../../control/schemas.ts';
import { GridTable } from '../../ui/grid/GridTable.tsx';
import { useSorting } from '../../ui/grid/arrange.ts';
import split from '../../ui/split.module.css';
import { DeviceRow } from './DeviceRow.tsx';
import classes from './Devices.module.css';

const AT_ONCE = 100;

const RANKS = {
  code: ({ user_code }: Device) => user_code,
  state: ({ state }: Device) => state,
  client: ({ client_id }: Device) => client_id,
  scope: ({ scope }: Device) => scope,
  expires: ({ expires_at }: Device) => Date.parse(expires_at),
  polls: ({ polls }: Device) => polls,
  requested: ({ issued_by }: Device) => issued_by ?? 0,
};

const COLUMNS = [
  { id: 'code', name: 'User code', sortsBy: 'code', className: classes.code },
  { id: 'state', name: 'State', sortsBy: 'state', className: classes.state },
  { id: 'client', name: 'Client', sortsBy: 'client', className: classes.client },
  { id: 'scope', name: 'Scope', sortsBy: 'scope', className: classes.scope },
  { id: 'expires', name: 'Expires', sortsBy: 'expires', className: classes.expires },
  { id: 'polls', name: 'Polls', sortsBy: 'polls', className: classes.polls },
  { id: 'requested', name: 'Requested', sortsBy: 'requested', className: classes.requested },
  { id: 'decision', name: 'Decision', className: classes.decision },
] as const;

/** What a device is found by. */
export const deviceText = ({ user_code, state, client_id, scope, sub }: Device): string =>
  [user_code, state, client_id, scope, sub ?? ''].join(' ');

interface DeviceTableProps {
  /** As they stand now, newest first. */
  readonly devices: readonly Device[];
  readonly now: number;
  readonly sub: string | null;
}

export function DeviceTable({ devices, now, sub }: DeviceTableProps) {
  const [shown, setShown] = useState(AT_ONCE);
  const { heads, sorted } = useSorting(RANKS);
  return (
    <div
      className={split.scroll}
      tabIndex={0}
      role="region"
      aria-label="Device authorizations, newest first"
    >
      <GridTable name="devices" columns={COLUMNS} className={classes.table} {...heads}>
        {sorted(devices)
          .slice(0, shown)
          .map((device) => (
            <DeviceRow key={device.id} device={device} now={now} sub={sub} />
          ))}
      </GridTable>
      {devices.length > shown && (
        <Button variant="subtle" onClick={() => setShown((count) => count + AT_ONCE)}>
          {`Show more (${(devices.length - shown).toLocaleString('en')} left)`}
        </Button>
      )}
    </div>
  );
}
