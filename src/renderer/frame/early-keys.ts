// Keeps shortcuts that are pressed before the commands have loaded, and runs them then.

const kept: KeyboardEvent[] = [];

/** Keys typed into a field are not shortcuts. */
const isTyped = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.matches('input, textarea, select');

const isShortcut = ({ altKey, ctrlKey, metaKey, key }: KeyboardEvent): boolean =>
  altKey || ctrlKey || metaKey || /^F\d/.test(key);

function keep(event: KeyboardEvent): void {
  if (isShortcut(event) && !isTyped(event)) kept.push(event);
}

export function keepEarlyKeys(): void {
  document.addEventListener('keydown', keep);
}

/** Returns the shortcuts kept so far, and stops keeping more. */
export function takeEarlyKeys(): readonly KeyboardEvent[] {
  document.removeEventListener('keydown', keep);
  return kept.splice(0);
}
