// The list as an element of the page, for those who lead the focus there.

export const GRID_ID = 'exchanges';
export const rowId = (number: number): string => `exchange-${number}`;

export const focusGrid = (): void =>
  document.getElementById(GRID_ID)?.focus({ preventScroll: true });
