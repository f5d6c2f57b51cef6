// Keeps the focus in the page when the element that has it is removed: otherwise the document has it, and the keys and
// a screen reader start again at the top.

/** Not a citation in a sentence. */
const FOCUSABLE = 'a[href], button:not(:disabled, p *)';
const OVERLAY = '[role=dialog], [role=menu], [role=alert]';

/** An element of the page itself that had the focus, with its place in a list. */
interface Place {
  readonly element: HTMLElement;
  readonly rows: Element | null;
  /** The row's index among them. */
  readonly index: number;
  readonly section: Element | null;
}

function placeOf(element: HTMLElement): Place {
  const row = element.closest('tr, li');
  const rows = row?.parentElement ?? null;
  const index = row === null || rows === null ? -1 : [...rows.children].indexOf(row);
  return { element, rows, index, section: rows?.closest('section') ?? null };
}

/** The element itself, or else the row that took the place of a removed one, or else the list's first button. */
function nearest({ element, rows, index, section }: Place): HTMLElement | null {
  if (element.isConnected) return element;
  const left = rows?.isConnected === true ? rows.children : null;
  const row = left?.[Math.min(index, left.length - 1)];
  return (row ?? section)?.querySelector<HTMLElement>(FOCUSABLE) ?? null;
}

/**
 * Dialogs, menus and notifications are outside the root: when one of them is removed with the focus, the focus returns
 * to where it was in the page.
 */
export function keepFocus(root: HTMLElement): void {
  let last: Element | null = null;
  let place: Place | null = null;
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const inPage = root.contains(target);
    // A dialog whose content changes stays open, and keeps the focus from the page.
    last = (inPage ? null : target.closest(OVERLAY)) ?? target;
    if (inPage) place = placeOf(target);
  });
  new MutationObserver(() => {
    if (last === null || last.isConnected || document.activeElement !== document.body) return;
    last = null;
    if (place !== null) nearest(place)?.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}
