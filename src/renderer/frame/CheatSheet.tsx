import { Modal } from '@mantine/core';
import { useStore } from 'zustand';
import { cheatSheet, hideCheatSheet } from './cheat-sheet.ts';
import { keysOf, type Command } from '../navigation/command.ts';
import { COMMANDS } from './commands/all.ts';
import { TRAFFIC_KEYS } from '../views/traffic/keys.ts';
import classes from './CheatSheet.module.css';

type Keyed = Pick<Command, 'id' | 'title' | 'group'> & { readonly shortcut: string };

/** Keys that no command of its own stands behind. */
const OTHERS: readonly Keyed[] = [
  { id: 'search', title: 'Search or run any command', group: 'Page', shortcut: 'mod+K' },
  { id: 'escape', title: 'Close a dialog, a menu or the palette', group: 'Page', shortcut: 'Esc' },
  ...TRAFFIC_KEYS.map(({ keys, what }): Keyed => ({
    id: what,
    title: what,
    group: 'Traffic',
    shortcut: keys.join('  '),
  })),
];

const KEYED: readonly Keyed[] = [
  ...OTHERS,
  ...COMMANDS.flatMap(({ id, title, group, shortcut, otherShortcut }) =>
    [shortcut, otherShortcut].flatMap((keys) =>
      keys === undefined ? [] : [{ id: `${id} ${keys}`, title, group, shortcut: keys }],
    ),
  ),
];

const GROUPS = [...new Set(KEYED.map(({ group }) => group))];

/** Every shortcut there is, by what it is for. */
export function CheatSheet() {
  const { opened } = useStore(cheatSheet);
  return (
    <Modal opened={opened} onClose={hideCheatSheet} title="Keyboard shortcuts" size="xl">
      <div className={classes.sheet}>
        {GROUPS.map((group) => (
          <section key={group} className={classes.group} aria-label={group}>
            <h3 className={classes.name}>{group}</h3>
            <dl className={classes.keys}>
              {KEYED.filter((command) => command.group === group).map((command) => (
                <div key={command.id} className={classes.key}>
                  <dt>{command.title}</dt>
                  <dd>
                    <kbd>{keysOf(command.shortcut)}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
