import { Menu } from '@mantine/core';
import { useStore } from 'zustand';
import { closeRowMenu, rowMenu, type RowAction } from './row-menu.ts';
import classes from './RowMenu.module.css';

function choose({ run }: RowAction): void {
  closeRowMenu();
  void run();
}

/** Shows the menu of a row; stands once, in App. */
export function RowMenuHost() {
  const { menu, opened } = useStore(rowMenu);
  if (menu === null) return null;
  const { label, actions, x, y } = menu;
  return (
    <Menu
      key={`${x} ${y} ${label}`}
      opened={opened}
      onChange={(open) => {
        if (!open) closeRowMenu();
      }}
      position="bottom-start"
      offset={0}
      returnFocus={false}
      withInitialFocusPlaceholder={false}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          className={classes.place}
          style={{ left: x, top: y }}
          aria-label={label}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item
            key={action.title}
            disabled={action.disabled === true}
            className={action.danger === true ? classes.danger : undefined}
            onClick={() => choose(action)}
          >
            {action.title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
