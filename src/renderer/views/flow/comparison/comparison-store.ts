// The comparison that is shown, and how one is chosen. The reader of reports is loaded with the first one.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { isJsonObject } from '../../../../oauth/json-object.ts';
import type { ProviderReport } from '../../../../scenario/reports/read-report.ts';
import { navigate } from '../../../navigation/route.ts';
import { readJson } from '../../../ui/json-text.ts';
import { chooseFile } from '../choose-file.ts';
import { changeFlow } from '../flow-store.ts';

interface OpenedComparison {
  /** Of the file. */
  readonly name: string;
  readonly report: ProviderReport;
}

const MOST_BYTES = 20_000_000;

const opened = createStore<{ readonly shown: OpenedComparison | null }>(() => ({ shown: null }));

export const useComparison = (): OpenedComparison | null => useStore(opened, ({ shown }) => shown);

export const closeComparison = (): void => opened.setState({ shown: null });

async function read(file: File) {
  if (file.size > MOST_BYTES) {
    return { problems: ['The file is too large: a comparison may have at most 20 MB.'] };
  }
  const { readProviderReport } = await import('../../../../scenario/reports/read-report.ts');
  return readProviderReport(await file.text());
}

async function open(file: File): Promise<void> {
  const { name } = file;
  const report = await read(file);
  if (!(await navigate('flow'))) return;
  if ('scenarios' in report) opened.setState({ shown: { name, report } });
  else
    changeFlow((state) => ({
      ...state,
      unreadable: { name, use: 'shown', problems: report.problems },
    }));
}

/** Opens the report of a run at a provider that the person chooses. */
export const chooseComparison = (): void => chooseFile((file) => void open(file));

/** Opens a file that was dropped, if it is such a report. @returns whether it is */
export async function openIfComparison(file: File): Promise<boolean> {
  if (file.size > MOST_BYTES) return false;
  const json = readJson(await file.text());
  if (!json.ok || !isJsonObject(json.value)) return false;
  if (json.value['against'] === undefined || json.value['scenarios'] === undefined) return false;
  await open(file);
  return true;
}
