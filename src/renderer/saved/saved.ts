// What is saved by name: flows, which are scenarios, and single requests without their credentials. Both are in the
// workspace while its file is written, else in this browser. Kinds and places form one list. Deleting can be undone, and a
// record is replaced only after the user has confirmed it.

import { useMemo, useSyncExternalStore } from 'react';
import { useShallow } from 'zustand/react/shallow';
import {
  type SavedFlow as SavedFlowRecord,
  type SavedRequest,
  savedRequestSchema,
  type ServerState,
} from '../../control/schemas.ts';
import { z } from '../../control/zod.ts';
import { parseJsonObject } from '../../json.ts';
import type { Scenario } from '../../scenario/schema.ts';
import { attempt } from '../actions/sandbox.ts';
import { control, problemOf } from '../connection/control.ts';
import { page, type State, usePage } from '../connection/state.ts';
import { handOver } from '../sending/handover.ts';
import { notify, notifyWithUndo } from '../ui/notify.tsx';
import { pluralize } from '../../words.ts';
import { saveScenario } from '../ui/save-file.ts';

const LONGEST_NAME = 80;

/** Only what the list shows is checked here. The whole scenario is checked when it is run. */
export interface SavedFlow {
  /** Machine time. */
  readonly saved_at: string;
  readonly scenario: Pick<Scenario, 'name'> & { readonly steps: readonly unknown[] };
}

export type SavedRecord = SavedFlow | SavedRequest;
export type SavedKind = 'flow' | 'request';
type Place = 'workspace' | 'browser';

export interface Saved {
  readonly place: Place;
  readonly record: SavedRecord;
}

export const isFlow = (record: SavedRecord): record is SavedFlow => 'scenario' in record;
export const kindOf = (record: SavedRecord): SavedKind => (isFlow(record) ? 'flow' : 'request');
export const nameOf = (record: SavedRecord): string =>
  isFlow(record) ? record.scenario.name : record.name;

/** What it does, in a few words. */
export const contentWords = (record: SavedRecord): string =>
  isFlow(record)
    ? `replays ${pluralize(record.scenario.steps.length, 'step')}`
    : `${record.method} ${record.path}`;

const renamed = (record: SavedRecord, name: string): SavedRecord =>
  isFlow(record) ? { ...record, scenario: { ...record.scenario, name } } : { ...record, name };

// The storage of the browser. Another version may have written it.

const savedFlowSchema = z.strictObject({
  saved_at: z.iso.datetime(),
  scenario: z.looseObject({
    name: z.string().check(z.minLength(1), z.maxLength(LONGEST_NAME)),
    steps: z.array(z.unknown()),
  }),
});

/** In each place. */
const MOST: Record<SavedKind, number> = { flow: 50, request: 100 };

const KEYS: Record<SavedKind, string> = {
  flow: 'grantbench.scenarios',
  request: 'grantbench.saved-requests',
};

/** The records in the stored text that can be parsed. */
export function readKept(kind: SavedKind, stored: string | null): readonly SavedRecord[] {
  const text = stored ?? '[]';
  const inside = parseJsonObject(kind === 'flow' ? text : `{"requests":${text}}`);
  const list = inside?.[`${kind}s`];
  const schema = kind === 'flow' ? savedFlowSchema : savedRequestSchema;
  return (Array.isArray(list) ? list : [])
    .flatMap((one): readonly SavedRecord[] => [schema.safeParse(one).data ?? []].flat())
    .slice(0, MOST[kind]);
}

const textOf = (kind: SavedKind) => localStorage.getItem(KEYS[kind]);
const keptNow = (kind: SavedKind) => readKept(kind, textOf(kind));

/** The browser reports only changes by other tabs; `changeBrowser` reports its own in the same way. */
function subscribe(listener: () => void): () => void {
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}

function useKept(kind: SavedKind): readonly SavedRecord[] {
  const text = useSyncExternalStore(subscribe, () => textOf(kind));
  return useMemo(() => readKept(kind, text), [kind, text]);
}

type Change = (records: readonly SavedRecord[]) => readonly SavedRecord[];

/** Several tabs share the storage, so each change starts from its current content. @throws when it is full */
function changeBrowser(kind: SavedKind, change: Change): void {
  const records = change(keptNow(kind));
  localStorage.setItem(KEYS[kind], JSON.stringify(kind === 'flow' ? { flows: records } : records));
  dispatchEvent(new StorageEvent('storage', { key: KEYS[kind] }));
}

// The workspace.

/** Shows a change of the workspace before the feed reports it. The service validates what another version has stored. */
function changeListed(kind: SavedKind, change: Change): void {
  const { saved_flows, saved_requests } = page.getState();
  page.setState(
    kind === 'flow'
      ? { saved_flows: change(saved_flows) as readonly SavedFlowRecord[] }
      : { saved_requests: change(saved_requests) as readonly SavedRequest[] },
  );
}

/** @throws a conflict when the name is taken, unless `replace` is set */
const put = (record: SavedRecord, replace: boolean): Promise<SavedRecord> =>
  isFlow(record)
    ? control.savedFlows.put({ name: nameOf(record), replace, ...(record as SavedFlowRecord) })
    : control.savedRequests.put({ ...record, replace });

// Both places.

type Listed = Pick<State, 'saved_flows' | 'saved_requests'>;

const listedAt = (place: Place, records: readonly SavedRecord[]) =>
  records.map((record): Saved => ({ place, record }));

/** Newest first. */
const together = (
  { saved_flows, saved_requests }: Listed,
  ...kept: readonly (readonly SavedRecord[])[]
): Saved[] =>
  [
    ...listedAt('workspace', [...saved_flows, ...saved_requests]),
    ...listedAt('browser', kept.flat()),
  ].sort((a, b) => b.record.saved_at.localeCompare(a.record.saved_at));

export const allSaved = (): readonly Saved[] =>
  together(page.getState(), keptNow('flow'), keptNow('request'));

export function useSaved(): readonly Saved[] {
  const listed = usePage(
    useShallow(({ saved_flows, saved_requests }) => ({ saved_flows, saved_requests })),
  );
  return together(listed, useKept('flow'), useKept('request'));
}

const placeOf = (server: ServerState | null): Place =>
  server !== null && ['saved', 'saving'].includes(server.workspace.state) ? 'workspace' : 'browser';
const placeNow = () => placeOf(page.getState().server);

const ofKind = (kind: SavedKind, place: Place) =>
  allSaved().filter((one) => kindOf(one.record) === kind && one.place === place);

/** The record of this name in the place where the next one would be saved. */
export const findSaved = (kind: SavedKind, name: string, place: Place = placeNow()): Saved | null =>
  ofKind(kind, place).find(({ record }) => nameOf(record) === name.trim()) ?? null;

/** Why nothing can be saved under this name; null when it can. */
export function nameProblem(
  kind: SavedKind,
  name: string,
  place: Place = placeNow(),
): string | null {
  const trimmed = name.trim();
  if (trimmed === '') return 'Enter a name.';
  if (trimmed.length > LONGEST_NAME) return `At most ${LONGEST_NAME} characters.`;
  return ofKind(kind, place).length >= MOST[kind] && findSaved(kind, name, place) === null
    ? `${MOST[kind]} ${kind}s are already saved. Delete one first.`
    : null;
}

const without =
  (name: string): Change =>
  (records) =>
    records.filter((each) => nameOf(each) !== name);

/** @returns false when the name is taken */
async function putAt(place: Place, record: SavedRecord, replace: boolean): Promise<boolean> {
  const [kind, name] = [kindOf(record), nameOf(record)];
  if (!replace && findSaved(kind, name, place) !== null) return false;
  const added =
    (one: SavedRecord): Change =>
    (records) => [one, ...without(name)(records)];
  if (place === 'browser') {
    changeBrowser(kind, added(record));
    return true;
  }
  try {
    const saved = await put(record, replace);
    changeListed(kind, added(saved));
    return true;
  } catch (error) {
    const { code, field } = problemOf(error);
    if (code === 'conflict' && field === 'name') return false;
    throw error;
  }
}

async function removeAt({ place, record }: Saved): Promise<void> {
  const [kind, name] = [kindOf(record), nameOf(record)];
  if (place === 'browser') {
    changeBrowser(kind, without(name));
    return;
  }
  await (isFlow(record) ? control.savedFlows : control.savedRequests).remove({ name });
  changeListed(kind, without(name));
}

const taken = (record: SavedRecord) =>
  new Error(`another ${kindOf(record)} has been saved as “${nameOf(record)}” since`);

/** Restores a record. If that replaces another one, this can be undone in the same way. */
const putBack =
  ({ place, record }: Saved, replace: boolean): (() => Promise<boolean>) =>
  () => {
    const [kind, name] = [kindOf(record), nameOf(record)];
    return attempt(`The ${kind} was not restored.`, async () => {
      const replaced = replace ? findSaved(kind, name, place) : null;
      if (!(await putAt(place, record, replace))) throw taken(record);
      if (replaced === null) notify(`“${name}” is restored`);
      else notifyWithUndo(`“${name}” is restored`, putBack(replaced, true));
    });
  };

/** @returns false when the name is taken, with nothing changed @throws Error when the record cannot be saved */
export async function save(record: SavedRecord, replace: boolean): Promise<boolean> {
  const name = nameOf(record);
  const former = findSaved(kindOf(record), name);
  if (!(await putAt(placeNow(), record, replace))) return false;
  if (former === null) notify(`“${name}” is saved, without secrets`);
  else notifyWithUndo(`“${name}” is replaced, without secrets`, putBack(former, true));
  return true;
}

/** @returns false when the name is taken, with nothing changed @throws Error when the record cannot be saved */
export async function rename(saved: Saved, name: string, replace: boolean): Promise<boolean> {
  const { place, record } = saved;
  const [kind, former] = [kindOf(record), nameOf(record)];
  if (name === former) return true;
  const replaced = findSaved(kind, name, place);
  const next = { place, record: renamed(record, name) };
  if (!(await putAt(place, next.record, replace))) return false;
  await removeAt(saved);
  notifyWithUndo(`“${former}” is renamed to “${name}”`, () =>
    attempt(`The ${kind} was not restored.`, async () => {
      if (!(await putAt(place, record, false))) throw taken(record);
      await (replaced === null ? removeAt(next) : putAt(place, replaced.record, true));
    }),
  );
  return true;
}

export const remove = (saved: Saved): Promise<boolean> =>
  attempt(`The ${kindOf(saved.record)} was not deleted.`, async () => {
    await removeAt(saved);
    notifyWithUndo(`“${nameOf(saved.record)}” is deleted`, putBack(saved, false));
  });

/** Replays a flow in the Flow view, or opens a request in the Requests view. */
export const openSaved = ({ record }: Saved): Promise<void> =>
  isFlow(record) ? handOver('flow', record.scenario) : handOver('requests', { saved: record });

/** Saves a scenario file, which `grantbench run` and the Flow view run. */
export const exportSaved = ({ record }: Saved): Promise<boolean> =>
  attempt('The scenario was not created.', async () => {
    if (isFlow(record)) saveScenario(record.scenario);
    else {
      const { requestScenario } = await import('../composing/request-scenario.ts');
      saveScenario(requestScenario(record, page.getState().clients));
    }
  });

const HERE = window.grantbench === undefined ? 'this browser' : 'this window';

/** Says where the next record is saved, and why there. */
export function whereWords(server: ServerState | null): string {
  switch (server?.workspace.state) {
    case 'saved':
    case 'saving':
      return `Saved in the workspace file ${server.workspace.file ?? ''}.`;
    case 'conflict':
      return `Saved in ${HERE}: another program has changed the workspace file, so it is not saved.`;
    case 'failed':
      return `Saved in ${HERE}: the workspace file could not be saved.`;
    case 'memory':
      return `Saved in ${HERE}: the server saves no workspace file (see serve --save).`;
    case undefined:
      return `Saved in ${HERE}: the server is not connected.`;
  }
}

/** The place of a record in a few words; null when the next one would be saved there too. */
export function elsewhere(place: Place, server: ServerState | null): string | null {
  if (place === placeOf(server)) return null;
  return place === 'browser' ? `in ${HERE}` : 'in the workspace';
}
