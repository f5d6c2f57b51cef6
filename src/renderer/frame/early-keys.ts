// Shortcuts pressed before the commands' code has come: kept, and done once it is there.

const kept: KeyboardEvent[] = [];

/** Where one types, shortcuts are not meant; once bound, they are not heard there either. */
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

/** Those kept so far; from now on nothing is. */
export function takeEarlyKeys(): readonly KeyboardEvent[] {
  document.removeEventListener('keydown', keep);
  return kept.splice(0);
}
