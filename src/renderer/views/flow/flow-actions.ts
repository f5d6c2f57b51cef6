// Actions on scenarios, reports and comparisons. Each loads its code on first use.

import { parseJsonObject } from '../../../json.ts';
import { navigate } from '../../navigation/route.ts';
import { changeFlow } from './flow-store.ts';
import type { Unreadable } from './run-results.ts';
import { chooseFile } from '../../ui/save-file.ts';

export const report = async (): Promise<boolean> =>
  (await import('./FlowReport.tsx')).exportReport();

export const scenario = async (): Promise<boolean> =>
  (await import('./export-scenario.ts')).exportScenario();

/** @param text a scenario, from a file or saved by name */
export const replay = async (name: string, text: string): Promise<boolean> =>
  (await import('./replay-scenario.ts')).replay(name, text);

/** The current flow as a scenario without secrets, for the sandbox in use. */
export const recorded = async (name: string) =>
  (await import('./export-scenario.ts')).record(name, false);

const showUnreadable = (unreadable: Unreadable): void =>
  changeFlow((state) => ({ ...state, unreadable }));

const MOST_BYTES = { scenario: 5_000_000, comparison: 20_000_000 };

export const openScenario = (): void =>
  chooseFile(async (file) => {
    const { name } = file;
    if (file.size > MOST_BYTES.scenario) {
      const problems = ['The file is too large: a scenario may have at most 5 MB.'];
      showUnreadable({ name, use: 'run here', problems });
    } else await replay(name, await file.text());
  });

async function readComparison(file: File) {
  if (file.size > MOST_BYTES.comparison) {
    return { problems: ['The file is too large: a comparison may have at most 20 MB.'] };
  }
  const { readProviderReport } = await import('../../../scenario/reports/json.ts');
  return readProviderReport(await file.text());
}

async function openComparison(file: File): Promise<void> {
  const { name } = file;
  const read = await readComparison(file);
  if (!(await navigate('flow'))) return;
  if ('scenarios' in read) {
    changeFlow((state) => ({ ...state, comparison: { name, report: read } }));
  } else showUnreadable({ name, use: 'shown', problems: read.problems });
}

export const chooseComparison = (): void => chooseFile(openComparison);

/** Opens a dropped file if it is a comparison. @returns whether it is one */
export async function openIfComparison(file: File): Promise<boolean> {
  if (file.size > MOST_BYTES.comparison) return false;
  const read = parseJsonObject(await file.text());
  if (read?.['against'] === undefined || read['scenarios'] === undefined) return false;
  await openComparison(file);
  return true;
}
