import { getHotkeyHandler, useHotkeys, type HotkeyItem } from '@mantine/hooks';
import { useEffect } from 'react';
import { page } from '../connection/state.ts';
import { isEnabled, type Command } from '../navigation/command.ts';
import { CheatSheet } from './CheatSheet.tsx';
import { COMMANDS } from './commands/all.ts';
import { takeEarlyKeys } from './early-keys.ts';
import { appWindow } from '../actions/window.ts';
import { ImportDialog } from './ImportDialog.tsx';
import { MirrorDialog } from './mirror/MirrorDialog.tsx';
import { Palette } from './palette/Palette.tsx';

/** A command that cannot be run now leaves the key to the browser. */
const itemOf = (shortcut: string, command: Command): HotkeyItem => [
  shortcut,
  (event) => {
    if (!isEnabled(command, page.getState())) return;
    event.preventDefault();
    void command.run();
  },
  { preventDefault: false },
];

const SHORTCUTS = COMMANDS.flatMap((command) =>
  [command.shortcut, command.otherShortcut].flatMap((shortcut) =>
    shortcut === undefined ? [] : [itemOf(shortcut, command)],
  ),
);

/** Keys with Ctrl or Cmd, and function keys, type nothing: they are for the page in fields too. */
const isForFields = ([shortcut]: HotkeyItem): boolean => /^(?:mod\+|F\d)/.test(shortcut);
const IN_FIELDS = SHORTCUTS.filter(isForFields);
const ELSEWHERE = SHORTCUTS.filter((item) => !isForFields(item));

/** The shortcuts of all commands, and the dialogs that they open. */
export function Commands() {
  useHotkeys(IN_FIELDS, []);
  useHotkeys(ELSEWHERE);
  useEffect(() => takeEarlyKeys().forEach(getHotkeyHandler(SHORTCUTS)), []);
  return (
    <>
      <Palette />
      <CheatSheet />
      <ImportDialog />
      {appWindow !== null && <MirrorDialog own={appWindow} />}
    </>
  );
}
