// Saves exchanges as a file: as HAR or JSON, or as a report or a scenario, whose code is loaded when it is first used.

import type { ExchangeDocument, Har } from '../../../control/export-schemas.ts';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { pluralize } from '../../../words.ts';
import { page } from '../../connection/state.ts';
import { notify } from '../../ui/notify.tsx';
import { saveFile, momentInName } from '../../ui/save-file.ts';
import { appTrafficOf, newestOfApp } from '../../connect-app/app-traffic.ts';
import { numberRanges } from './number-ranges.ts';
import { loadOlder } from './traffic-actions.ts';
import { listedNumbers, MOST_IN_SEQUENCE, traffic } from './traffic-state.ts';

// Joins the parts of an export, as the engine returns them, into one document. Pure.

interface DocumentPart {
  /** The document, with an empty list as its last member. */
  readonly frame: object;
  /** The entries of the list, one per line. */
  readonly entries: readonly string[];
}

const lineOf = (entry: object) => JSON.stringify(entry);

export function documentPart(answer: Har | ExchangeDocument): DocumentPart {
  if ('log' in answer) {
    const { entries, ...log } = answer.log;
    return { frame: { log: { ...log, entries: [] } }, entries: entries.map(lineOf) };
  }
  const { exchanges, ...rest } = answer;
  return { frame: { ...rest, exchanges: [] }, entries: exchanges.map(lineOf) };
}

/** The text in pieces, so that a large one is never held twice. */
export function documentText(parts: readonly DocumentPart[]): string[] {
  const frame = JSON.stringify(parts.at(-1)?.frame ?? {});
  const end = frame.lastIndexOf('[]');
  const lines = parts.flatMap(({ entries }) => entries);
  const pieces = lines.map((line, index) => (index === 0 ? `\n${line}` : `,\n${line}`));
  return [`${frame.slice(0, end)}[`, ...pieces, `\n]${frame.slice(end + 2)}\n`];
}

// Exports exchanges in batches of a few hundred, so that progress is shown, the export can be stopped, and the token
// service is not kept waiting.

export const FORMATS = ['har', 'json'] as const;
type Format = (typeof FORMATS)[number];

const AT_ONCE = 200;

export const stopExport = (): void => traffic.setState({ exporting: null });
const isExporting = () => traffic.getState().exporting !== null;

/** null if it was stopped. */
async function collect(
  numbers: readonly number[],
  format: Format,
  secrets: boolean,
): Promise<DocumentPart[] | null> {
  const parts: DocumentPart[] = [];
  for (const [index, part] of numberRanges(numbers, AT_ONCE).entries()) {
    traffic.setState({ exporting: { done: index * AT_ONCE, total: numbers.length } });
    const answer = await control.exchanges.export({ format, numbers: part, secrets });
    if (!isExporting()) return null;
    parts.push(documentPart(answer));
  }
  return parts;
}

const fileName = (format: Format): string =>
  `grantbench-${momentInName(new Date().toISOString())}.${format}`;

function outcome(found: number, wanted: number): string {
  const exported = `${pluralize(found, 'exchange')} exported`;
  return found === wanted
    ? exported
    : `${exported}; ${pluralize(wanted - found, 'other is', 'others are')} no longer kept`;
}

/** All matching exchanges, including those that are not loaded yet. */
async function allListed(): Promise<number[]> {
  let known = -1;
  while (page.getState().history?.next && page.getState().exchanges.size !== known) {
    known = page.getState().exchanges.size;
    await loadOlder();
  }
  return listedNumbers();
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
    if (isExporting()) throw new Error('Another export is running.');
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

/** The newest of the chosen exchanges, as many as a diagram shows. @param chosen null for all that are listed */
async function newestOf(chosen: readonly number[] | null) {
  const all = [...new Set(chosen ?? (await allListed()))].sort((a, b) => a - b);
  if (all.length === 0) throw new Error('No exchange is listed.');
  return { numbers: all.slice(-MOST_IN_SEQUENCE), wanted: all.length };
}

export const exportReport = (chosen: readonly number[] | null): Promise<boolean> =>
  attempt('The report was not created.', async () => {
    const { numbers, wanted } = await newestOf(chosen);
    await (await import('./export-report.ts')).exportReport(numbers, wanted);
  });

/** Exports everything that the app has sent since its first request. */
export const exportAppReport = (): Promise<boolean> =>
  attempt('The report was not created.', async () => {
    const wanted = appTrafficOf(page.getState())?.count ?? 0;
    const numbers = await newestOfApp(MOST_IN_SEQUENCE);
    await (await import('./export-report.ts')).exportReport(numbers, wanted);
  });

export const exportScenario = (chosen: readonly number[] | null): Promise<boolean> =>
  attempt('The scenario was not created.', async () => {
    const { numbers, wanted } = await newestOf(chosen);
    await (await import('./export-report.ts')).exportScenario(numbers, wanted);
  });
