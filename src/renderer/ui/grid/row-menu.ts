// The menu of a row, opened by the second mouse button, the menu key or Shift+F10: browsers report all three as
// `contextmenu`. One at a time, shown by RowMenuHost.

import type { MouseEvent } from 'react';
import { createStore } from 'zustand/vanilla';

export interface RowAction {
  readonly title: string;
  readonly run: () => unknown;
  readonly disabled?: boolean;
  /** Whether it takes something away. */
  readonly danger?: boolean;
}

export interface RowMenu {
  /** Whose actions they are: "Client demo-app". */
  readonly label: string;
  readonly actions: readonly RowAction[];
  /** Where in the window, in CSS pixels. */
  readonly x: number;
  readonly y: number;
}

interface OpenMenu {
  /** null before the first. */
  readonly menu: RowMenu | null;
  readonly opened: boolean;
}

export const rowMenu = createStore<OpenMenu>(() => ({ menu: null, opened: false }));

let before: Element | null = null;

const INSET = 24;

/** Where the mouse is; without one, at the row. */
function placeIn(row: Element, { clientX, clientY }: MouseEvent): Pick<RowMenu, 'x' | 'y'> {
  const { left, right, top, bottom } = row.getBoundingClientRect();
  const within = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  return within ? { x: clientX, y: clientY } : { x: left + INSET, y: bottom };
}

export function openRowMenu(
  event: MouseEvent,
  row: Element,
  menu: Pick<RowMenu, 'label' | 'actions'>,
): void {
  event.preventDefault();
  before = document.activeElement;
  rowMenu.setState({ menu: { ...menu, ...placeIn(row, event) }, opened: true });
}

/** Focus goes back before an action runs: that may put it elsewhere. */
export function closeRowMenu(): void {
  if (!rowMenu.getState().opened) return;
  rowMenu.setState({ opened: false });
  if (before instanceof HTMLElement) before.focus();
}
