// The context menu of a row, opened by a right click, the menu key or Shift+F10: browsers report all three as
// `contextmenu`. RowMenuHost shows one at a time.

import { Menu } from '@mantine/core';
import type { MouseEvent } from 'react';
import type { Need } from '../../connection/reach.ts';
import { MenuAction } from '../MenuAction.tsx';
import { createOverlay } from '../overlay.ts';

export interface RowAction {
  readonly title: string;
  readonly run: () => unknown;
  readonly disabled?: boolean;
  /** What it requires; absent if it concerns the page only. */
  readonly needs?: Need;
  /** Whether it deletes something. */
  readonly danger?: boolean;
}

export interface RowMenu {
  /** Names the menu: "Client demo-app". */
  readonly label: string;
  readonly actions: readonly RowAction[];
}

/** With its position in the window, in CSS pixels. */
const rowMenu = createOverlay<RowMenu & { readonly x: number; readonly y: number }>();

const INSET = 24;

/** At the mouse, or at the row if the menu was opened by keyboard. */
function placeIn(row: Element, { clientX, clientY }: MouseEvent) {
  const { left, right, top, bottom } = row.getBoundingClientRect();
  const within = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  return within ? { x: clientX, y: clientY } : { x: left + INSET, y: bottom };
}

export function openRowMenu(event: MouseEvent, row: Element, menu: RowMenu): void {
  event.preventDefault();
  rowMenu.open({ ...menu, ...placeIn(row, event) });
}

/** Returns the focus before the action runs, since the action may move it. */
function choose({ run }: RowAction): void {
  rowMenu.close();
  void run();
}

/** Shows the menu of a row; rendered once, in Commands. */
export function RowMenuHost() {
  const { content: menu, opened } = rowMenu.useShown();
  if (menu === null) return null;
  const { label, actions, x, y } = menu;
  return (
    <Menu
      key={`${x} ${y} ${label}`}
      opened={opened}
      onChange={(open) => {
        if (!open) rowMenu.close();
      }}
      position="bottom-start"
      offset={0}
      returnFocus={false}
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          style={{ position: 'fixed', left: x, top: y, pointerEvents: 'none' }}
          aria-label={label}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <MenuAction
            key={action.title}
            needs={action.needs}
            disabled={action.disabled === true}
            c={action.danger === true ? 'var(--bad)' : 'var(--text)'}
            onClick={() => choose(action)}
          >
            {action.title}
          </MenuAction>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
