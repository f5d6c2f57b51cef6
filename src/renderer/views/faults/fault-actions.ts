// Actions on the fault rules, for the view and the palette. Each reports its result. Deletions can be undone, except
// for the counts: a restored rule counts from zero.

import type { Fault, FaultPreset, FaultState } from '../../../control/fault-schemas.ts';
import { attempt, offerUndo } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { dropEdits, isAt } from '../../navigation/route.ts';
import { change, page } from '../../connection/state.ts';
import { confirm } from '../../ui/confirm.ts';
import { pluralize } from '../../../words.ts';
import { notify } from '../../ui/notify.tsx';
import { recordOf } from './fault-draft.ts';
import { isActive, titleOf } from './rule-words.ts';

const quoted = (rule: Fault | FaultState) => `“${titleOf(rule)}”`;

const rules = () => page.getState().faults;

/** Puts a rule that the engine returned into the state, before the feed has the list reloaded. */
export function holdFault(rule: FaultState): void {
  change((state) => {
    const known = state.faults.some(({ id }) => id === rule.id);
    const faults = known
      ? state.faults.map((one) => (one.id === rule.id ? rule : one))
      : [...state.faults, rule];
    return { ...state, faults };
  });
}

/** Adds a rule that was just created in this page. */
export function addFault(rule: FaultState): void {
  holdFault(rule);
  change((state) => ({ ...state, added_fault: rule.id }));
}

const remove = async (id: string) => {
  await control.faults.remove({ id });
  dropEdits('faults', id);
  change((state) => ({ ...state, faults: state.faults.filter((rule) => rule.id !== id) }));
};

/** Adds the preset as the last rule. */
export const activatePreset = ({ id, fault }: FaultPreset): Promise<boolean> =>
  attempt(`“${fault.name}” was not activated.`, async () => {
    const rule = await control.faults.create({ preset: id });
    addFault(rule);
    // This view shows the rule itself; other views need a notification.
    if (isAt('faults')) return;
    offerUndo(`“${fault.name}” is active`, `“${fault.name}” was not removed.`, () =>
      remove(rule.id),
    );
  });

/** Turns a rule on or off, which resets its count. */
export async function setEnabled(rule: FaultState, enabled: boolean): Promise<void> {
  holdFault({ ...rule, enabled, remaining: rule.times });
  const done = await attempt(
    `${quoted(rule)} was not turned ${enabled ? 'on' : 'off'}.`,
    async () => holdFault(await control.faults.update({ id: rule.id, enabled })),
  );
  if (!done) holdFault(rule);
}

/** @param position from 0 */
export const moveFault = (rule: FaultState, position: number): Promise<boolean> =>
  attempt(`${quoted(rule)} was not moved.`, async () => {
    await control.faults.move({ id: rule.id, position });
    change((state) => {
      const [moved = rule] = state.faults.filter(({ id }) => id === rule.id);
      const others = state.faults.filter(({ id }) => id !== rule.id);
      return { ...state, faults: others.toSpliced(position, 0, moved) };
    });
  });

export async function deleteFault(rule: FaultState): Promise<boolean> {
  const position = rules().findIndex(({ id }) => id === rule.id);
  return attempt(`${quoted(rule)} was not deleted.`, async () => {
    await remove(rule.id);
    offerUndo(`${quoted(rule)} is deleted`, `${quoted(rule)} was not restored.`, async () => {
      holdFault(await control.faults.create(recordOf(rule)));
      await control.faults.move({ id: rule.id, position });
      notify(`${quoted(rule)} is restored`);
    });
  });
}

/** Deletes all rules. Undo restores them, but not their counts. */
export async function deleteAllFaults(): Promise<void> {
  const former = rules();
  const hits = former.reduce((sum, rule) => sum + rule.hits, 0);
  const goOn =
    hits === 0 ||
    (await confirm({
      title: `Delete ${pluralize(former.length, 'rule')}?`,
      body: `Undo restores the rules, but not their ${pluralize(hits, 'hit')}: the hit counts are reset.`,
      confirm: 'Delete',
      danger: true,
    }));
  if (!goOn) return;
  await attempt('The rules were not deleted.', async () => {
    await control.faults.removeAll();
    dropEdits('faults', null);
    page.setState({ faults: [] });
    offerUndo(
      `${pluralize(former.length, 'rule')} deleted`,
      'Not all rules were restored.',
      async () => {
        for (const rule of former) holdFault(await control.faults.create(recordOf(rule)));
        notify(`${pluralize(former.length, 'rule')} restored`);
      },
    );
  });
}

const switchAll = async (which: readonly FaultState[], enabled: boolean) => {
  await Promise.all(
    which.map(async ({ id }) => holdFault(await control.faults.update({ id, enabled }))),
  );
};

/** Turns every active rule off, so that responses are normal again. The rules are kept. */
export async function turnAllOff(): Promise<void> {
  const active = rules().filter(isActive);
  await attempt('Not all faults were turned off.', async () => {
    await switchAll(active, false);
    offerUndo(
      `${pluralize(active.length, 'fault')} turned off`,
      'Not all faults were turned on.',
      () => switchAll(active, true),
    );
  });
}
