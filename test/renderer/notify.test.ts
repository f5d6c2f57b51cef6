import { notifications, notificationsStore } from '@mantine/notifications';
import { beforeEach, expect, test } from 'vitest';
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

test('a change whose Undo failed can still be undone', async () => {
  const results = [false, true];
  notifyWithUndo('ada is deleted', () => Promise.resolve(results.shift()));
  const undo = async () => {
    const change = undoable().find(({ what }) => what === 'ada is deleted');
    change?.undo();
    await Promise.resolve();
    await Promise.resolve();
    return change !== undefined;
  };
  expect([await undo(), await undo(), await undo()]).toEqual([true, true, false]);
});

test('a file that cannot be read is reported', async () => {
  const folder = new File([], 'exports');
  const refused = new DOMException('A requested file or directory could not be found.');
  await openFile(folder, () => Promise.reject(refused));
  expect(shown()).toEqual(['exports was not opened.']);
});
