import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Device } from '../../../control/schemas.ts';
import table from '../../ui/table.module.css';
import split from '../../ui/split.module.css';
import { DeviceRow } from './DeviceRow.tsx';
import classes from './Devices.module.css';

const AT_ONCE = 100;

interface DeviceTableProps {
  /** As they stand now, newest first. */
  readonly devices: readonly Device[];
  readonly now: number;
  readonly sub: string | null;
}

export function DeviceTable({ devices, now, sub }: DeviceTableProps) {
  const [shown, setShown] = useState(AT_ONCE);
  return (
    <div
      className={split.scroll}
      tabIndex={0}
      role="region"
      aria-label="Device authorizations, newest first"
    >
      <table className={`${table.table} ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">User code</th>
            <th scope="col">State</th>
            <th scope="col">Client</th>
            <th scope="col">Scope</th>
            <th scope="col">Expires</th>
            <th scope="col">Polls</th>
            <th scope="col" className={classes.requested}>
              Requested
            </th>
            <th scope="col">Decision</th>
          </tr>
        </thead>
        <tbody>
          {devices.slice(0, shown).map((device) => (
            <DeviceRow key={device.id} device={device} now={now} sub={sub} />
          ))}
        </tbody>
      </table>
      {devices.length > shown && (
        <Button variant="subtle" onClick={() => setShown((count) => count + AT_ONCE)}>
          {`Show more (${(devices.length - shown).toLocaleString('en')} left)`}
        </Button>
      )}
    </div>
  );
}
