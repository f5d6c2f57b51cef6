// Controls that need the connection or the server: while either cannot be had they stay in sight, do nothing, and their
// title says why. They are not `disabled`: that would take the focus away from who is about to press them.

import { type Need, useObstacle, useReach } from '../connection/reach.ts';

/** Props of such a control. @param need undefined: it can always be used */
export function useNeed(need: Need | undefined) {
  const why = useReach(({ obstacles }) => (need === undefined ? null : obstacles[need]));
  return why === null ? {} : { 'aria-disabled': true as const, title: why };
}

/** The same of a field: what was typed stays, and can be read and copied. */
export function useFieldNeed(need: Need) {
  const why = useObstacle(need);
  return why === null ? {} : { readOnly: true as const, title: why };
}

/** A press of what is `aria-disabled` does nothing, in every view; called once. */
export function ignoreDisabled(): void {
  const stop = (event: Event) => {
    const { target } = event;
    if (!(target instanceof Element) || target.closest('[aria-disabled="true"]') === null) return;
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', stop, { capture: true });
}

/**
 * Props of a button that does nothing while a run goes on. It is not `disabled`: that would take the
 * focus away from who pressed it.
 */
export const whileBusy = (busy: boolean) => (busy ? { 'aria-disabled': true as const } : {});
