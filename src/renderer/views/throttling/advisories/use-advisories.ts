import { control } from '../../../connection/control.ts';
import type { Whose } from '../../../connection/rates.ts';
import { usePage } from '../../../connection/state.ts';
import { useLoaded } from '../../../ui/use-loaded.ts';
import { useWhose } from '../../../ui/preferences.ts';

const NEWEST = 200;

const LOAD: Record<Whose, () => ReturnType<typeof control.advisories.list>> = {
  app: () => control.advisories.list({ limit: NEWEST, sent_by: 'app' }),
  all: () => control.advisories.list({ limit: NEWEST }),
};

/** The newest advisories with counts per client, loaded anew as the feed tells of more. */
export const useAdvisories = () =>
  useLoaded(
    LOAD[useWhose()],
    usePage(({ advisories_revision }) => advisories_revision),
  );
