import { Button, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { flow } from '../flow-store.ts';
import { isSavedAs, nameProblem, type SavedFlow } from './saved-flow.ts';
import { saveFlow } from './saved-store.ts';
import classes from './Saved.module.css';

interface SaveFormProps {
  readonly flows: readonly SavedFlow[];
  readonly onSaved: () => void;
}

/** Saves the walk as it stands. */
export function SaveForm({ flows, onSaved }: SaveFormProps) {
  const [name, setName] = useState(() => flow.getState().name ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const save = async (event: SyntheticEvent) => {
    event.preventDefault();
    const wrong = nameProblem(name, flows);
    setProblem(wrong);
    if (wrong === null && (await saveFlow(name))) onSaved();
  };
  return (
    <form className={classes.form} onSubmit={(event) => void save(event)} noValidate>
      <TextInput
        label="Save this flow as"
        placeholder="Checkout, happy path"
        description="Every request and its response, as a scenario without secrets."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        value={name}
        error={problem}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setProblem(null);
        }}
        data-autofocus
      />
      <Button type="submit" variant="filled">
        {isSavedAs(flows, name) ? 'Replace' : 'Save'}
      </Button>
    </form>
  );
}
