// The walk as a scenario file, handed over to be saved: `grantbench run` does it again.

import { attempt } from '../../../actions/sandbox.ts';
import { control } from '../../../connection/control.ts';
import { page } from '../../../connection/state.ts';
import { notify } from '../../../ui/notify.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { currentChoice } from '../choice.ts';
import { nameInFile } from '../file-name.ts';
import { flow } from '../flow-store.ts';
import { recordScenario } from './scenario.ts';

function nameOf(): string {
  const { client } = currentChoice();
  return flow.getState().name ?? (client?.client_name || client?.client_id) ?? 'Flow';
}

export const exportScenario = (): Promise<boolean> =>
  attempt('The scenario was not made.', async () => {
    const issuer = page.getState().server?.issuer ?? '';
    const { clients, users, audiences, settings, faults } = await control.workspace.get();
    const sandbox = { issuer, clients, users, audiences, settings, faults };
    const name = nameOf();
    const { events } = flow.getState();
    const scenario = recordScenario({ name, events, sandbox, takes_along: true });
    const file = `${nameInFile(name)}.scenario.json`;
    saveFile([`${JSON.stringify(scenario, null, 2)}\n`], file);
    notify(`${file} is saved: “grantbench run ${file}” does it again`);
  });
