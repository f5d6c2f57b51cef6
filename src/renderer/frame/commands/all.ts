// Every action of the page as one record, run from the palette, by its shortcut and by buttons alike. A command has a
// name, a shortcut and a function to run; it holds no state. Large areas have their own file beside this one.

import type { FaultPreset } from '../../../control/fault-schemas.ts';
import type { Command } from '../../navigation/command.ts';
import { fillIn } from '../../views/requests/fill.ts';
import { copyAs, inRequests, startFrom } from '../../views/requests/request-actions.ts';
import { changeRequests } from '../../views/requests/requests-store.ts';
import { send } from '../../views/requests/send.ts';
import { LANGUAGES } from '../../snippets/languages.ts';
import { isOffered, TEMPLATES } from '../../views/requests/templates.ts';
import { appTrafficOf } from '../../connect/app-traffic.ts';
import { navigate, VIEWS, type View } from '../../navigation/route.ts';
import { NEW_ITEM } from '../../navigation/draft-route.ts';
import { activatePreset, turnAllOff } from '../../views/faults/fault-actions.ts';
import { isActive } from '../../views/faults/rule-words.ts';
import {
  isTokenOpen,
  replayShown,
  withOpenToken,
  BUILD,
  PASTE,
} from '../../views/tokens/open-token.ts';
import {
  copyToken,
  expireToken,
  mintTokens,
  revokeLineage,
  revokeToken,
} from '../../views/tokens/token-actions.ts';
import {
  exportExchanges,
  FORMATS,
  exportAppReport,
  exportReport,
  exportScenario,
} from '../../views/traffic/exports.ts';
import {
  askFor,
  clearView,
  inTraffic,
  showApp,
  togglePause,
} from '../../views/traffic/traffic-actions.ts';
import type { Need } from '../../connection/reach.ts';
import type { State } from '../../connection/state.ts';
import { VIEW_ENTRIES } from '../views.tsx';
import { CLOCK, SERVER, THROTTLING, WORKSPACE } from './sandbox.ts';
import { FLOW } from './flow.ts';
import { PAGE } from './page.ts';

const startSaving = () => changeRequests((state) => ({ ...state, saving: true, pane: 'request' }));
const startPasting = () => changeRequests((state) => ({ ...state, pasting: true }));

const requests: readonly Command[] = [
  {
    id: 'send-request',
    title: 'Send the current request',
    group: 'Requests',
    needs: 'connection',
    run: inRequests(send),
  },
  {
    id: 'save-request',
    title: 'Save the current request…',
    group: 'Requests',
    run: inRequests(startSaving),
  },
  {
    id: 'paste-curl',
    title: 'Paste a curl command…',
    group: 'Requests',
    shortcut: 'alt+C',
    run: inRequests(startPasting),
  },
  {
    id: 'fresh-credentials',
    title: 'Get new credentials for the request',
    group: 'Requests',
    shortcut: 'alt+shift+F',
    needs: 'connection',
    run: inRequests(fillIn),
  },
  ...TEMPLATES.map((template): Command => ({
    id: `start-from-${template.id}`,
    title: `New request: ${template.title}`,
    group: 'Requests',
    enabled: ({ settings }) => isOffered(template, settings),
    run: inRequests(() => startFrom(template.id)),
  })),
  ...LANGUAGES.map((language): Command => ({
    id: `copy-as-${language.id}`,
    title: `Copy the current request as ${language.name}`,
    group: 'Requests',
    run: () => copyAs(language),
  })),
];

/** The first ten views have digits; the tenth has 0. */
function keyFor(view: View, index: number): string {
  if (view === 'help') return 'F1';
  return view === 'settings' ? 'mod+,' : `alt+${(index + 1) % 10}`;
}

const goTo = VIEWS.map((view, index): Command => ({
  id: `go-${view}`,
  title: VIEW_ENTRIES[view].title,
  group: 'Go to',
  shortcut: keyFor(view, index),
  run: () => navigate(view),
}));

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
    title: 'Pause or resume the traffic list',
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
  {
    id: 'app-sequence',
    title: 'Show what the app sent since it connected as a sequence',
    group: 'Traffic',
    enabled: (state) => appTrafficOf(state) !== null,
    run: inTraffic(showApp),
  },
  {
    id: 'app-report',
    title: 'Export what the app sent since it connected as an HTML report',
    group: 'Traffic',
    enabled: (state) => appTrafficOf(state) !== null,
    needs: 'connection',
    run: exportAppReport,
  },
  {
    id: 'export-report',
    title: 'Export listed traffic as an HTML report',
    group: 'Traffic',
    enabled: hasTraffic,
    needs: 'connection',
    run: () => exportReport(null),
  },
  {
    id: 'export-scenario',
    title: 'Export listed traffic as a scenario for grantbench run',
    group: 'Traffic',
    enabled: hasTraffic,
    needs: 'connection',
    run: () => exportScenario(null),
  },
  ...FORMATS.map((format): Command => ({
    id: `export-${format}`,
    title: `Export listed traffic as ${format.toUpperCase()}, without secrets`,
    group: 'Traffic',
    enabled: hasTraffic,
    needs: 'connection',
    run: () => exportExchanges(null, format, false),
  })),
];

const faults: readonly Command[] = [
  {
    id: 'faults-off',
    title: 'Turn off all faults',
    group: 'Faults',
    shortcut: 'alt+shift+D',
    needs: 'connection',
    enabled: (state) => state.faults.some(isActive),
    run: turnAllOff,
  },
  {
    id: 'new-fault',
    title: 'New fault rule',
    group: 'Faults',
    run: () => navigate('faults', NEW_ITEM),
  },
];

const presetCommand = (preset: FaultPreset): Command => ({
  id: `preset-${preset.id}`,
  title: `Activate preset: ${preset.fault.name}`,
  group: 'Faults',
  needs: 'connection',
  run: () => activatePreset(preset),
});

const users: readonly Command[] = [
  {
    id: 'add-user',
    title: 'Add user',
    group: 'Users',
    shortcut: 'alt+U',
    run: () => navigate('users', NEW_ITEM),
  },
];

const ofOpenToken = (
  id: string,
  needs: Need,
  title: string,
  run: Parameters<typeof withOpenToken>[0],
): Command => ({
  id,
  title,
  group: 'Tokens',
  needs,
  enabled: isTokenOpen,
  run: () => withOpenToken(run),
});

const tokens: readonly Command[] = [
  {
    id: 'inspect-token',
    title: 'Inspect a pasted token',
    group: 'Tokens',
    shortcut: 'alt+I',
    run: () => navigate('tokens', PASTE),
  },
  {
    id: 'build-token',
    title: 'Build and sign a valid or invalid token',
    group: 'Tokens',
    run: () => navigate('tokens', BUILD),
  },
  {
    id: 'mint-tokens',
    title: 'Mint a token pair',
    group: 'Tokens',
    needs: 'connection',
    run: mintTokens,
  },
  ofOpenToken('copy-token', 'connection', 'Copy the open token', ({ credential }) =>
    copyToken(credential),
  ),
  ofOpenToken('replay-token', 'server', 'Replay the open token', replayShown),
  ofOpenToken('expire-token', 'connection', 'Expire the open token now…', expireToken),
  ofOpenToken('revoke-token', 'connection', 'Revoke the open token…', revokeToken),
  ofOpenToken('revoke-lineage', 'connection', 'Revoke the open token’s lineage…', ({ lineage }) =>
    revokeLineage(lineage),
  ),
];

export const COMMANDS: readonly Command[] = [
  ...goTo,
  ...FLOW,
  ...clients,
  ...users,
  ...requests,
  ...tokens,
  ...traffic,
  ...faults,
  ...SERVER,
  ...THROTTLING,
  ...CLOCK,
  ...WORKSPACE,
  ...PAGE,
];

/** All commands, including one for each of the engine's presets. */
export const commandsOf = ({ fault_presets }: State): readonly Command[] => [
  ...COMMANDS,
  ...fault_presets.map(presetCommand),
];
