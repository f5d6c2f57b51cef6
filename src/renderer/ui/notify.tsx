// What happened, shown in a corner: successes briefly, failures with what to do and until dismissed.

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { problemOf } from '../connection/control.ts';
import classes from './notify.module.css';
import { problemSentence } from './problems.ts';

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

/** Something that was done and can be taken back, long after its notice is gone. */
interface Undoable {
  readonly id: string;
  /** “demo-app is deleted” */
  readonly what: string;
  /** Machine time in ms. */
  readonly at: number;
  readonly undo: () => void;
}

/** Beyond, the oldest is forgotten: each holds a record or a few, which the service has bounded. */
const MOST_UNDOABLE = 20;

let done: readonly Undoable[] = [];
let count = 0;
/** Id of the last notice about what the service keeps. */
let lastKept = '';

/** What can be taken back, newest first. */
export const undoable = (): readonly Undoable[] => done;

const undoNotice = (id: string, message: string, undo: () => void) =>
  notifications.show({
    ...look('ok'),
    id,
    icon: <IconCheck size="1em" />,
    autoClose: UNDO_MS,
    message: (
      <span className={classes.row}>
        {message}
        <Button onClick={undo}>Undo</Button>
      </span>
    ),
  });

/** Says what was done, offers to take it back, and keeps the offer in the list of what can be undone. */
export function notifyWithUndo(message: string, undo: () => void): void {
  count += 1;
  const id = `undo-${count}`;
  const takeBack = () => {
    done = done.filter((one) => one.id !== id);
    notifications.hide(id);
    undo();
  };
  done = [{ id, what: message, at: Date.now(), undo: takeBack }, ...done].slice(0, MOST_UNDOABLE);
  undoNotice(id, message, takeBack);
}

/** The same for what the service keeps: the list of what can be undone has it already. The newest one is shown. */
export function notifyWithKeptUndo(message: string, undo: () => void): void {
  notifications.hide(lastKept);
  count += 1;
  const id = `kept-${count}`;
  lastKept = id;
  undoNotice(id, message, () => {
    notifications.hide(id);
    undo();
  });
}

/** `what` failed, and why: "The client was not saved." with the engine's own words under it. */
export function notifyFailure(what: string, error: unknown): void {
  notifications.show({
    ...look('bad'),
    title: what,
    message: problemSentence(problemOf(error)),
    icon: <IconAlertTriangle size="1em" />,
    autoClose: FAILURE_MS,
  });
}
