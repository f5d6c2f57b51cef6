// Commands of the flow: running it, saving it, exporting it.

import type { Command } from '../../navigation/command.ts';
import { chooseComparison } from '../../views/flow/exports.ts';
import { report, scenario } from '../../views/flow/exports.ts';
import {
  hasRunAfter,
  stepsOf,
  WALK_STEP_IDS,
  WALK_STEPS,
  type WalkStepId,
} from '../../../scenario/walks.ts';
import { changeFlow, flow } from '../../views/flow/flow-store.ts';
import { runAll, runFrom, runStep, stopRun } from '../../views/flow/run.ts';
import { openScenario } from '../../views/flow/exports.ts';
import { runAsPerson, runAsPublicClient } from '../../views/flow/run-as-person.ts';
import { navigate } from '../../navigation/route.ts';

const inFlow = (run: () => unknown) => async () => {
  if (await navigate('flow')) run();
};

const isStepShown = (step: WalkStepId) => stepsOf(flow.getState().document.grant).includes(step);
const hasMessages = () => flow.getState().events.length > 0;
const startChoosing = () => changeFlow((state) => ({ ...state, choosing: true }));

/** The client step is never run: the client is registered or it is not. */
const RUN_BY_ITSELF = WALK_STEP_IDS.filter((step) => step !== 'client');

export const FLOW: readonly Command[] = [
  {
    id: 'run-all',
    title: 'Run the whole flow',
    group: 'Flow',
    shortcut: 'alt+R',
    needs: 'server',
    run: inFlow(runAll),
  },
  ...RUN_BY_ITSELF.map((step): Command => ({
    id: `run-${step}`,
    title: `Run step: ${WALK_STEPS[step].title}`,
    group: 'Flow',
    needs: 'server',
    enabled: () => isStepShown(step),
    run: inFlow(() => runStep(step)),
  })),
  ...RUN_BY_ITSELF.map((step): Command => ({
    id: `run-from-${step}`,
    title: `Run from step: ${WALK_STEPS[step].title}`,
    group: 'Flow',
    needs: 'server',
    enabled: () => isStepShown(step) && hasRunAfter(flow.getState().document.grant, step),
    run: inFlow(() => runFrom(step)),
  })),
  {
    id: 'stop-run',
    title: 'Stop the run',
    group: 'Flow',
    enabled: () => flow.getState().running !== null,
    run: stopRun,
  },
  {
    id: 'sign-in',
    title: 'Sign in yourself, in your browser',
    group: 'Flow',
    needs: 'server',
    run: inFlow(runAsPerson),
  },
  {
    id: 'sign-in-public',
    title: 'Sign in yourself as a public client, with PKCE',
    group: 'Flow',
    needs: 'server',
    run: inFlow(runAsPublicClient),
  },
  {
    id: 'saved-flows',
    title: 'Save or replay a flow…',
    group: 'Flow',
    run: inFlow(startChoosing),
  },
  {
    id: 'open-scenario',
    title: 'Run a scenario from a file…',
    group: 'Flow',
    needs: 'server',
    run: inFlow(openScenario),
  },
  {
    id: 'open-comparison',
    title: 'Open a comparison with a provider…',
    group: 'Flow',
    run: inFlow(chooseComparison),
  },
  {
    id: 'flow-report',
    title: 'Export the flow as an HTML report',
    group: 'Flow',
    enabled: hasMessages,
    run: report,
  },
  {
    id: 'flow-scenario',
    title: 'Export the flow as a scenario for grantbench run',
    group: 'Flow',
    enabled: hasMessages,
    run: scenario,
  },
];
