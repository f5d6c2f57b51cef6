import { Button, TextInput } from '@mantine/core';
import { useRef, useState, type SyntheticEvent } from 'react';
import { momentInWords } from '../../oauth/moments.ts';
import { usePage } from '../connection/state.ts';
import { notifyFailure } from '../ui/notify.tsx';
import { whereWords } from './place.ts';
import classes from './Saved.module.css';
import type { Shelf } from './shelf.ts';

interface SaveFormProps<T extends { readonly saved_at: string }> {
  readonly shelf: Shelf<T>;
  readonly label: string;
  readonly placeholder: string;
  readonly description: string;
  /** The name to begin with. */
  readonly initial: string;
  /** What is saved, under this name. */
  readonly make: (name: string) => Promise<T>;
  readonly onSaved: (name: string) => void;
}

const ago = ({ saved_at }: { readonly saved_at: string }) =>
  `, saved ${momentInWords(Date.parse(saved_at), Date.now())}`;

/** Whoever only presses Enter twice replaces nothing. */
const focus = (button: HTMLButtonElement | null) => button?.focus();

/** Saves under a name; what has that name is replaced only once that is agreed to. */
export function SaveForm<T extends { readonly saved_at: string }>(props: SaveFormProps<T>) {
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
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
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
        <div
          className={classes.question}
          role="alertdialog"
          aria-label={`Replace “${name.trim()}”?`}
        >
          <p>
            Replace “{name.trim()}”{former !== null && ago(former.record)}?
          </p>
          <Button onClick={cancel} ref={focus}>
            Cancel
          </Button>
          <Button variant="filled" onClick={() => void save(true)}>
            Replace
          </Button>
        </div>
      ) : (
        <Button type="submit" variant="filled">
          Save
        </Button>
      )}
    </form>
  );
}
