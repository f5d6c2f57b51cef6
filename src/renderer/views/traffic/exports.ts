// Exchanges as a report or a scenario; the code of each is loaded when it is first wanted.

import { attempt } from '../../actions/sandbox.ts';
import { appTrafficOf, newestOfApp } from '../../connect/app-traffic.ts';
import { page } from '../../connection/state.ts';
import { allListed } from './export-exchanges.ts';
import { MOST_IN_SEQUENCE } from './traffic-state.ts';

/** The newest of these, as many as a diagram shows. @param chosen null for all that are listed */
async function newestOf(chosen: readonly number[] | null) {
  const all = [...new Set(chosen ?? (await allListed()))].sort((a, b) => a - b);
  if (all.length === 0) throw new Error('No exchange is listed.');
  return { numbers: all.slice(-MOST_IN_SEQUENCE), wanted: all.length };
}

export const exportReport = (chosen: readonly number[] | null): Promise<boolean> =>
  attempt('The report was not made.', async () => {
    const { numbers, wanted } = await newestOf(chosen);
    await (await import('./export-report.ts')).exportReport(numbers, wanted);
  });

/** Of all that the app has sent since its first request. */
export const exportAppReport = (): Promise<boolean> =>
  attempt('The report was not made.', async () => {
    const wanted = appTrafficOf(page.getState())?.count ?? 0;
    const numbers = await newestOfApp(MOST_IN_SEQUENCE);
    await (await import('./export-report.ts')).exportReport(numbers, wanted);
  });

export const exportScenario = (chosen: readonly number[] | null): Promise<boolean> =>
  attempt('The scenario was not made.', async () => {
    const { numbers, wanted } = await newestOf(chosen);
    await (await import('./export-scenario.ts')).exportScenario(numbers, wanted);
  });
