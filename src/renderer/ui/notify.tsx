// Notifications: successes disappear soon, failures say what to do and stay longer.

import { Button, Group, Text } from '@mantine/core';
import { notifications, notificationsStore, type NotificationData } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { problemOf } from '../connection/control.ts';
import classes from './notify.module.css';
import { problemSentence } from './problems.ts';

const SHORT_MS = 4000;
const UNDO_MS = 10_000;
const FAILURE_MS = 12_000;
export const MOST_NOTICES = 3;

const look = (kind: 'ok' | 'bad') => ({
  classNames: { root: classes.root, icon: classes[kind] },
  closeButtonProps: { 'aria-label': 'Dismiss' },
  icon: kind === 'ok' ? <IconCheck size={16} /> : <IconAlertTriangle size={16} />,
});

/** Only failures have a title. */
const isFailure = ({ title }: NotificationData) => title !== undefined;

/** Shows a notification without a delay: if there are too many, the oldest goes, a success before a failure. */
function show(notice: NotificationData): void {
  const { notifications: shown } = notificationsStore.getState();
  if (shown.length >= MOST_NOTICES) {
    const leaving = shown.find((one) => !isFailure(one)) ?? shown[0];
    if (leaving?.id !== undefined) notifications.hide(leaving.id);
  }
  notifications.show(notice);
}

export function notify(message: string): void {
  show({ ...look('ok'), message, autoClose: SHORT_MS });
}

/** Copies a text and reports it. @param what follows “Copied” @returns whether it was copied */
export async function copyText(
  what: string,
  failure: string,
  read: () => string | Promise<string>,
): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(await read());
    notify(`Copied ${what}`);
    return true;
  } catch (error) {
    notifyFailure(failure, error);
    return false;
  }
}

/** A change that can be undone, even long after its notification is gone. */
interface Undoable {
  readonly id: string;
  /** “demo-app is deleted” */
  readonly what: string;
  /** Machine time in ms. */
  readonly at: number;
  readonly undo: () => Promise<void>;
}

/** Beyond this number the oldest is dropped: each holds a few records, whose size the service limits. */
const MOST_UNDOABLE = 20;

let done: readonly Undoable[] = [];
let count = 0;
/** Id of the latest notification about a workspace that the service keeps. */
let lastKept = '';

/** The changes that can be undone, newest first. */
export const undoable = (): readonly Undoable[] => done;

/** Shows a notification with a button to undo. Returns its id, and a function that hides it and undoes, once. */
function undoNotice(message: string, undo: () => unknown) {
  count += 1;
  const id = `undo-${count}`;
  let isUsed = false;
  const takeBack = async () => {
    if (isUsed) return;
    isUsed = true;
    notifications.hide(id);
    isUsed = (await undo()) !== false;
  };
  show({
    ...look('ok'),
    id,
    autoClose: UNDO_MS,
    message: (
      <Group component="span" gap="sm" wrap="nowrap" justify="space-between" c="var(--text)">
        {message}
        <Button onClick={() => void takeBack()}>Undo</Button>
      </Group>
    ),
  });
  return { id, takeBack };
}

/**
 * Reports a change, offers to undo it, and adds it to the list of changes that can be undone.
 * @param undo if it resolves to false, it failed and can be tried again
 */
export function notifyWithUndo(message: string, undo: () => unknown): void {
  const { id, takeBack } = undoNotice(message, async () => {
    const undone = (await undo()) !== false;
    if (undone) done = done.filter((one) => one.id !== id);
    return undone;
  });
  done = [{ id, what: message, at: Date.now(), undo: takeBack }, ...done].slice(0, MOST_UNDOABLE);
}

/** The same for a workspace that the service keeps and lists. Only the newest such notification is shown. */
export function notifyWithKeptUndo(message: string, undo: () => void): void {
  notifications.hide(lastKept);
  lastKept = undoNotice(message, undo).id;
}

/** Reports that `what` failed and why: "The client was not saved.", followed by the engine's message. */
export function notifyFailure(what: string, error: unknown): void {
  show({
    ...look('bad'),
    title: what,
    // The library's own grey has too little contrast (WCAG 1.4.3).
    message: (
      <Text span inherit c="dimmed">
        {problemSentence(problemOf(error))}
      </Text>
    ),
    autoClose: FAILURE_MS,
  });
}
