import { Box, Group, Modal } from '@mantine/core';
import { getHotkeyHandler, useHotkeys, type HotkeyItem } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { startNotifying } from '../exchange/desktop-notifications.ts';
import { isApplicable, keysOf, type Command } from '../navigation/command.ts';
import { page } from '../connection/state.ts';
import { appWindow } from '../actions/window.ts';
import { cheatSheet } from './dialogs.ts';
import { COMMANDS, runOrExplain } from './commands/all.ts';
import { takeEarlyKeys } from './early-keys.ts';
import { ImportDialog } from './ImportDialog.tsx';
import { MirrorDialog } from './MirrorDialog.tsx';
import { Palette } from './palette/Palette.tsx';
import { TokenDialog } from './TokenDialog.tsx';
import { ConfirmHost } from '../ui/ConfirmHost.tsx';
import { RowMenuHost } from '../ui/grid/row-menu.tsx';
import { RuleHost } from '../ui/links.tsx';
import { MOST_NOTICES } from '../ui/notify.tsx';
import notices from '../ui/notify.module.css';
import panel from '../ui/panel.module.css';
import { Hint } from '../ui/panel.tsx';

type Keyed = Pick<Command, 'title' | 'group'> & { readonly shortcut: string };

const TRAFFIC_KEYS = [
  ['↑  ↓  J  K', 'Next and previous exchange'],
  ['Enter', 'Open; press again to move to the details'],
  ['Esc', 'Close, then clear the selection'],
  ['Home  End', 'Newest and oldest'],
  ['Space', 'Select or deselect'],
  ['Shift ↑  Shift ↓', 'Select a range'],
  ['T', 'Pin to top or unpin'],
  ['P', 'Pause or resume the list'],
  ['/', 'Filter'],
] as const;

/** Shortcuts that belong to no command. */
const OTHERS: readonly Keyed[] = [
  { title: 'Search or run any command', group: 'Page', shortcut: 'mod+K' },
  { title: 'Close a dialog, a menu or the palette', group: 'Page', shortcut: 'Esc' },
  ...TRAFFIC_KEYS.map(([shortcut, title]): Keyed => ({ title, group: 'Traffic', shortcut })),
];

const KEYED: readonly Keyed[] = [
  ...OTHERS,
  ...COMMANDS.flatMap(({ title, group, shortcut }) =>
    shortcut === undefined ? [] : [{ title, group, shortcut }],
  ),
];

const GROUPS = [...new Set(KEYED.map(({ group }) => group))];

function CheatSheet() {
  const { opened } = cheatSheet.useShown();
  return (
    <Modal opened={opened} onClose={cheatSheet.close} title="Keyboard shortcuts" size="xl">
      <div style={{ columns: '2 18rem', columnGap: 'var(--s5)' }}>
        {GROUPS.map((group) => (
          <Box
            component="section"
            key={group}
            mb="md"
            style={{ breakInside: 'avoid' }}
            aria-label={group}
          >
            <Hint component="h3" mb={4} fw="var(--w-medium)">
              {group}
            </Hint>
            <dl>
              {KEYED.filter((command) => command.group === group).map((command) => (
                <Group
                  gap="sm"
                  wrap="nowrap"
                  justify="space-between"
                  align="baseline"
                  py={4}
                  fz="xs"
                  className={panel.bar}
                  key={command.title}
                >
                  <dt>{command.title}</dt>
                  <dd>
                    <kbd>{keysOf(command.shortcut)}</kbd>
                  </dd>
                </Group>
              ))}
            </dl>
          </Box>
        ))}
      </div>
    </Modal>
  );
}

/** If there is nothing to use the command on, the browser handles the key. */
const itemOf = (shortcut: string, command: Command): HotkeyItem => [
  shortcut,
  (event) => {
    if (!isApplicable(command, page.getState())) return;
    event.preventDefault();
    void runOrExplain(command);
  },
  { preventDefault: false },
];

const SHORTCUTS = COMMANDS.flatMap((command) =>
  command.shortcut === undefined ? [] : [itemOf(command.shortcut, command)],
);

/** Function keys, and keys with Ctrl or Cmd, type nothing, so they also work in fields. */
const isForFields = ([shortcut]: HotkeyItem): boolean => /^(?:mod\+|F\d)/.test(shortcut);
const IN_FIELDS = SHORTCUTS.filter(isForFields);
const ELSEWHERE = SHORTCUTS.filter((item) => !isForFields(item));

/** Binds the shortcuts of all commands, and holds what is shown over the page: dialogs, menus of rows, notifications. */
export function Commands() {
  useHotkeys(IN_FIELDS, []);
  useHotkeys(ELSEWHERE);
  useEffect(startNotifying, []);
  useEffect(() => takeEarlyKeys().forEach(getHotkeyHandler(SHORTCUTS)), []);
  return (
    <>
      <Notifications
        position="bottom-center"
        limit={MOST_NOTICES}
        containerWidth="var(--notice)"
        classNames={{ root: notices.notices }}
      />
      <ConfirmHost />
      <RuleHost />
      <RowMenuHost />
      <TokenDialog />
      <Palette />
      <CheatSheet />
      <ImportDialog />
      {appWindow !== null && <MirrorDialog own={appWindow} />}
    </>
  );
}
