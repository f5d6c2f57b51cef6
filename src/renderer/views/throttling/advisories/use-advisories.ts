import { control } from '../../../connection/control.ts';
import { usePage } from '../../../connection/state.ts';
import { useLoaded } from '../../../ui/use-loaded.ts';

const NEWEST = 200;

const load = () => control.advisories.list({ limit: NEWEST });

/** The newest advisories with counts per client, loaded anew as the feed tells of more. */
export const useAdvisories = () =>
  useLoaded(
    load,
    usePage(({ advisories_revision }) => advisories_revision),
  );
