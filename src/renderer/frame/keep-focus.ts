// Keeps the focus in the page when the element that has it is removed or disabled: otherwise the document has it, and the
// keys and a screen reader start again at the top.

/** Not a citation in a sentence. */
const FOCUSABLE = 'a[href], button:not(:disabled, p *)';
const OVERLAY = '[role=dialog], [role=menu], [role=alert]';

/** An element that had the focus, with its place in a list. */
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
 * Dialogs, menus and notifications are outside the root: the focus stays in one of them while it is open, and returns to
 * where it was in the page when it is removed with the focus. A button that was disabled while it was loading gets the
 * focus back.
 */
export function keepFocus(root: HTMLElement): void {
  let last: Place | null = null;
  let inPage: Place | null = null;
  let overlay: Element | null = null;
  let loading = false;
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    loading = false;
    last = placeOf(target);
    const isInPage = root.contains(target);
    overlay = isInPage ? null : target.closest(OVERLAY);
    if (isInPage) inPage = last;
  });
  new MutationObserver(() => {
    const { activeElement } = document;
    const isLost = activeElement === document.body || activeElement?.matches(':disabled');
    if (last === null || !isLost || (isUsable(last.element) && !loading)) return;
    loading = last.element.isConnected && last.element.matches('[data-loading]');
    if (loading) return;
    const place = overlay?.isConnected === true ? last : inPage;
    last = null;
    if (place !== null) nearest(place)?.focus({ preventScroll: true });
  }).observe(document.body, {
    attributeFilter: ['disabled', 'data-loading'],
    childList: true,
    subtree: true,
  });
}
