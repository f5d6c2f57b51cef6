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

/** The page, or a dialog, a menu or a notification above it, with the element in it that had the focus last. */
interface Layer {
  /** null for the page. */
  readonly overlay: Element | null;
  readonly place: Place;
}

const isOpen = ({ overlay }: Layer) => overlay?.isConnected !== false;

/**
 * The focus stays in its layer while that is open, and returns to the one that had it before when it is removed with
 * the focus. A button that was disabled while it was loading gets the focus back.
 */
export function keepFocus(root: HTMLElement): void {
  let last: Place | null = null;
  /** Those that had the focus, the newest last. */
  let layers: readonly Layer[] = [];
  let loading = false;
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    loading = false;
    last = placeOf(target);
    const overlay = root.contains(target) ? null : target.closest(OVERLAY);
    if (overlay === null && !root.contains(target)) return;
    const others = layers.filter((one) => one.overlay !== overlay && isOpen(one));
    layers = [...others, { overlay, place: last }];
  });
  new MutationObserver(() => {
    const { activeElement } = document;
    const isLost = activeElement === document.body || activeElement?.matches(':disabled');
    if (last === null || !isLost || (isUsable(last.element) && !loading)) return;
    loading = last.element.isConnected && last.element.matches('[data-loading]');
    if (loading) return;
    last = null;
    const layer = layers.findLast(isOpen);
    if (layer !== undefined) nearest(layer.place)?.focus({ preventScroll: true });
  }).observe(document.body, {
    attributeFilter: ['disabled', 'data-loading'],
    childList: true,
    subtree: true,
  });
}
