// The walk through the flow: running it, keeping it, handing it on.

import type { Command } from '../../navigation/command.ts';
import { chooseComparison } from '../../views/flow/comparison/comparison-store.ts';
import { report, scenario } from '../../views/flow/exports.ts';
import { STEP_IDS, stepsOf, type StepId } from '../../views/flow/flow-steps.ts';
import { changeFlow, flow } from '../../views/flow/flow-store.ts';
import { runAll, runStep } from '../../views/flow/run.ts';
import { openScenario } from '../../views/flow/open-scenario.ts';
import { runAsPerson, runAsPublicClient } from '../../views/flow/person/run-as-person.ts';
import { STEP_TITLES } from '../../views/flow/step-words.ts';
import { navigate } from '../../navigation/route.ts';
import { running } from './server.ts';

const inFlow = (run: () => unknown) => async () => {
  if (await navigate('flow')) run();
};

const isStepShown = (step: StepId) => stepsOf(flow.getState().inputs.grant).includes(step);
const hasMessages = () => flow.getState().events.length > 0;
const startChoosing = () => changeFlow((state) => ({ ...state, choosing: true }));

export const FLOW: readonly Command[] = [
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
    enabled: (state) => running(state) && isStepShown(step),
    run: inFlow(() => runStep(step)),
  })),
  {
    id: 'sign-in',
    title: 'Sign in yourself, in your browser',
    group: 'Flow',
    enabled: running,
    run: inFlow(runAsPerson),
  },
  {
    id: 'sign-in-public',
    title: 'Sign in yourself as a public client, with PKCE',
    group: 'Flow',
    enabled: running,
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
    enabled: running,
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
