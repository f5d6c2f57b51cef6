// What is done with scenarios and reports; the code of each is loaded when it is first wanted.

import type { Present } from './saved/former/convert.ts';
import type { Kept } from '../../saved/saved-flow.ts';

export const report = async (): Promise<boolean> =>
  (await import('./report/export-report.ts')).exportReport();

export const scenario = async (): Promise<boolean> =>
  (await import('./export-scenario.ts')).exportScenario();

/** @param text of a scenario, saved or out of a file */
export const replay = async (name: string, text: string): Promise<boolean> =>
  (await import('./replay/replay.ts')).replay(name, text);

/** The walk as it stands as a scenario without secrets. */
export const recorded = async (name: string) =>
  (await import('./export-scenario.ts')).recordForHere(name);

export const convert = async (stored: string, present: Present): Promise<Kept> =>
  (await import('./saved/former/convert.ts')).convertFlows(stored, present);
