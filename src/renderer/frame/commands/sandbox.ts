// Commands that act on the sandbox as a whole: the server and its settings, throttling, the clock, the workspace.

import { DIALECTS, PROFILES, THROTTLE_MODES } from '../../../control/names.ts';
import {
  attempt,
  changeSettings,
  setDialect,
  setProfile,
  startServer,
  stopServer,
  resetCounters,
  changeClock,
} from '../../actions/sandbox.ts';
import { commandsIn, needing, type CommandEntry } from '../../navigation/command.ts';
import { rotateKey } from '../../views/settings/KeysSection.tsx';
import { page, type State } from '../../connection/state.ts';
import { copyText } from '../../ui/notify.tsx';
import { isHammering, startHammer, stopHammer } from '../../views/throttling/hammer.ts';
import { inView, navigate } from '../../navigation/route.ts';
import { toggleWhose } from '../../ui/preferences.ts';
import {
  chooseWorkspaceFile,
  exportWorkspace,
  resetSandbox,
  resetWorkspace,
} from '../../actions/workspace.ts';
import {
  appWindow,
  type AppWindow,
  keepRunning,
  openWorkspace,
  saveWorkspaceAs,
} from '../../actions/window.ts';
import { mirrorDialog } from '../dialogs.ts';

const running = (state: State): boolean => state.server?.state === 'running';

const copy = (what: string, pick: (state: State) => string | undefined) => () =>
  copyText(`the ${what}`, `The ${what} was not copied.`, () => pick(page.getState()) ?? '');

const setThrottle = (mode: (typeof THROTTLE_MODES)[number]) =>
  attempt('The throttle mode was not changed.', () => changeSettings({ throttle: { mode } }));

export const SERVER = commandsIn('Server', [
  {
    id: 'start',
    title: 'Start server',
    needs: 'connection',
    enabled: (state) => !running(state),
    run: () => startServer(),
  },
  { id: 'stop', title: 'Stop server…', needs: 'connection', enabled: running, run: stopServer },
  {
    id: 'copy-base-url',
    title: 'Copy base URL',
    shortcut: 'mod+shift+U',
    run: copy('base URL', (state) => state.server?.issuer),
  },
  {
    id: 'copy-token-endpoint',
    title: 'Copy token endpoint',
    run: copy('token endpoint', (state) => state.server?.endpoints.token),
  },
  ...needing('connection', [
    { id: 'rotate-key', title: 'Rotate the signing key…', run: rotateKey },
    ...PROFILES.map((profile): CommandEntry => ({
      id: `profile-${profile}`,
      title: `Use profile ${profile}`,
      enabled: (state) => state.settings?.profile !== profile,
      run: () => setProfile(profile),
    })),
    ...DIALECTS.map((dialect): CommandEntry => ({
      id: `dialect-${dialect}`,
      title: `Use dialect ${dialect}`,
      enabled: (state) => state.settings?.dialect !== dialect,
      run: () => setDialect(dialect),
    })),
  ]),
]);

// Throttling: its counters, its advisories, and the requests that test it.

export const THROTTLING = commandsIn('Throttling', [
  ...THROTTLE_MODES.map((mode): CommandEntry => ({
    id: `throttle-${mode}`,
    title: `Throttle mode: ${mode}`,
    needs: 'connection',
    enabled: (state) => state.settings?.throttle.mode !== mode,
    run: () => setThrottle(mode),
  })),
  {
    id: 'hammer',
    title: 'Hammer: send the requests',
    shortcut: 'alt+H',
    needs: 'server',
    run: inView('throttling')(startHammer),
  },
  { id: 'stop-hammer', title: 'Stop the hammer', enabled: isHammering, run: stopHammer },
  {
    id: 'advisories',
    title: 'Advisories: redundant token requests',
    run: () => navigate('throttling', 'advisories'),
  },
  {
    id: 'own-requests',
    title: 'Include or exclude Grantbench’s own requests in the request rate and advisories',
    run: toggleWhose,
  },
  {
    id: 'reset-counters',
    title: 'Reset all throttle counters…',
    needs: 'connection',
    run: resetCounters,
  },
]);

const ADVANCES = [
  ['1 minute', 60],
  ['10 minutes', 600],
  ['1 hour', 3600],
  ['1 day', 86_400],
  ['30 days', 2_592_000],
] as const;

export const CLOCK = commandsIn(
  'Clock',
  needing('connection', [
    {
      id: 'clock-freeze',
      title: 'Freeze the clock',
      enabled: (state) => state.clock?.frozen === false,
      run: () => changeClock({ frozen: true }),
    },
    {
      id: 'clock-resume',
      title: 'Resume the clock',
      enabled: (state) => state.clock?.frozen === true,
      run: () => changeClock({ frozen: false }),
    },
    ...ADVANCES.map(([words, seconds]): CommandEntry => ({
      id: `clock-advance-${seconds}`,
      title: `Advance the clock by ${words}`,
      run: () => changeClock({ advance_seconds: seconds }),
    })),
    { id: 'clock-reset', title: 'Return to real time', run: () => changeClock({ reset: true }) },
  ]),
);

const workspaceInWindow = (window: AppWindow): readonly CommandEntry[] => [
  {
    id: 'open-workspace',
    title: 'Open workspace…',
    needs: 'connection',
    run: () => openWorkspace(window),
  },
  { id: 'mirror-provider', title: 'Mirror a provider…', run: () => mirrorDialog.open(null) },
  {
    id: 'save-workspace-as',
    title: 'Save workspace as…',
    needs: 'connection',
    run: () => saveWorkspaceAs(window),
  },
];

export const WORKSPACE = commandsIn('Workspace', [
  ...(appWindow === null ? [] : workspaceInWindow(appWindow)),
  ...needing('connection', [
    { id: 'import-workspace', title: 'Import workspace…', run: chooseWorkspaceFile },
    { id: 'export-workspace', title: 'Export workspace, secrets included', run: exportWorkspace },
    { id: 'reset', title: 'Reset the sandbox…', run: resetSandbox },
    { id: 'reset-workspace', title: 'Reset the sandbox and the workspace…', run: resetWorkspace },
  ]),
]);

const pageInWindow = (window: AppWindow) =>
  needing('connection', [
    {
      id: 'keep-running',
      title: 'Keep running when the window closes',
      run: () => keepRunning(window, true),
    },
    {
      id: 'end-with-window',
      title: 'Quit when the window closes',
      run: () => keepRunning(window, false),
    },
  ]);

/** What becomes of the server when the window closes. */
export const WINDOW = commandsIn('Page', appWindow === null ? [] : pageInWindow(appWindow));
