import { TextInput } from '@mantine/core';
import { IconHash } from '@tabler/icons-react';
import { useState, type SyntheticEvent } from 'react';
import { keysOf } from '../../navigation/command.ts';
import { readNumber } from './number-ranges.ts';
import classes from './Traffic.module.css';
import { useAskedFocus } from './use-asked-focus.ts';

interface GoToFieldProps {
  readonly onOpen: (number: number) => void;
}

/** The number in Grantbench-Exchange leads to the exchange. */
export function GoToField({ onOpen }: GoToFieldProps) {
  const input = useAskedFocus('number');
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState(false);
  const go = (event: SyntheticEvent) => {
    event.preventDefault();
    const number = readNumber(text);
    setWrong(number === null);
    if (number === null) return;
    setText('');
    onOpen(number);
  };
  return (
    <form onSubmit={go} className={classes.goTo}>
      <TextInput
        ref={input}
        aria-label="Go to exchange number"
        title={`The number in the Grantbench-Exchange header of a response (${keysOf('alt+G')})`}
        placeholder="Go to number"
        leftSection={<IconHash size="1.1em" aria-hidden="true" />}
        value={text}
        error={wrong}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setWrong(false);
        }}
      />
      {wrong && (
        <span role="alert" className={classes.wrong}>
          Enter a whole number, as in Grantbench-Exchange.
        </span>
      )}
    </form>
  );
}
