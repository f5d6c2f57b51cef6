// Device authorizations (RFC 8628): which devices wait for a user, and decisions that a user would otherwise make at
// /device. The service determines what a decision does.

import { Button, SegmentedControl, Select } from '@mantine/core';
import { IconAlertTriangle, IconDeviceTv } from '@tabler/icons-react';
import { useState } from 'react';
import type { User } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { usePage } from '../../connection/state.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { useSandboxNow } from '../../connection/clock.ts';
import { chosenParty } from '../../sending/chosen-party.ts';
import { EmptyState, PanelHead } from '../../ui/panel.tsx';
import { filtered } from '../../ui/grid/arrange.ts';
import { FilterField, NoMatch } from '../../ui/grid/FilterField.tsx';
import { pluralize } from '../../ui/short-forms.ts';
import split from '../../ui/split.module.css';
import { asOf, deviceText, DeviceTable } from './DeviceTable.tsx';

/** The service keeps no more than this. */
const MOST = 1000;

const load = () => control.devices.list({ limit: MOST });

/** All device authorizations, newest first, reloaded when the feed reports changes. */
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
  'A device without a browser or a keyboard sends POST /oauth/device_authorization and shows a user code. The device is listed here until a user approves or denies it, at /device or here. Requests has a template for it.';

interface DecideAsProps {
  readonly users: readonly User[];
  readonly sub: string | null;
  readonly onChange: (sub: string | null) => void;
}

function DecideAs({ users, sub, onChange }: DecideAsProps) {
  return (
    <Select
      w="11rem"
      aria-label="Approve as"
      placeholder="No user is registered"
      allowDeselect={false}
      disabled={users.length === 0}
      value={sub}
      onChange={onChange}
      data={users.map((user) => ({ value: user.sub, label: `Approve as ${user.sub}` }))}
    />
  );
}

/** Pending devices, and those that were decided or have expired. */
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
        <PanelHead title="Devices" note={known === null ? undefined : `${pending.length} pending`}>
          {all.length > 0 && <FilterField what="devices" text={text} onText={setText} />}
          <SegmentedControl
            aria-label="Which devices"
            value={shown}
            onChange={setShown}
            data={[...SHOWN]}
          />
          <DecideAs users={users} sub={sub} onChange={setPicked} />
        </PanelHead>
        {devices.length > 0 && <DeviceTable devices={found} now={now} sub={sub} />}
        {devices.length > 0 && found.length === 0 && <NoMatch what="devices" text={text} />}
        {devices.length === 0 && known !== null && (
          <EmptyState
            icon={<IconDeviceTv size="1.6em" stroke={1.5} />}
            title={shown === 'pending' ? 'No pending devices' : 'No devices yet'}
            text={ABOUT}
            {...(shown === 'pending' && all.length > 0
              ? {
                  action: (
                    <Button onClick={() => setShown('all')}>
                      {`Show ${pluralize(all.length, 'device')} that ${all.length === 1 ? 'was' : 'were'} decided or expired`}
                    </Button>
                  ),
                }
              : {})}
          />
        )}
        {known === null && problem !== null && (
          <EmptyState
            icon={<IconAlertTriangle />}
            title="The devices could not be loaded"
            text={problem}
            action={<Button onClick={retry}>Try again</Button>}
          />
        )}
      </section>
    </div>
  );
}
