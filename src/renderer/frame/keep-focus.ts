// Keeps the focus in the page when the element that has it is removed or disabled: otherwise the document has it, and the
// keys and a screen reader start again at the top.

/** Not a citation in a sentence. */
const FOCUSABLE = 'a[href], button:not(:disabled, p *)';
const OVERLAY = '[role=dialog], [role=menu], [role=alert]';

/** An element of the page itself that had the focus, with its place in a list. */
interface Place {
  readonly element: HTMLElement;
  readonly rows: Element | null;
  /** The row's index among them. */
  readonly index: number;
  /** The elements that contain it, the innermost first. */
  readonly around: readonly Element[];
}

function placeOf(element: HTMLElement): Place {
  const row = element.closest('tr, li');
  const rows = row?.parentElement ?? null;
  const index = row === null || rows === null ? -1 : [...rows.children].indexOf(row);
  const around: Element[] = [];
  for (let one = element.parentElement; one !== null; one = one.parentElement) around.push(one);
  return { element, rows, index, around };
}

const isUsable = (element: Element) => element.isConnected && !element.matches(':disabled');

/** The element itself, or else the row that took the place of a removed one, or else the first button or link near it. */
function nearest({ element, rows, index, around }: Place): HTMLElement | null {
  if (isUsable(element)) return element;
  const left = rows?.isConnected === true ? rows.children : null;
  const row = left?.[Math.min(index, left.length - 1)];
  for (const one of [row, ...around]) {
    const found = one?.isConnected === true && one.querySelector<HTMLElement>(FOCUSABLE);
    if (found) return found;
  }
  return null;
}

/**
 * Dialogs, menus and notifications are outside the root: when one of them is removed with the focus, the focus returns
 * to where it was in the page. A button that was disabled while it was loading gets the focus back.
 */
export function keepFocus(root: HTMLElement): void {
  let last: Element | null = null;
  let place: Place | null = null;
  let loading = false;
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const inPage = root.contains(target);
    loading = false;
    // A dialog whose content changes stays open, and keeps the focus from the page.
    last = (inPage ? null : target.closest(OVERLAY)) ?? target;
    if (inPage) place = placeOf(target);
  });
  new MutationObserver(() => {
    const { activeElement } = document;
    const isLost = activeElement === document.body || activeElement?.matches(':disabled');
    if (last === null || !isLost || (isUsable(last) && !loading)) return;
    loading = last.isConnected && last.matches('[data-loading]');
    if (loading) return;
    last = null;
    if (place !== null) nearest(place)?.focus({ preventScroll: true });
  }).observe(document.body, {
    attributeFilter: ['disabled', 'data-loading'],
    childList: true,
    subtree: true,
  });
}
