// The list of what is saved by name, and the form that saves or renames a record.

import { Box, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { IconDownload, IconPencil, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react';
import { useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { momentInWords } from '../../oauth/moments.ts';
import { usePage } from '../connection/state.ts';
import { IconButton } from '../ui/buttons.tsx';
import { filtered } from '../ui/grid/arrange.ts';
import { FilterField, NoMatch } from '../ui/grid/FilterField.tsx';
import { notifyFailure } from '../ui/notify.tsx';
import { useNeed, whileBusy } from '../ui/use-need.ts';
import {
  contentWords,
  elsewhere,
  exportSaved,
  findSaved,
  isFlow,
  kindOf,
  nameOf,
  nameProblem,
  openSaved,
  remove,
  rename,
  type Saved,
  type SavedKind,
  useSaved,
  whereWords,
} from './saved.ts';
import rows from '../ui/item.module.css';

/** The number of rows that are visible at once. */
const FEW = 8;
const WHAT = 'saved items';

interface SavedListProps {
  /** The kind that is listed before the other. */
  readonly first: SavedKind;
  /** The name of the record of that kind that is open; null for none. */
  readonly current?: string | null;
  /** Whether no flow can be replayed now. */
  readonly busy?: boolean;
  readonly onOpen?: () => void;
  readonly empty?: ReactNode;
}

/** What is saved, newest first. Long lists have a filter, each word of which must be in the name. */
export function SavedList({ first, current, busy = false, onOpen, empty }: SavedListProps) {
  const all = useSaved();
  const [text, setText] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const isFiltered = all.length > FEW;
  const found = filtered(all, isFiltered ? text : '', ({ record }) => nameOf(record));
  const isFirst = ({ record }: Saved) => kindOf(record) === first;
  const shown = [...found.filter(isFirst), ...found.filter((one) => !isFirst(one))];
  // The button that had the focus is gone.
  const focus = () => list.current?.focus();
  if (all.length === 0) {
    return (
      <div ref={list} tabIndex={-1}>
        {empty}
      </div>
    );
  }
  return (
    <div ref={list} tabIndex={-1}>
      {isFiltered && (
        <Box px="md">
          <FilterField what={WHAT} text={text} onText={setText} />
        </Box>
      )}
      {shown.length === 0 && <NoMatch what={WHAT} text={text} />}
      <Box component="ul" role="list" px="var(--s2)" aria-label="Saved">
        {shown.map((saved) => (
          <SavedRow
            key={`${kindOf(saved.record)} ${saved.place} ${nameOf(saved.record)}`}
            saved={saved}
            current={isFirst(saved) && nameOf(saved.record) === current}
            busy={busy && isFlow(saved.record)}
            onOpen={onOpen}
            onGone={focus}
          />
        ))}
      </Box>
    </div>
  );
}

interface SavedRowProps {
  readonly saved: Saved;
  readonly current: boolean;
  readonly busy: boolean;
  readonly onOpen: (() => void) | undefined;
  /** Called when the row has gone, or returned to what it was. */
  readonly onGone: () => void;
}

function SavedRow({ saved, current, busy, onOpen, onGone }: SavedRowProps) {
  const { place, record } = saved;
  const [renaming, setRenaming] = useState(false);
  const name = nameOf(record);
  const where = usePage(({ server }) => elsewhere(place, server));
  const needs = useNeed(isFlow(record) ? 'server' : undefined);
  const kept = place === 'workspace' ? 'connection' : undefined;
  const Icon = isFlow(record) ? IconPlayerPlay : IconSend;
  const facts = [contentWords(record), sinceInWords(saved), where];
  const open = () => {
    onOpen?.();
    void openSaved(saved);
  };
  if (renaming) {
    const end = () => {
      setRenaming(false);
      onGone();
    };
    return (
      <Box component="li" p="var(--s1) var(--s2)">
        <NameForm
          kind={kindOf(record)}
          place={place}
          label="New name"
          initial={name}
          action="Rename"
          save={(wanted, replace) => rename(saved, wanted, replace)}
          onSaved={end}
          onCancel={end}
        />
      </Box>
    );
  }
  return (
    <li className={rows.row} data-shown={current || undefined}>
      <button
        type="button"
        className={rows.open}
        aria-current={current || undefined}
        onClick={open}
        {...whileBusy(busy)}
        {...needs}
      >
        <Group gap="var(--s1h)" wrap="nowrap">
          <Icon size="1.1em" color="var(--muted)" aria-hidden="true" />
          <Text span truncate dir="auto">
            <span className="visually-hidden">{isFlow(record) ? 'Replay: ' : 'Open: '}</span>
            {name}
          </Text>
        </Group>
        <Text span truncate display="block" fz="var(--fs-xs)" c="dimmed">
          {facts.filter(Boolean).join(' · ')}
        </Text>
      </button>
      <Group className={rows.acts} gap={0} wrap="nowrap">
        <IconButton
          label={`Rename: ${name}`}
          tip="Rename"
          icon={IconPencil}
          needs={kept}
          onClick={() => setRenaming(true)}
        />
        <IconButton
          label={`Export: ${name}`}
          tip="Export as a scenario"
          icon={IconDownload}
          onClick={() => void exportSaved(saved)}
        />
        <IconButton
          label={`Delete: ${name}`}
          tip="Delete"
          icon={IconTrash}
          needs={kept}
          onClick={() => void remove(saved).then(onGone)}
        />
      </Group>
    </li>
  );
}

const sinceInWords = ({ record }: Saved): string =>
  momentInWords(Date.parse(record.saved_at), Date.now());

interface NameFormProps {
  readonly kind: SavedKind;
  /** By default where the next record is saved. */
  readonly place?: Saved['place'];
  readonly label: string;
  readonly placeholder?: string;
  readonly description?: string;
  readonly initial: string;
  readonly action?: string;
  /** @returns false when the name is taken */
  readonly save: (name: string, replace: boolean) => Promise<boolean>;
  readonly onSaved: (name: string) => void;
  readonly onCancel?: () => void;
}

/** Focuses Cancel, so that pressing Enter twice replaces nothing. */
const focusButton = (button: HTMLButtonElement | null) => button?.focus();

/** Saves under a name. Asks before it replaces a record of that name. */
export function NameForm(props: NameFormProps) {
  const { kind, place, label, placeholder, description, initial, action = 'Save' } = props;
  const [name, setName] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const where = usePage((state) => whereWords(state.server));
  const wanted = name.trim();

  const save = async (replace: boolean) => {
    try {
      if (await props.save(wanted, replace)) props.onSaved(wanted);
      else setAsking(true);
    } catch (error) {
      notifyFailure(`The ${kind} was not ${action.toLowerCase()}d.`, error);
    }
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const wrong = nameProblem(kind, name, place);
    setProblem(wrong);
    if (wrong === null) void save(false);
  };
  const cancel = () => {
    setAsking(false);
    input.current?.focus();
  };
  const former = asking ? findSaved(kind, name, place) : null;
  const question = `Replace “${wanted}”`;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs">
        <TextInput
          ref={input}
          label={label}
          placeholder={placeholder}
          description={description === undefined ? undefined : `${description} ${where}`}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={name}
          error={problem}
          readOnly={asking}
          autoComplete="off"
          onChange={(event) => {
            setName(event.currentTarget.value);
            setProblem(null);
          }}
          data-autofocus
        />
        {asking ? (
          <Paper p="xs" bg="var(--warn-soft)" role="alertdialog" aria-label={`${question}?`}>
            <Text size="xs" mb="xs">
              {question}
              {former !== null && `, saved ${sinceInWords(former)}`}?
            </Text>
            <Group gap="xs" justify="flex-end">
              <Button onClick={cancel} ref={focusButton}>
                Cancel
              </Button>
              <Button variant="filled" onClick={() => void save(true)}>
                Replace
              </Button>
            </Group>
          </Paper>
        ) : (
          <Group gap="xs" justify="flex-end">
            {props.onCancel !== undefined && <Button onClick={props.onCancel}>Cancel</Button>}
            <Button type="submit" variant="filled">
              {action}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
