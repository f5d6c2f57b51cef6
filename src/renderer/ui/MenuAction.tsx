import { ActionIcon, Menu, Text, Tooltip, type MenuItemProps } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Need } from '../connection/reach.ts';
import { useNeed } from './use-need.ts';

interface MenuActionProps extends MenuItemProps {
  /** What it requires; absent if it concerns the page only. */
  readonly needs?: Need | undefined;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A menu item that does nothing while its requirement is not met. */
export function MenuAction({ needs, ...item }: MenuActionProps) {
  return <Menu.Item {...item} {...useNeed(needs)} />;
}

interface DescribedMenuActionProps {
  readonly name: string;
  readonly about: string;
  readonly needs?: Need;
  readonly run: () => Promise<unknown>;
}

export function DescribedMenuAction({ name, about, needs, run }: DescribedMenuActionProps) {
  return (
    <MenuAction needs={needs} onClick={() => void run()}>
      {name}
      <Text component="small" display="block" maw="var(--field)" fz="var(--fs-xs)" c="dimmed">
        {about}
      </Text>
    </MenuAction>
  );
}

interface MoreMenuProps {
  /** What its actions are for: "all rules". */
  readonly what: string;
  readonly children: ReactNode;
}

export const MoreMenu = ({ what, children }: MoreMenuProps) => (
  <Menu position="bottom-end">
    <Tooltip label="More">
      <Menu.Target>
        <ActionIcon aria-label={`More for ${what}`}>
          <IconDots />
        </ActionIcon>
      </Menu.Target>
    </Tooltip>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);
