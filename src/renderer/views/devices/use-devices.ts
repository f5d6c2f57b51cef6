import { control } from '../../connection/control.ts';
import { usePage } from '../../connection/state.ts';
import { useLoaded } from '../../ui/use-loaded.ts';

/** No more are kept. */
const MOST = 1000;

const load = () => control.devices.list({ limit: MOST });

/** Every device authorization that is kept, newest first, loaded anew as the feed tells of changes. */
export function useDevices() {
  const changes = usePage(({ devices_revision }) => devices_revision);
  // Moving the clock expires codes without an event of theirs.
  const moved = usePage(({ clock }) => clock?.offset_seconds ?? 0);
  return useLoaded(load, `${changes} ${moved}`);
}
