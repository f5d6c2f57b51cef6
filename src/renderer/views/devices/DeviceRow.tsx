import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Device } from '../../../control/schemas.ts';
import { ExchangeLink } from '../../exchange/ExchangeLink.tsx';
import { StatusTag } from '../../ui/status.tsx';
import table from '../../ui/grid/table.module.css';
import { ViewLink } from '../../ui/links.tsx';
import { useNeed, whileBusy } from '../../ui/use-need.ts';
import { decisionInWords, isOpen, lifeInWords, pollsInWords, STATE_TONES } from './device.ts';
import { approve, deny, expire } from './device-actions.ts';
import classes from './Devices.module.css';

interface DeviceRowProps {
  /** As it stands now. */
  readonly device: Device;
  /** Sandbox time in ms. */
  readonly now: number;
  /** Whom to approve as; null when no user is registered. */
  readonly sub: string | null;
}

export function DeviceRow({ device, now, sub }: DeviceRowProps) {
  const { user_code, state, client_id, scope, interval, issued_by, redeemed_by } = device;
  const decision = decisionInWords(device);
  return (
    <tr>
      <th scope="row">
        <code>{user_code}</code>
      </th>
      <td>
        <StatusTag tone={STATE_TONES[state]}>{state}</StatusTag>
      </td>
      <td className={classes.client} title={client_id}>
        <ViewLink view="clients" item={client_id}>
          {client_id}
        </ViewLink>
      </td>
      <td className={classes.scope} title={scope}>
        {scope === '' ? <span className={table.muted}>none</span> : <code>{scope}</code>}
      </td>
      <td className={classes.expires}>{lifeInWords(device, now)}</td>
      <td className={classes.polls} title={`Interval: ${interval} s`}>
        {pollsInWords(device, now)}
      </td>
      <td className={classes.requested}>
        {issued_by === null ? (
          <span className={table.muted}>over control</span>
        ) : (
          <ExchangeLink number={issued_by} />
        )}
      </td>
      <td className={classes.decision}>
        {decision !== null && <span>{decision}</span>}
        {redeemed_by !== null && (
          <>
            {', redeemed in '}
            <ExchangeLink number={redeemed_by} />
          </>
        )}
        {isOpen(device) && <Decide key={state} device={device} sub={sub} />}
      </td>
    </tr>
  );
}

interface DecideProps {
  readonly device: Device;
  readonly sub: string | null;
}

/** Goes with the row's state: a decision shows as soon as the list is loaded anew. */
function Decide({ device, sub }: DecideProps) {
  const needs = useNeed('connection');
  const [busy, setBusy] = useState(false);
  const decide = async (run: () => Promise<boolean>) => {
    if (busy) return;
    setBusy(true);
    if (!(await run())) setBusy(false);
  };
  const choices =
    device.state === 'pending'
      ? ([
          ['Approve', () => approve(device, sub ?? ''), sub === null],
          ['Deny', () => deny(device), false],
          ['Expire', () => expire(device), false],
        ] as const)
      : ([['Expire', () => expire(device), false]] as const);
  return (
    <span className={classes.decide}>
      {choices.map(([name, run, disabled]) => (
        <Button
          key={name}
          variant="subtle"
          disabled={disabled}
          onClick={() => void decide(run)}
          aria-label={`${name}: ${device.user_code}`}
          {...whileBusy(busy)}
          {...needs}
        >
          {name}
        </Button>
      ))}
    </span>
  );
}
