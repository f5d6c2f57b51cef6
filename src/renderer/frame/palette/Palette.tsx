// One field that finds commands, records, settings and documentation, and runs or opens them. The results change only
// when a key is typed; later ones are added in groups below.

import { Group, Highlight, TextInput, Modal, Stack, Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useId, useState, type KeyboardEvent } from 'react';
import { keysOf } from '../../navigation/command.ts';
import { rowAfterKey } from '../../ui/grid/rows.ts';
import { palette } from '../dialogs.ts';
import { type Entry, wordsOf, type FoundGroup } from './match.ts';
import { useSearch } from './use-search.ts';
import classes from './Palette.module.css';
import { Hint } from '../../ui/panel.tsx';
import { useInSight } from '../../ui/use-in-sight.ts';

function choose(entry: Entry): void {
  palette.close();
  void entry.run();
}

interface OptionProps {
  readonly id: string;
  readonly entry: Entry;
  readonly words: readonly string[];
  readonly active: boolean;
}

function Option({ id, entry, words, active }: OptionProps) {
  const { title, detail, shortcut } = entry;
  const option = useInSight<HTMLDivElement>(active);
  return (
    <Group
      ref={option}
      id={id}
      role="option"
      aria-selected={active}
      className={classes.option}
      gap="var(--s2h)"
      wrap="nowrap"
      align="baseline"
      px="var(--s2h)"
      py="var(--s1h)"
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => choose(entry)}
    >
      <Highlight
        component="span"
        className={classes.title}
        truncate
        flex="none"
        maw="70%"
        dir="auto"
        highlight={[...words]}
      >
        {title}
      </Highlight>
      {detail !== undefined && detail !== '' && (
        <Hint span flex={1} miw={0} truncate>
          {detail}
        </Hint>
      )}
      {shortcut !== undefined && <kbd>{keysOf(shortcut)}</kbd>}
    </Group>
  );
}

interface ListProps {
  readonly id: string;
  readonly groups: readonly FoundGroup[];
  readonly words: readonly string[];
  readonly active: Entry | undefined;
}

function List({ id, groups, words, active }: ListProps) {
  if (groups.length === 0) {
    return (
      <Text p="md" c="dimmed" role="status">
        No matching commands, records or documents
      </Text>
    );
  }
  return (
    <Stack
      id={id}
      role="listbox"
      aria-label="Found"
      className={classes.list}
      gap="xs"
      flex={1}
      mih={0}
      p="xs"
    >
      {groups.map(({ title, entries, more }) => (
        <div key={title} role="group" aria-label={title}>
          <Text px={10} py={4} fz="var(--fs-xs)" fw="var(--w-medium)" c="dimmed" aria-hidden="true">
            {title}
          </Text>
          {entries.map((entry) => (
            <Option
              key={entry.id}
              id={`${id}-${entry.id}`}
              entry={entry}
              words={words}
              active={entry === active}
            />
          ))}
          {more !== '' && <Hint px={10}>{`${more}; type more of the name`}</Hint>}
        </div>
      ))}
    </Stack>
  );
}

function PaletteSearch({ start }: { readonly start: string }) {
  const [query, setQuery] = useState(start);
  /** The entry that the arrow keys reached since the last typed key; null for the first entry. */
  const [chosen, setChosen] = useState<string | null>(null);
  const groups = useSearch(query);
  const list = useId();
  const entries = groups.flatMap((group) => group.entries);
  const at = Math.max(
    0,
    entries.findIndex(({ id }) => id === chosen),
  );
  const active = entries[at];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault();
      choose(active);
      return;
    }
    // Home and End move in the text.
    if (event.key === 'Home' || event.key === 'End') return;
    const next = rowAfterKey(event.key, at, 0, entries.length);
    if (next === null) return;
    event.preventDefault();
    setChosen(entries[next]?.id ?? null);
  };
  return (
    <>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label="Search commands"
        aria-expanded={entries.length > 0}
        aria-autocomplete="list"
        aria-controls={list}
        aria-activedescendant={active && `${list}-${active.id}`}
        placeholder="Search or run…"
        leftSection={<IconSearch size="1.2em" stroke={1.6} aria-hidden="true" />}
        classNames={{ input: classes.search ?? '' }}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setChosen(null);
        }}
        onKeyDown={onKeyDown}
      />
      <List id={list} groups={groups} words={wordsOf(query)} active={active} />
    </>
  );
}

/** The palette, opened by Ctrl/Cmd K. Its position and size do not depend on the results. */
export function Palette() {
  const { content, opened } = palette.useShown();
  return (
    <Modal
      opened={opened}
      onClose={palette.close}
      returnFocus={false}
      withCloseButton={false}
      centered={false}
      padding={0}
      size={600}
      yOffset="10dvh"
      overlayProps={{ backgroundOpacity: 0.5 }}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
    >
      <PaletteSearch start={content ?? ''} />
    </Modal>
  );
}
