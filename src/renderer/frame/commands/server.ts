// Commands for the server, its profile, dialect and throttle mode.

import { DIALECTS, PROFILES, THROTTLE_MODES } from '../../../control/names.ts';
import {
  attempt,
  changeSettings,
  setDialect,
  setProfile,
  startServer,
  stopServer,
} from '../../actions/sandbox.ts';
import type { Command } from '../../navigation/command.ts';
import { rotateKey } from '../../views/settings/key-actions.ts';
import { page, type State } from '../../connection/state.ts';
import { notify } from '../../ui/notify.tsx';

const running = (state: State): boolean => state.server?.state === 'running';

const copy = (what: string, pick: (state: State) => string | undefined) => () =>
  attempt(`The ${what} was not copied.`, async () => {
    await navigator.clipboard.writeText(pick(page.getState()) ?? '');
    notify(`Copied the ${what}`);
  });

const setThrottle = (mode: (typeof THROTTLE_MODES)[number]) =>
  attempt('The throttle mode was not changed.', () => changeSettings({ throttle: { mode } }));

export const SERVER: readonly Command[] = [
  {
    id: 'start',
    title: 'Start server',
    group: 'Server',
    needs: 'connection',
    enabled: (state) => !running(state),
    run: () => startServer(),
  },
  {
    id: 'stop',
    title: 'Stop server',
    group: 'Server',
    needs: 'connection',
    enabled: running,
    run: stopServer,
  },
  {
    id: 'copy-base-url',
    title: 'Copy base URL',
    group: 'Server',
    shortcut: 'mod+shift+U',
    run: copy('base URL', (state) => state.server?.issuer),
  },
  {
    id: 'copy-token-endpoint',
    title: 'Copy token endpoint',
    group: 'Server',
    run: copy('token endpoint', (state) => state.server?.token_endpoint),
  },
  {
    id: 'rotate-key',
    title: 'Rotate the signing key…',
    group: 'Server',
    needs: 'connection',
    run: rotateKey,
  },
  ...PROFILES.map((profile): Command => ({
    id: `profile-${profile}`,
    title: `Use profile ${profile}`,
    group: 'Server',
    needs: 'connection',
    enabled: (state) => state.settings?.profile !== profile,
    run: () => setProfile(profile),
  })),
  ...DIALECTS.map((dialect): Command => ({
    id: `dialect-${dialect}`,
    title: `Use dialect ${dialect}`,
    group: 'Server',
    needs: 'connection',
    enabled: (state) => state.settings?.dialect !== dialect,
    run: () => setDialect(dialect),
  })),
  ...THROTTLE_MODES.map((mode): Command => ({
    id: `throttle-${mode}`,
    title: `Throttle mode: ${mode}`,
    group: 'Throttling',
    needs: 'connection',
    enabled: (state) => state.settings?.throttle.mode !== mode,
    run: () => setThrottle(mode),
  })),
];
