import { Menu } from '@mantine/core';
import classes from './MenuWay.module.css';

interface MenuWayProps {
  readonly name: string;
  readonly about: string;
  readonly run: () => Promise<unknown>;
}

/** One of several ways that a menu offers, with what it is good for. */
export function MenuWay({ name, about, run }: MenuWayProps) {
  return (
    <Menu.Item onClick={() => void run()}>
      <span className={classes.name}>{name}</span>
      <small className={classes.about}>{about}</small>
    </Menu.Item>
  );
}
