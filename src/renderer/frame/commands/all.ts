// Every action of the page as one record, run from the palette, by its shortcut and by buttons alike. A command has a
// name, a shortcut and a function to run; it holds no state. Large areas have their own file beside this one.

import type { FaultPreset } from '../../../control/fault-schemas.ts';
import {
  commandsIn,
  needing,
  reasonAgainst,
  type Command,
  type CommandEntry,
} from '../../navigation/command.ts';
import { fillIn } from '../../views/requests/fill.ts';
import { copyAs, startFrom, send } from '../../views/requests/request-actions.ts';
import { changeRequests } from '../../views/requests/requests-store.ts';
import { notifyFailure } from '../../ui/notify.tsx';
import { toggleListing } from '../../ui/preferences.ts';
import { LANGUAGES } from '../../snippets/languages.ts';
import { isOffered, TEMPLATES } from '../../views/requests/templates.ts';
import { appTrafficOf } from '../../connect-app/app-traffic.ts';
import { inView, navigate, NEW_ITEM, VIEWS, type View } from '../../navigation/route.ts';
import { activatePreset, turnAllOff } from '../../views/faults/fault-actions.ts';
import { isActive } from '../../views/faults/rule-words.ts';
import {
  BUILD,
  copyToken,
  expireToken,
  isTokenOpen,
  mintTokens,
  PASTE,
  replayShown,
  revokeLineage,
  revokeToken,
  withOpenToken,
} from '../../views/tokens/token-actions.ts';
import {
  exportExchanges,
  FORMATS,
  exportAppReport,
  exportReport,
  exportScenario,
} from '../../views/traffic/exports.ts';
import { askFor, clearView, showApp, togglePause } from '../../views/traffic/traffic-actions.ts';
import type { Need } from '../../connection/reach.ts';
import { page, type State } from '../../connection/state.ts';
import { VIEW_HEADS } from '../view-parts.tsx';
import { CLOCK, SERVER, THROTTLING, WINDOW, WORKSPACE } from './sandbox.ts';
import { FLOW } from './flow.ts';
import { PAGE } from './page.ts';

const inRequests = inView('requests');
const inTraffic = inView('traffic');

const startSaving = () => changeRequests({ saving: true, pane: 'request' });
const startPasting = () => changeRequests({ pasting: true });

const requests = commandsIn('Requests', [
  {
    id: 'send-request',
    title: 'Send the current request',
    needs: 'connection',
    run: inRequests(send),
  },
  { id: 'save-request', title: 'Save the current request…', run: inRequests(startSaving) },
  {
    id: 'paste-curl',
    title: 'Paste a curl command…',
    shortcut: 'alt+C',
    run: inRequests(startPasting),
  },
  {
    id: 'fresh-credentials',
    title: 'Get new credentials for the request',
    shortcut: 'alt+shift+F',
    needs: 'connection',
    run: inRequests(fillIn),
  },
  ...TEMPLATES.map((template): CommandEntry => ({
    id: `start-from-${template.id}`,
    title: `New request: ${template.title}`,
    enabled: ({ settings }) => isOffered(template, settings),
    run: inRequests(() => startFrom(template.id)),
  })),
  ...LANGUAGES.map((language): CommandEntry => ({
    id: `copy-as-${language.id}`,
    title: `Copy the current request as ${language.name}`,
    run: () => copyAs(language),
  })),
]);

/** The first ten views have digits; the tenth has 0. */
function keyFor(view: View, index: number): string {
  if (view === 'help') return 'F1';
  return view === 'settings' ? 'mod+,' : `alt+${(index + 1) % 10}`;
}

const goTo = commandsIn(
  'Go to',
  VIEWS.map((view, index): CommandEntry => ({
    id: `go-${view}`,
    title: VIEW_HEADS[view].title,
    shortcut: keyFor(view, index),
    run: () => navigate(view),
  })),
);

const clients = commandsIn('Clients', [
  {
    id: 'register-client',
    title: 'Register client',
    shortcut: 'alt+N',
    run: () => navigate('clients', NEW_ITEM),
  },
]);

const hasTraffic = (state: State) => state.exchanges.size > 0;

const traffic = commandsIn('Traffic', [
  {
    id: 'go-to-exchange',
    title: 'Go to exchange number…',
    shortcut: 'alt+G',
    run: inTraffic(() => askFor('number')),
  },
  { id: 'filter-traffic', title: 'Filter traffic…', run: inTraffic(() => askFor('filter')) },
  { id: 'pause-traffic', title: 'Pause or resume the traffic list', run: inTraffic(togglePause) },
  {
    id: 'group-traffic',
    title: 'Group traffic by login, or list each exchange',
    run: inTraffic(toggleListing),
  },
  {
    id: 'clear-traffic',
    title: 'Clear traffic from view',
    enabled: hasTraffic,
    run: inTraffic(clearView),
  },
  {
    id: 'app-sequence',
    title: 'Show what the app sent since it connected as a sequence',
    enabled: (state) => appTrafficOf(state) !== null,
    run: inTraffic(showApp),
  },
  {
    id: 'app-report',
    title: 'Export what the app sent since it connected as an HTML report',
    enabled: (state) => appTrafficOf(state) !== null,
    needs: 'connection',
    run: exportAppReport,
  },
  ...needing('connection', [
    {
      id: 'export-report',
      title: 'Export listed traffic as an HTML report',
      enabled: hasTraffic,
      run: () => exportReport(null),
    },
    {
      id: 'export-scenario',
      title: 'Export listed traffic as a scenario for grantbench run',
      enabled: hasTraffic,
      run: () => exportScenario(null),
    },
    ...FORMATS.map((format): CommandEntry => ({
      id: `export-${format}`,
      title: `Export listed traffic as ${format.toUpperCase()}, without secrets`,
      enabled: hasTraffic,
      run: () => exportExchanges(null, format, false),
    })),
  ]),
]);

const faults = commandsIn('Faults', [
  {
    id: 'faults-off',
    title: 'Turn off all faults',
    shortcut: 'alt+shift+D',
    needs: 'connection',
    enabled: (state) => state.faults.some(isActive),
    run: turnAllOff,
  },
  { id: 'new-fault', title: 'New fault rule', run: () => navigate('faults', NEW_ITEM) },
]);

const presetCommand = (preset: FaultPreset): CommandEntry => ({
  id: `preset-${preset.id}`,
  title: `Activate preset: ${preset.fault.name}`,
  needs: 'connection',
  run: () => activatePreset(preset),
});

const users = commandsIn('Users', [
  { id: 'add-user', title: 'Add user', shortcut: 'alt+U', run: () => navigate('users', NEW_ITEM) },
]);

const ofOpenToken = (
  id: string,
  needs: Need,
  title: string,
  run: Parameters<typeof withOpenToken>[0],
): CommandEntry => ({
  id,
  title,
  needs,
  enabled: isTokenOpen,
  run: () => withOpenToken(run),
});

const tokens = commandsIn('Tokens', [
  {
    id: 'inspect-token',
    title: 'Inspect a pasted token',
    shortcut: 'alt+I',
    run: () => navigate('tokens', PASTE),
  },
  {
    id: 'build-token',
    title: 'Build and sign a valid or invalid token',
    run: () => navigate('tokens', BUILD),
  },
  { id: 'mint-tokens', title: 'Issue a token pair', needs: 'connection', run: mintTokens },
  ofOpenToken('copy-token', 'connection', 'Copy the open token', ({ credential }) =>
    copyToken(credential),
  ),
  ofOpenToken('replay-token', 'server', 'Replay the open token', replayShown),
  ofOpenToken('expire-token', 'connection', 'Expire the open token now…', expireToken),
  ofOpenToken('revoke-token', 'connection', 'Revoke the open token…', revokeToken),
  ofOpenToken('revoke-lineage', 'connection', 'Revoke the open token’s lineage…', ({ lineage }) =>
    revokeLineage(lineage),
  ),
]);

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
  ...WINDOW,
  ...PAGE,
];

/** All commands, including one for each of the engine's presets. */
export const commandsOf = ({ fault_presets }: State): readonly Command[] => [
  ...COMMANDS,
  ...commandsIn('Faults', fault_presets.map(presetCommand)),
];

/** Runs the command, or says why it cannot run now. */
export async function runOrExplain(command: Command): Promise<void> {
  const reason = reasonAgainst(command, page.getState());
  if (reason === null) await command.run();
  else notifyFailure(`“${command.title}” was not run.`, new Error(reason));
}

/** Does nothing if there is no such command. */
export async function runById(id: string): Promise<void> {
  const command = COMMANDS.find((one) => one.id === id);
  if (command !== undefined) await runOrExplain(command);
}
