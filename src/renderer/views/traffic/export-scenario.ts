// Saves exchanges as a scenario file. They are read with their secrets, which the recorder leaves out.

import { control } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';
import { saveScenario } from '../../recording/save-scenario.ts';
import { recordTraffic } from '../../recording/traffic.ts';
import { notify } from '../../ui/notify.tsx';
import { readExchanges } from './read-exchanges.ts';
import { clientsIn } from './report-facts.ts';

/** @param wanted how many exchanges were chosen, including those omitted here @throws Error if none can be a step */
export async function exportScenario(numbers: readonly number[], wanted: number): Promise<void> {
  const exchanges = await readExchanges(numbers, true);
  const issuer = page.getState().server?.issuer ?? '';
  const sandbox = { issuer, ...(await control.workspace.get()) };
  const clients = clientsIn(exchanges);
  const name = clients.length === 0 ? 'Traffic' : `Traffic of ${clients.join(', ')}`.slice(0, 200);
  const missing = wanted - exchanges.length;
  const { scenario, summary } = recordTraffic({ name, exchanges, missing, sandbox });
  notify(`${saveScenario(scenario)} is saved: ${summary}`);
}
