// Device authorizations (RFC 8628): which devices wait for a user, and decisions that a user would otherwise make at
// /device. The service determines what a decision does.

import { Button, SegmentedControl, Select, Group, Text } from '@mantine/core';
import { IconDeviceTv } from '@tabler/icons-react';
import { useState } from 'react';
import type { Device } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { usePage } from '../../connection/state.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { useSandboxNow, countdown } from '../../connection/clock.ts';
import { chosenParty } from '../../sending/chosen-party.ts';
import { EmptyState, PanelHead, LoadFailed } from '../../ui/panel.tsx';
import { filtered, useSorting } from '../../ui/grid/arrange.ts';
import { FilterField, NoMatch } from '../../ui/grid/FilterField.tsx';
import { pluralize } from '../../../words.ts';
import split from '../../ui/split.module.css';
import { momentInWords, pastInWords } from '../../../oauth/moments.ts';
import { type Tone, StatusTag } from '../../ui/status.tsx';
import { DECIDED_ON_WORDS } from '../../ui/short-forms.ts';
import { attempt, attemptConfirmed } from '../../actions/sandbox.ts';
import { notify } from '../../ui/notify.tsx';
import { ExchangeLink } from '../../exchange/ExchangeLine.tsx';
import { ViewLink } from '../../ui/links.tsx';
import { ActionButton } from '../../ui/buttons.tsx';
import { GridTable, useShownRows } from '../../ui/grid/GridTable.tsx';
import table from '../../ui/grid/table.module.css';

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
function asOf(device: Device, now: number): Device {
  const over = isOpen(device) && Date.parse(device.expires_at) <= now;
  return over ? { ...device, state: 'expired' } : device;
}

/** The remaining lifetime of its codes; null if that no longer matters. */
function lifeInWords(device: Device, now: number): string | null {
  const at = Date.parse(device.expires_at);
  if (device.state === 'expired') return pastInWords(at, now);
  return isOpen(device) ? countdown((at - now) / 1000) : null;
}

/** How many times it polled before the decision, and when it last did. */
function pollsInWords({ polls, polled_at }: Device, now: number): string {
  const count = polls.toLocaleString('en');
  if (polled_at === null) return count;
  // The page's time is cut to whole seconds, so a poll may seem to be in the future.
  return `${count}, last ${momentInWords(Math.min(now, Date.parse(polled_at)), now)}`;
}

/** Who decided, and where; null if nobody has. */
function decisionInWords({ sub, decided_on }: Device): string | null {
  if (decided_on === null) return null;
  return sub === null ? DECIDED_ON_WORDS[decided_on] : `as ${sub}, ${DECIDED_ON_WORDS[decided_on]}`;
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
function expire({ id, user_code, state }: Device): Promise<boolean> {
  const lost =
    state === 'approved' ? 'The approval is lost' : 'The user can no longer approve the device';
  const question = {
    title: `Expire ${user_code} now?`,
    body: `${lost}, and its next poll gets expired_token. The device must start again.`,
    confirm: 'Expire now',
  };
  return attemptConfirmed(question, 'The device was not expired.', async () => {
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

/** Depends on the row's state: a decision shows once the list is reloaded. */
function Decide({ device, sub }: { readonly device: Device; readonly sub: string | null }) {
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
          ['Expire now…', () => expire(device), false],
        ] as const)
      : ([['Expire now…', () => expire(device), false]] as const);
  return (
    <Group gap={0} ml={-12} wrap="nowrap">
      {choices.map(([name, run, disabled]) => (
        <ActionButton
          key={name}
          variant="subtle"
          needs="connection"
          busy={busy}
          disabled={disabled}
          onClick={() => void decide(run)}
          aria-label={`${name}: ${device.user_code}`}
        >
          {name}
        </ActionButton>
      ))}
    </Group>
  );
}

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

const deviceText = ({ user_code, state, client_id, scope, sub }: Device): string =>
  [user_code, state, client_id, scope, sub ?? ''].join(' ');

interface DeviceTableProps {
  /** Their current states, newest first. */
  readonly devices: readonly Device[];
  readonly now: number;
  readonly sub: string | null;
}

function DeviceTable({ devices, now, sub }: DeviceTableProps) {
  const { shown, more } = useShownRows();
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
      {more(devices.length - shown)}
    </div>
  );
}

/** The service keeps no more than this. */
const MOST = 1000;

const load = () => control.devices.list({ limit: MOST });

function useDevices() {
  const changes = usePage(({ devices_revision }) => devices_revision);
  // Moving the clock expires codes without an event.
  const moved = usePage(({ clock }) => clock?.offset_seconds ?? 0);
  return useLoaded(load, `${changes} ${moved}`);
}

const SHOWN = [
  { value: 'pending', label: 'Pending' },
  { value: 'all', label: 'All' },
] as const;
type Shown = (typeof SHOWN)[number]['value'];

const ABOUT =
  'A device without a browser or a keyboard sends a device authorization request and shows a user code. The device is listed here until a user approves or denies it, at /device or here. Requests has a template for it.';

export function DevicesView() {
  const [shown, setShown] = useState<Shown>('pending');
  const [text, setText] = useState('');
  const [picked, setPicked] = useState(() => chosenParty().user?.sub ?? null);
  const users = usePage((state) => state.users);
  const now = useSandboxNow();
  const { known, problem, retry } = useDevices();
  const sub = (users.find((user) => user.sub === picked) ?? users.at(-1))?.sub ?? null;
  const all = (known?.items ?? []).map((device) => asOf(device, now));
  const pending = all.filter(({ state }) => state === 'pending');
  const devices = shown === 'pending' ? pending : all;
  const found = filtered(devices, text, deviceText);
  return (
    <div className={split.view}>
      <section className={split.list} aria-label="Devices">
        <PanelHead
          title="Devices"
          note={known === null ? undefined : `${pending.length.toLocaleString('en')} pending`}
        >
          {all.length > 0 && <FilterField what="devices" text={text} onText={setText} />}
          <SegmentedControl
            aria-label="Which devices"
            value={shown}
            onChange={setShown}
            data={[...SHOWN]}
          />
          <Select
            w="11rem"
            aria-label="Approve as"
            searchable
            placeholder="No user is registered"
            disabled={users.length === 0}
            value={sub}
            onChange={setPicked}
            data={users.map((user) => ({ value: user.sub, label: `Approve as ${user.sub}` }))}
          />
        </PanelHead>
        {devices.length > 0 && <DeviceTable devices={found} now={now} sub={sub} />}
        {devices.length > 0 && found.length === 0 && <NoMatch what="devices" text={text} />}
        {devices.length === 0 && known !== null && (
          <EmptyState
            icon={IconDeviceTv}
            title={shown === 'pending' ? 'No pending devices' : 'No devices yet'}
            text={ABOUT}
            action={
              shown === 'pending' &&
              all.length > 0 && (
                <Button onClick={() => setShown('all')}>
                  {`Show ${pluralize(all.length, 'device')} that ${all.length === 1 ? 'was' : 'were'} decided or expired`}
                </Button>
              )
            }
          />
        )}
        {known === null && problem !== null && (
          <LoadFailed what="devices" problem={problem} retry={retry} />
        )}
      </section>
    </div>
  );
}
