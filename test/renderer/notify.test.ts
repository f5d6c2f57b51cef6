import { notifications, notificationsStore } from '@mantine/notifications';
import { beforeEach, expect, test } from 'vitest';
import { offerUndo } from '../../src/renderer/actions/sandbox.ts';
import { notify, notifyFailure, notifyWithUndo, undoable } from '../../src/renderer/ui/notify.tsx';
import { openFile } from '../../src/renderer/ui/save-file.ts';

/** The titles of failures, and the texts of other notifications. */
const shown = () =>
  notificationsStore.getState().notifications.map(({ title, message }) => title ?? message);

beforeEach(() => notifications.clean());

test('a fourth notification appears at once, and the oldest goes', () => {
  for (const text of ['first', 'second', 'third', 'fourth']) notify(text);
  expect(shown()).toEqual(['second', 'third', 'fourth']);
  expect(notificationsStore.getState().queue).toEqual([]);
});

test('a success makes room before a failure', () => {
  notifyFailure('failed', new Error('because'));
  notify('copied');
  notify('saved');
  notifyWithUndo('deleted', () => undefined);
  expect(shown().slice(0, 2)).toEqual(['failed', 'saved']);
  for (const what of ['failed again', 'and again', 'and once more']) notifyFailure(what, null);
  expect(shown()).toEqual(['failed again', 'and again', 'and once more']);
});

/** Undoes a change that is listed. Returns whether it is. */
async function undo(wanted: string): Promise<boolean> {
  const change = undoable().find(({ what }) => what === wanted);
  await change?.undo();
  return change !== undefined;
}

test('a change whose Undo was cancelled, or failed, can still be undone', async () => {
  const results = [() => false, () => Promise.reject(new Error('lost')), () => undefined];
  offerUndo('shop is registered', 'shop was not deleted.', async () => results.shift()?.());
  const undoShop = () => undo('shop is registered');
  for (const listed of [true, true, true, false]) expect(await undoShop()).toBe(listed);
});

test('an Undo that is used again while it runs runs once', async () => {
  let times = 0;
  notifyWithUndo('Down is deleted', () => Promise.resolve((times += 1)));
  await Promise.all([undo('Down is deleted'), undo('Down is deleted')]);
  expect(times).toBe(1);
});

test('a file that cannot be read is reported', async () => {
  const folder = new File([], 'exports');
  const refused = new DOMException('A requested file or directory could not be found.');
  await openFile(folder, () => Promise.reject(refused));
  expect(shown()).toEqual(['exports was not opened.']);
});
