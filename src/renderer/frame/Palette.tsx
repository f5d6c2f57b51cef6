import { getHotkeyHandler, useHotkeys, type HotkeyItem } from '@mantine/hooks';
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { isEnabled, keysOf, type Command } from '../navigation/command.ts';
import { COMMANDS, commandsOf } from './commands/all.ts';
import { navigate, useRoute } from '../navigation/route.ts';
import { page, usePage, type State } from '../connection/state.ts';
import { readNumber } from '../views/traffic/number-ranges.ts';
import { CheatSheet } from './CheatSheet.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { takeEarlyKeys } from './early-keys.ts';
import classes from './Palette.module.css';

function action(command: Command) {
  return {
    id: command.id,
    label: command.title,
    keywords: command.group,
    rightSection: command.shortcut === undefined ? null : <kbd>{keysOf(command.shortcut)}</kbd>,
    onClick: () => void command.run(),
  };
}

/** A number typed is that of an exchange: an answer of the service names its own. */
function byNumber(query: string): SpotlightActionGroupData[] {
  const number = readNumber(query);
  if (number === null) return [];
  const label = `Go to exchange ${number}`;
  const onClick = () => void navigate('traffic', String(number));
  return [{ group: 'Traffic', actions: [{ id: 'exchange', label, keywords: query, onClick }] }];
}

function grouped(state: State): SpotlightActionGroupData[] {
  const commands = commandsOf(state).filter((command) => isEnabled(command, state));
  const groups = [...new Set(commands.map((command) => command.group))];
  return groups.map((group) => ({
    group,
    actions: commands.filter((command) => command.group === group).map(action),
  }));
}

function runIfEnabled(command: Command) {
  if (isEnabled(command, page.getState())) void command.run();
}

const SHORTCUTS = COMMANDS.flatMap((command): HotkeyItem[] =>
  command.shortcut === undefined ? [] : [[command.shortcut, () => runIfEnabled(command)]],
);

/** Every command behind Ctrl/Cmd K, and their shortcuts. */
export function Palette() {
  usePage((state) => state.server);
  usePage((state) => state.settings);
  usePage((state) => state.faults);
  usePage((state) => state.fault_presets);
  usePage((state) => state.clock?.frozen);
  useRoute();
  useHotkeys(SHORTCUTS);
  useEffect(() => takeEarlyKeys().forEach(getHotkeyHandler(SHORTCUTS)), []);
  const [query, setQuery] = useState('');
  return (
    <>
      <Spotlight
        query={query}
        onQueryChange={setQuery}
        actions={[...byNumber(query), ...grouped(page.getState())]}
        shortcut={null}
        nothingFound="No matching commands"
        highlightQuery
        scrollable
        maxHeight="min(60vh, 28rem)"
        transitionProps={{ duration: 0 }}
        overlayProps={{ blur: 0, backgroundOpacity: 0.5 }}
        attributes={{ content: { 'aria-label': 'Command palette' } }}
        scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
        searchProps={{
          leftSection: <IconSearch size="1.2em" stroke={1.6} aria-hidden="true" />,
          placeholder: 'Search or run…',
          'aria-label': 'Search commands',
        }}
        classNames={{
          content: classes.content,
          action: classes.action,
          actionLabel: classes.label,
          actionsGroup: classes.group,
          search: classes.search,
        }}
      />
      <CheatSheet />
      <ImportDialog />
    </>
  );
}
