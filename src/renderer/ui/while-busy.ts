/**
 * Props of a button that does nothing while a run goes on. It is not `disabled`: that would take the
 * focus away from who pressed it.
 */
export const whileBusy = (busy: boolean) => (busy ? { 'aria-disabled': true as const } : {});
