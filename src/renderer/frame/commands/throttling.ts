// The limit, its counters, and what is fired at it.

import { releaseAll } from '../../actions/sandbox.ts';
import type { Command } from '../../navigation/command.ts';
import { isHammering, startHammer, stopHammer } from '../../views/throttling/hammer/hammer.ts';
import { navigate } from '../../navigation/route.ts';
import { toggleWhose } from '../../ui/preferences.ts';

async function hammer(): Promise<void> {
  if (await navigate('throttling')) await startHammer();
}

export const THROTTLING: readonly Command[] = [
  {
    id: 'hammer',
    title: 'Hammer: send the requests',
    group: 'Throttling',
    shortcut: 'alt+H',
    needs: 'server',
    run: hammer,
  },
  {
    id: 'stop-hammer',
    title: 'Stop the hammer',
    group: 'Throttling',
    enabled: isHammering,
    run: stopHammer,
  },
  {
    id: 'advisories',
    title: 'Advisories: redundant token requests',
    group: 'Throttling',
    run: () => navigate('throttling', 'advisories'),
  },
  {
    id: 'own-requests',
    title: 'Include or leave out Grantbench’s own requests in the request rate and advisories',
    group: 'Throttling',
    run: toggleWhose,
  },
  {
    id: 'release-all',
    title: 'Release all throttle counters…',
    group: 'Throttling',
    needs: 'connection',
    run: releaseAll,
  },
];
