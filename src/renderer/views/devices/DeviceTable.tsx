import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { Device } from '../../../control/schemas.ts';
import { momentInWords } from '../../../oauth/moments.ts';
import { countdown } from '../../connection/clock.ts';
import { type Tone, StatusTag } from '../../ui/status.tsx';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notify.tsx';
import { ExchangeLink } from '../../exchange/ExchangeLink.tsx';
import { ViewLink } from '../../ui/links.tsx';
import { useNeed, whileBusy } from '../../ui/use-need.ts';
import { GridTable } from '../../ui/grid/GridTable.tsx';
import { useSorting } from '../../ui/grid/arrange.ts';
import table from '../../ui/grid/table.module.css';
import split from '../../ui/split.module.css';

const STATE_TONES: Record<Device['state'], Tone> = {
  pending: 'warn',
  approved: 'ok',
  denied: 'bad',
  redeemed: 'muted',
  expired: 'muted',
};

/** Whether its codes are still valid. */
const isOpen = ({ state }: Device): boolean => state === 'pending' || state === 'approved';

/** Its current state: a device that was pending or approved when it was loaded may have expired. */
export function asOf(device: Device, now: number): Device {
  const over = isOpen(device) && Date.parse(device.expires_at) <= now;
  return over ? { ...device, state: 'expired' } : device;
}

/** The remaining lifetime of its codes; null if that no longer matters. */
function lifeInWords(device: Device, now: number): string | null {
  const at = Date.parse(device.expires_at);
  if (device.state === 'expired') return momentInWords(at, now);
  return isOpen(device) ? countdown((at - now) / 1000) : null;
}

/** How many times it polled before the decision, and when it last did. */
function pollsInWords({ polls, polled_at }: Device, now: number): string {
  const count = polls.toLocaleString('en');
  if (polled_at === null) return count;
  // The page's time is cut to whole seconds, so a poll may seem to be in the future.
  return `${count}, last ${momentInWords(Math.min(now, Date.parse(polled_at)), now)}`;
}

const PLACES = {
  page: 'at /device',
  control: 'over the control API',
  setting: 'by the authorize setting',
} as const;

/** Who decided, and where; null if nobody has. */
function decisionInWords({ sub, decided_on }: Device): string | null {
  if (decided_on === null) return null;
  return sub === null ? PLACES[decided_on] : `as ${sub}, ${PLACES[decided_on]}`;
}

// Approves or denies a device instead of its user, or expires it early.

const approve = ({ id, user_code }: Device, sub: string): Promise<boolean> =>
  attempt('The device was not approved.', async () => {
    await control.devices.approve({ id, sub });
    notify(`${user_code} is approved as ${sub}`);
  });

const deny = ({ id, user_code }: Device): Promise<boolean> =>
  attempt('The device was not denied.', async () => {
    await control.devices.deny({ id });
    notify(`${user_code} is denied`);
  });

/** The response to its next poll is `expired_token` (RFC 8628 3.5). Asks first, since both codes are lost. */
async function expire({ id, user_code, state }: Device): Promise<boolean> {
  const lost =
    state === 'approved' ? 'The approval is lost' : 'The user can no longer approve the device';
  const goOn = await confirm({
    title: `Expire ${user_code} now?`,
    body: `${lost}, and its next poll gets expired_token. The device must start again.`,
    confirm: 'Expire now',
    danger: true,
  });
  if (!goOn) return false;
  return attempt('The device was not expired.', async () => {
    await control.devices.expire({ id });
    notify(`${user_code} is expired`);
  });
}

interface DeviceRowProps {
  /** Its current state. */
  readonly device: Device;
  /** Sandbox time in ms. */
  readonly now: number;
  /** The user to approve as; null if no user is registered. */
  readonly sub: string | null;
}

function DeviceRow({ device, now, sub }: DeviceRowProps) {
  const { user_code, state, client_id, scope, interval, issued_by, redeemed_by } = device;
  const decision = decisionInWords(device);
  return (
    <tr>
      <th scope="row">
        <Text component="code" fw="bold">
          {user_code}
        </Text>
      </th>
      <td>
        <StatusTag tone={STATE_TONES[state]}>{state}</StatusTag>
      </td>
      <td title={client_id}>
        <ViewLink view="clients" item={client_id}>
          {client_id}
        </ViewLink>
      </td>
      <td title={scope}>
        {scope === '' ? <span className={table.muted}>none</span> : <code>{scope}</code>}
      </td>
      <td className="figures">{lifeInWords(device, now)}</td>
      <td title={`Interval: ${interval} s`}>{pollsInWords(device, now)}</td>
      <td className={table.from900}>
        {issued_by === null ? (
          <span className={table.muted}>control API</span>
        ) : (
          <ExchangeLink number={issued_by} />
        )}
      </td>
      <td className={table.muted}>
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

/** Depends on the row's state: a decision shows once the list is reloaded. */
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
          ['Expire…', () => expire(device), false],
        ] as const)
      : ([['Expire…', () => expire(device), false]] as const);
  return (
    <Group gap={0} ml={-12} wrap="nowrap">
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
    </Group>
  );
}

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
  { id: 'code', name: 'User code', sortsBy: 'code', width: '7.5rem' },
  { id: 'state', name: 'State', sortsBy: 'state', width: '6.5rem' },
  { id: 'client', name: 'Client', sortsBy: 'client' },
  { id: 'scope', name: 'Scope', sortsBy: 'scope' },
  { id: 'expires', name: 'Expires', sortsBy: 'expires', width: '6rem' },
  {
    id: 'polls',
    name: 'Polls',
    sortsBy: 'polls',
    width: 'clamp(4.5rem, calc(30cqi - 12rem), 8.5rem)',
  },
  {
    id: 'requested',
    name: 'Requested',
    sortsBy: 'requested',
    width: '7rem',
    className: table.from900,
  },
  { id: 'decision', name: 'Decision', width: 'clamp(14.5rem, 33cqi, 18rem)' },
] as const;

/** The text that the filter searches. */
export const deviceText = ({ user_code, state, client_id, scope, sub }: Device): string =>
  [user_code, state, client_id, scope, sub ?? ''].join(' ');

interface DeviceTableProps {
  /** Their current states, newest first. */
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
      <GridTable name="devices" columns={COLUMNS} least={780} {...heads}>
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
