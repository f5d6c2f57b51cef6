// Every action of the page as one record, run from the palette, by its shortcut and by buttons alike.

import { setTheme, THEMES } from './appearance.ts';
import {
  attempt,
  changeClock,
  releaseAll,
  reset,
  setProfile,
  startServer,
  stopServer,
} from './actions.ts';
import { PROFILES } from '../control/schemas.ts';
import { navigate, VIEWS, type View } from './route.ts';
import { STEP_IDS } from './features/flow/flow-state.ts';
import { runAll, runStep } from './features/flow/run.ts';
import { STEP_TITLES } from './features/flow/step-words.ts';
import { exportExchanges, FORMATS } from './features/traffic/export-exchanges.ts';
import { askFor, clearView, inTraffic, togglePause } from './features/traffic/traffic-actions.ts';
import { page, type State } from './state.ts';
import { tell } from './ui/notify.tsx';

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group:
    | 'Go to'
    | 'Clients'
    | 'Server'
    | 'Clock'
    | 'Sandbox'
    | 'Theme'
    | 'Flow'
    | 'Traffic'
    | 'Throttling';
  /** As @mantine/hooks spells it: `alt+1`, `mod+K`. */
  readonly shortcut?: string;
  readonly enabled?: (state: State) => boolean;
  readonly run: () => unknown;
}

export const VIEW_NAMES: Record<View, string> = {
  flow: 'Flow',
  clients: 'Clients',
  users: 'Users',
  tokens: 'Tokens',
  traffic: 'Traffic',
  throttling: 'Throttling',
  settings: 'Settings',
};

const running = (state: State) => state.server?.state === 'running';

const copy = (what: string, pick: (state: State) => string | undefined) => () =>
  attempt(`The ${what} was not copied.`, async () => {
    await navigator.clipboard.writeText(pick(page.getState()) ?? '');
    tell(`The ${what} is copied`);
  });

const goTo = VIEWS.map((view, index): Command => ({
  id: `go-${view}`,
  title: VIEW_NAMES[view],
  group: 'Go to',
  shortcut: `alt+${index + 1}`,
  run: () => navigate(view),
}));

const inFlow = (run: () => unknown) => async () => {
  if (await navigate('flow')) run();
};

const flow: readonly Command[] = [
  {
    id: 'run-all',
    title: 'Run the whole flow',
    group: 'Flow',
    shortcut: 'alt+R',
    enabled: running,
    run: inFlow(runAll),
  },
  ...STEP_IDS.map((step): Command => ({
    id: `run-${step}`,
    title: `Run step: ${STEP_TITLES[step]}`,
    group: 'Flow',
    enabled: running,
    run: inFlow(() => runStep(step)),
  })),
];

const clients: readonly Command[] = [
  {
    id: 'register-client',
    title: 'Register client',
    group: 'Clients',
    shortcut: 'alt+N',
    run: () => navigate('clients', 'new:'),
  },
];

const hasTraffic = (state: State) => state.exchanges.size > 0;

const traffic: readonly Command[] = [
  {
    id: 'go-to-exchange',
    title: 'Go to exchange number…',
    group: 'Traffic',
    shortcut: 'alt+G',
    run: inTraffic(() => askFor('number')),
  },
  {
    id: 'filter-traffic',
    title: 'Filter traffic…',
    group: 'Traffic',
    run: inTraffic(() => askFor('filter')),
  },
  {
    id: 'pause-traffic',
    title: 'Pause traffic, or follow the newest',
    group: 'Traffic',
    run: inTraffic(togglePause),
  },
  {
    id: 'clear-traffic',
    title: 'Clear traffic from view',
    group: 'Traffic',
    enabled: hasTraffic,
    run: inTraffic(clearView),
  },
  ...FORMATS.map((format): Command => ({
    id: `export-${format}`,
    title: `Export listed traffic as ${format.toUpperCase()}, secrets left out`,
    group: 'Traffic',
    enabled: hasTraffic,
    run: () => exportExchanges(null, format, false),
  })),
];

const server: readonly Command[] = [
  {
    id: 'start',
    title: 'Start server',
    group: 'Server',
    enabled: (state) => !running(state),
    run: () => startServer(),
  },
  { id: 'stop', title: 'Stop server', group: 'Server', enabled: running, run: stopServer },
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
  ...PROFILES.map((profile): Command => ({
    id: `profile-${profile}`,
    title: `Use profile ${profile}`,
    group: 'Server',
    enabled: (state) => state.settings?.profile !== profile,
    run: () => setProfile(profile),
  })),
];

const ADVANCES = [
  ['1 minute', 60],
  ['1 hour', 3600],
  ['1 day', 86_400],
] as const;

const clock: readonly Command[] = [
  {
    id: 'clock-freeze',
    title: 'Freeze the clock',
    group: 'Clock',
    enabled: (state) => state.clock?.frozen === false,
    run: () => changeClock({ frozen: true }),
  },
  {
    id: 'clock-resume',
    title: 'Let the clock run',
    group: 'Clock',
    enabled: (state) => state.clock?.frozen === true,
    run: () => changeClock({ frozen: false }),
  },
  ...ADVANCES.map(([words, seconds]): Command => ({
    id: `clock-advance-${seconds}`,
    title: `Advance the clock by ${words}`,
    group: 'Clock',
    run: () => changeClock({ advance_seconds: seconds }),
  })),
  {
    id: 'clock-reset',
    title: 'Back to the real time',
    group: 'Clock',
    run: () => changeClock({ reset: true }),
  },
];

const sandbox: readonly Command[] = [
  {
    id: 'release-all',
    title: 'Release all throttle counters',
    group: 'Throttling',
    run: releaseAll,
  },
  { id: 'reset', title: 'Reset the sandbox…', group: 'Sandbox', run: () => reset(false) },
  {
    id: 'reset-workspace',
    title: 'Reset to the workspace file…',
    group: 'Sandbox',
    run: () => reset(true),
  },
];

const themes = THEMES.map((theme): Command => ({
  id: `theme-${theme}`,
  title: theme === 'auto' ? 'Theme: as the system' : `Theme: ${theme}`,
  group: 'Theme',
  run: () => setTheme(theme),
}));

export const COMMANDS: readonly Command[] = [
  ...goTo,
  ...flow,
  ...clients,
  ...traffic,
  ...server,
  ...clock,
  ...sandbox,
  ...themes,
];

export const isEnabled = (command: Command, state: State): boolean =>
  command.enabled?.(state) ?? true;

const APPLE = /Mac|iP(hone|ad)|darwin/.test(window.grantbench?.platform ?? navigator.userAgent);
const KEY_NAMES: Record<string, string> = APPLE
  ? { mod: '⌘', shift: '⇧', alt: '⌥' }
  : { mod: 'Ctrl', shift: 'Shift', alt: 'Alt' };

/** A shortcut as this platform writes it: `Ctrl K`, `⌘K`. */
export const keysOf = (shortcut: string): string =>
  shortcut
    .split('+')
    .map((key) => KEY_NAMES[key] ?? key)
    .join(APPLE ? '' : ' ');
