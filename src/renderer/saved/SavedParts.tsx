// The list of saved records, and the form that saves one under a name.

import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { momentInWords } from '../../oauth/moments.ts';
import { usePage } from '../connection/state.ts';
import { filtered } from '../ui/grid/arrange.ts';
import { FilterField, NoMatch } from '../ui/grid/FilterField.tsx';
import { notifyFailure } from '../ui/notify.tsx';
import { elsewhere, whereWords, type Entry, type SavedRecord, type Shelf } from './shelf.ts';

/** The number of rows that are visible at once. */
const FEW = 8;

interface SavedListProps<T extends SavedRecord> {
  readonly shelf: Shelf<T>;
  /** The class of the list. */
  readonly className: string | undefined;
  /** @param where the place of the record, unless it is the one where the next record would be saved */
  readonly row: (entry: Entry<T>, where: string | null) => ReactNode;
}

/** All saved records, newest first. Long lists have a filter, each word of which must be in the name. */
export function SavedList<T extends SavedRecord>({ shelf, className, row }: SavedListProps<T>) {
  const all = shelf.use();
  const server = usePage((state) => state.server);
  const [text, setText] = useState('');
  const what = `saved ${shelf.one}s`;
  const isFiltered = all.length > FEW;
  const shown = filtered(all, isFiltered ? text : '', ({ name }) => name);
  return (
    <>
      {isFiltered && <FilterField what={what} text={text} onText={setText} />}
      {shown.length === 0 && <NoMatch what={what} text={text} />}
      <ul role="list" className={className} aria-label={`Saved ${shelf.one}s`}>
        {shown.map((entry) => row(entry, elsewhere(entry.place, server)))}
      </ul>
    </>
  );
}

interface SaveFormProps<T extends SavedRecord> {
  readonly shelf: Shelf<T>;
  readonly label: string;
  readonly placeholder: string;
  readonly description: string;
  /** The initial name. */
  readonly initial: string;
  /** Creates the record that is saved under this name. */
  readonly make: (name: string) => Promise<T>;
  readonly onSaved: (name: string) => void;
}

const ago = ({ saved_at }: SavedRecord) =>
  `, saved ${momentInWords(Date.parse(saved_at), Date.now())}`;

/** Focuses Cancel, so that pressing Enter twice replaces nothing. */
const focus = (button: HTMLButtonElement | null) => button?.focus();

/** Saves under a name. Asks before it replaces a record of that name. */
export function SaveForm<T extends SavedRecord>(props: SaveFormProps<T>) {
  const { shelf, label, placeholder, description, initial, make, onSaved } = props;
  const [name, setName] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const where = usePage((state) => whereWords(state.server));

  const save = async (replace: boolean) => {
    try {
      const record = await make(name.trim());
      if (await shelf.save(record, replace)) onSaved(name.trim());
      else setAsking(true);
    } catch (error) {
      notifyFailure(`The ${shelf.one} was not saved.`, error);
    }
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const wrong = shelf.nameProblem(name);
    setProblem(wrong);
    if (wrong !== null) return;
    if (shelf.find(name) === null) void save(false);
    else setAsking(true);
  };
  const cancel = () => {
    setAsking(false);
    input.current?.focus();
  };
  const former = asking ? shelf.find(name) : null;
  const question = `Replace “${name.trim()}”`;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs">
        <TextInput
          ref={input}
          label={label}
          placeholder={placeholder}
          description={`${description} ${where}`}
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
              {former !== null && ago(former.record)}?
            </Text>
            <Group gap="xs" justify="flex-end">
              <Button onClick={cancel} ref={focus}>
                Cancel
              </Button>
              <Button variant="filled" onClick={() => void save(true)}>
                Replace
              </Button>
            </Group>
          </Paper>
        ) : (
          <Button type="submit" variant="filled" ml="auto">
            Save
          </Button>
        )}
      </Stack>
    </form>
  );
}
