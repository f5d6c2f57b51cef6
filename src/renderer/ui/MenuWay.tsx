import { Menu, Text, type MenuItemProps } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Need } from '../connection/reach.ts';
import { useNeed } from './use-need.ts';

interface MenuActionProps extends MenuItemProps {
  /** What it needs; left out, it is a matter of the page alone. */
  readonly needs?: Need | undefined;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** An item of a menu, which does nothing while what it needs cannot be had. */
export function MenuAction({ needs, ...item }: MenuActionProps) {
  return <Menu.Item {...item} {...useNeed(needs)} />;
}

interface MenuWayProps {
  readonly name: string;
  readonly about: string;
  readonly needs?: Need;
  readonly run: () => Promise<unknown>;
}

/** One of several ways that a menu offers, with what it is good for. */
export function MenuWay({ name, about, needs, run }: MenuWayProps) {
  return (
    <MenuAction needs={needs} onClick={() => void run()}>
      {name}
      <Text component="small" display="block" maw="var(--field)" fz="var(--fs-xs)" c="dimmed">
        {about}
      </Text>
    </MenuAction>
  );
}
