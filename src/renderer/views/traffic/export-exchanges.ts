// Exchanges into a file, asked for a few hundred at a time: the progress is seen, it can be stopped, and
// the token service is not kept waiting.

import { createStore } from 'zustand/vanilla';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { pluralize } from '../../ui/short-forms.ts';
import { page } from '../../connection/state.ts';
import { notify } from '../../ui/notify.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { documentPart, documentText, type DocumentPart } from './export-document.ts';
import { numberRanges } from './number-ranges.ts';
import { loadOlder } from './traffic-actions.ts';
import { currentRows, traffic } from './traffic-store.ts';
import { allNumbers } from './rows.ts';

export const FORMATS = ['har', 'json'] as const;
export type Format = (typeof FORMATS)[number];

interface Exporting {
  /** null while nothing is exported. */
  readonly progress: { readonly done: number; readonly total: number } | null;
}

const AT_ONCE = 200;

export const exporting = createStore<Exporting>(() => ({ progress: null }));

export const stopExport = (): void => exporting.setState({ progress: null });

/** null when it was stopped. */
async function collect(
  numbers: readonly number[],
  format: Format,
  secrets: boolean,
): Promise<DocumentPart[] | null> {
  const parts: DocumentPart[] = [];
  for (const [index, part] of numberRanges(numbers, AT_ONCE).entries()) {
    exporting.setState({ progress: { done: index * AT_ONCE, total: numbers.length } });
    const answer = await control.exchanges.export({ format, numbers: part, secrets });
    if (exporting.getState().progress === null) return null;
    parts.push(documentPart(answer));
  }
  return parts;
}

function fileName(format: Format): string {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return `grantbench-${stamp}.${format}`;
}

function outcome(found: number, wanted: number): string {
  const exported = `${pluralize(found, 'exchange')} exported`;
  return found === wanted
    ? exported
    : `${exported}; ${pluralize(wanted - found, 'other is', 'others are')} no longer kept`;
}

/** Everything listed: those too that were not loaded yet, for the list grows as it is scrolled. */
export async function allListed(): Promise<number[]> {
  let known = -1;
  while (page.getState().history?.next && page.getState().exchanges.size !== known) {
    known = page.getState().exchanges.size;
    await loadOlder();
  }
  const pinned = traffic.getState().pinned.map(({ number }) => number);
  return [...pinned, ...allNumbers(currentRows())];
}

/** @param chosen numbers; null for all that are listed */
export const exportExchanges = (
  chosen: readonly number[] | null,
  format: Format,
  secrets: boolean,
): Promise<boolean> =>
  attempt('Nothing was exported.', async () => {
    const numbers = chosen ?? (await allListed());
    if (numbers.length === 0) throw new Error('No exchange is listed.');
    try {
      const parts = await collect(numbers, format, secrets);
      if (parts === null) return;
      saveFile(documentText(parts), fileName(format));
      const found = parts.reduce((sum, { entries }) => sum + entries.length, 0);
      notify(outcome(found, numbers.length));
    } finally {
      stopExport();
    }
  });
