// Commands of the flow: running it, saving it, exporting it.

import { commandsIn, type CommandEntry } from '../../navigation/command.ts';
import { chooseComparison, report, scenario, openScenario } from '../../views/flow/flow-actions.ts';
import {
  hasRunAfter,
  stepsOf,
  WALK_STEP_IDS,
  WALK_STEPS,
  type WalkStepId,
} from '../../../scenario/walks.ts';
import { flow } from '../../views/flow/flow-store.ts';
import { runAll, runFrom, runStep, stopRun } from '../../views/flow/run-flow.ts';
import { runAsPerson, runAsPublicClient } from '../../views/flow/Person.tsx';
import { openSavedFlows } from '../../views/flow/SavedFlows.tsx';
import { inView } from '../../navigation/route.ts';

const inFlow = inView('flow');

const isStepShown = (step: WalkStepId) => stepsOf(flow.getState().document.grant).includes(step);
const hasMessages = () => flow.getState().events.length > 0;

/** The client step is never run: the client is registered or it is not. */
const RUN_BY_ITSELF = WALK_STEP_IDS.filter((step) => step !== 'client');

export const FLOW = commandsIn('Flow', [
  {
    id: 'run-all',
    title: 'Run the whole flow',
    shortcut: 'alt+R',
    needs: 'server',
    run: inFlow(runAll),
  },
  ...RUN_BY_ITSELF.map((step): CommandEntry => ({
    id: `run-${step}`,
    title: `Run step: ${WALK_STEPS[step].title}`,
    needs: 'server',
    enabled: () => isStepShown(step),
    run: inFlow(() => runStep(step)),
  })),
  ...RUN_BY_ITSELF.map((step): CommandEntry => ({
    id: `run-from-${step}`,
    title: `Run from step: ${WALK_STEPS[step].title}`,
    needs: 'server',
    enabled: () => isStepShown(step) && hasRunAfter(flow.getState().document.grant, step),
    run: inFlow(() => runFrom(step)),
  })),
  {
    id: 'stop-run',
    title: 'Stop the run',
    enabled: () => flow.getState().running !== null,
    run: stopRun,
  },
  {
    id: 'sign-in',
    title: 'Sign in yourself, in your browser',
    needs: 'server',
    run: inFlow(runAsPerson),
  },
  {
    id: 'sign-in-public',
    title: 'Sign in yourself as a public client, with PKCE',
    needs: 'server',
    run: inFlow(runAsPublicClient),
  },
  { id: 'saved-flows', title: 'Save or replay a flow…', run: inFlow(openSavedFlows) },
  {
    id: 'open-scenario',
    title: 'Run a scenario from a file…',
    needs: 'server',
    run: inFlow(openScenario),
  },
  {
    id: 'open-comparison',
    title: 'Open a comparison with a provider…',
    run: inFlow(chooseComparison),
  },
  {
    id: 'flow-report',
    title: 'Export the flow as an HTML report',
    enabled: hasMessages,
    run: report,
  },
  {
    id: 'flow-scenario',
    title: 'Export the flow as a scenario for grantbench run',
    enabled: hasMessages,
    run: scenario,
  },
]);
