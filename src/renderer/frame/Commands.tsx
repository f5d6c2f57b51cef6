import { Modal, Box, Group, Button, Paper, Stack, Text } from '@mantine/core';
import { useStore } from 'zustand';
import { getHotkeyHandler, useHotkeys, type HotkeyItem } from '@mantine/hooks';
import { useEffect, useState, type ReactNode } from 'react';
import { keysOf, type Command, isEnabled } from '../navigation/command.ts';
import { page, usePage } from '../connection/state.ts';
import { appWindow } from '../actions/window.ts';
import { cheatSheet, hideCheatSheet } from './dialogs.ts';
import { COMMANDS } from './commands/all.ts';
import { takeEarlyKeys } from './early-keys.ts';
import { MirrorDialog } from './MirrorDialog.tsx';
import { Palette } from './palette/Palette.tsx';
import panel from '../ui/panel.module.css';
import { Hint } from '../ui/panel.tsx';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { WorkspacePreview } from '../../control/schemas.ts';
import { MOST_PROBLEMS } from '../../control/names.ts';
import { countOf } from '../../control/questions.ts';
import {
  importDialog,
  contentsInWords,
  endsInWords,
  closeImport,
  applyImport,
  undoWords,
} from '../actions/workspace.ts';
import { pluralize } from '../../words.ts';
import { useNeed } from '../ui/use-need.ts';

type Problem = WorkspacePreview['problems'][number];

function Refused({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  return (
    <Paper p="sm" bg="var(--bad-soft)" role="alert">
      <Group component="p" gap="xs" wrap="nowrap" mb="xs" fw="var(--w-medium)" c="var(--bad)">
        <IconAlertTriangle size="1.1em" aria-hidden="true" /> {what} Nothing was changed.
      </Group>
      {children}
    </Paper>
  );
}

const LIST = { mah: '40vh', style: { overflow: 'auto', overflowWrap: 'anywhere' } } as const;

function Problems({ problems }: { readonly problems: readonly Problem[] }) {
  const count = pluralize(problems.length, 'error');
  const words = problems.length < MOST_PROBLEMS ? count : `${count} or more`;
  return (
    <Refused what={`The file cannot be imported: it has ${words}.`}>
      <Stack component="ol" gap={4} pl="xl" tabIndex={0} aria-label="Errors" {...LIST}>
        {problems.map(({ path, message, line, column }) => (
          <li key={`${line}:${column} ${path} ${message}`}>
            <b>Line {line}</b>
            {path !== '' && <code> {path}</code>} {message}
          </li>
        ))}
      </Stack>
    </Refused>
  );
}

/** Says before the import what it replaces, what ends permanently, and what can be undone. */
function Preview(preview: WorkspacePreview) {
  const { contents, ends, unchanged } = preview;
  const current = usePage((state) => state.server?.workspace.name ?? '');
  return (
    <Stack gap="sm">
      <Text c="dimmed">
        The file contains {contentsInWords(contents)}.
        {!unchanged &&
          ` It replaces the clients, users, audiences, APIs, settings and fault rules of “${current}”. Saved flows, saved requests and check results are kept unless the file has its own.`}
      </Text>
      {countOf(ends) > 0 && (
        <Paper p="sm" bg="var(--warn-soft)">
          <Group component="p" gap="xs" wrap="nowrap" align="baseline">
            <IconAlertTriangle size="1.1em" color="var(--warn)" aria-hidden="true" />{' '}
            {endsInWords(ends)}
          </Group>
        </Paper>
      )}
      <Text c="dimmed">{undoWords(current, preview)}</Text>
    </Stack>
  );
}

/** Previews a workspace file and asks before it replaces the current workspace. */
function ImportDialog() {
  const { file, preview, failure } = useStore(importDialog);
  const [busy, setBusy] = useState(false);
  const needs = useNeed('connection');
  const problems = preview?.problems ?? [];
  const refused = failure !== null || problems.length > 0;
  const take = async () => {
    setBusy(true);
    await applyImport();
    setBusy(false);
  };
  return (
    <Modal opened={file !== null} onClose={closeImport} title={`Import ${file ?? ''}`}>
      {failure !== null && (
        <Refused what="The file cannot be imported.">
          <Box component="p" pl="md" {...LIST}>
            {failure}
          </Box>
        </Refused>
      )}
      {failure === null && problems.length > 0 && <Problems problems={problems} />}
      {!refused && preview !== null && <Preview {...preview} />}
      {!refused && preview === null && (
        <Text c="dimmed" role="status">
          Checking the file…
        </Text>
      )}
      <Group justify="flex-end" gap="xs" mt="md">
        <Button onClick={closeImport} data-autofocus>
          {refused ? 'Close' : 'Cancel'}
        </Button>
        {!refused && (
          <Button
            variant="filled"
            disabled={preview === null}
            loading={busy}
            onClick={() => void take()}
            {...needs}
          >
            Import workspace
          </Button>
        )}
      </Group>
    </Modal>
  );
}

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

/** All shortcuts, by group. */
function CheatSheet() {
  const { opened } = useStore(cheatSheet);
  return (
    <Modal opened={opened} onClose={hideCheatSheet} title="Keyboard shortcuts" size="xl">
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

/** If the command cannot run now, the browser handles the key. */
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
  command.shortcut === undefined ? [] : [itemOf(command.shortcut, command)],
);

/** Function keys, and keys with Ctrl or Cmd, type nothing, so they also work in fields. */
const isForFields = ([shortcut]: HotkeyItem): boolean => /^(?:mod\+|F\d)/.test(shortcut);
const IN_FIELDS = SHORTCUTS.filter(isForFields);
const ELSEWHERE = SHORTCUTS.filter((item) => !isForFields(item));

/** Binds the shortcuts of all commands, and holds the dialogs that commands open. */
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
