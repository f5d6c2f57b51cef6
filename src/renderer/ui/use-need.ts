// Controls that require the connection or the server. While the requirement is not met they stay visible, do nothing,
// and say why in their title. They are not `disabled`, since that would remove the focus from the control.

import { type Need, useObstacle } from '../connection/reach.ts';

/** Props of such a control. @param need undefined if it has no requirement */
export function useNeed(need: Need | undefined) {
  const why = useObstacle(need);
  return why === null ? {} : { 'aria-disabled': true as const, title: why };
}

/** The same for a field: what was typed stays, and can be read and copied. */
export function useFieldNeed(need: Need) {
  const why = useObstacle(need);
  return why === null ? {} : { readOnly: true as const, title: why };
}

/** Makes clicks on `aria-disabled` elements do nothing, in every view; called once. */
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
 * Props of a button that does nothing during a run. It is not `disabled`, since that would remove the focus from the
 * button.
 */
export const whileBusy = (busy: boolean | undefined) =>
  busy ? { 'aria-disabled': true as const, 'data-busy': true } : {};
