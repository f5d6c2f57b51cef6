// What happened, shown in a corner: successes briefly, failures with what to do and until dismissed.

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { problemOf } from '../connection/control.ts';
import classes from './notify.module.css';
import { sentence } from './problems.ts';

const SHORT_MS = 4000;
const UNDO_MS = 10_000;
const FAILURE_MS = 12_000;

const look = (kind: 'ok' | 'bad') => ({
  classNames: { root: classes.root, icon: classes[kind], description: classes.text },
  closeButtonProps: { 'aria-label': 'Dismiss' },
});

export function notify(message: string): void {
  notifications.show({
    ...look('ok'),
    message,
    icon: <IconCheck size="1em" />,
    autoClose: SHORT_MS,
  });
}

/** What can be taken back now, oldest first. */
const offers = new Map<string, () => void>();
let offered = 0;

/** Takes back the newest of what is still offered. */
export function undoNewest(): void {
  const newest = [...offers.values()].at(-1);
  if (newest === undefined) notify('Nothing to undo');
  else newest();
}

/** Says what was done and offers to take it back. */
export function notifyWithUndo(message: string, undo: () => void): void {
  offered += 1;
  const id = `undo-${offered}`;
  const takeBack = () => {
    offers.delete(id);
    notifications.hide(id);
    undo();
  };
  offers.set(id, takeBack);
  notifications.show({
    ...look('ok'),
    id,
    onClose: () => offers.delete(id),
    icon: <IconCheck size="1em" />,
    autoClose: UNDO_MS,
    message: (
      <span className={classes.row}>
        {message}
        <Button onClick={takeBack} aria-keyshortcuts="Alt+Z">
          Undo
        </Button>
      </span>
    ),
  });
}

/** `what` failed, and why: "The client was not saved." with the engine's own words under it. */
export function notifyFailure(what: string, error: unknown): void {
  notifications.show({
    ...look('bad'),
    title: what,
    message: sentence(problemOf(error).message),
    icon: <IconAlertTriangle size="1em" />,
    autoClose: FAILURE_MS,
  });
}
