import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import classes from './FilterField.module.css';

interface FilterFieldProps {
  /** What is filtered: "clients". */
  readonly what: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** Filters the list below it by text. */
export function FilterField({ what, text, onText }: FilterFieldProps) {
  return (
    <TextInput
      data-find
      className={classes.filter ?? ''}
      aria-label={`Filter ${what}`}
      placeholder="Filter"
      leftSection={<IconSearch size="1.1em" aria-hidden="true" />}
      spellCheck={false}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onText('');
      }}
    />
  );
}

interface NoMatchProps {
  readonly what: string;
  readonly text: string;
}

export function NoMatch({ what, text }: NoMatchProps) {
  return (
    <p className={classes.none} role="status">
      No {what} match “{text.trim()}”.
    </p>
  );
}
