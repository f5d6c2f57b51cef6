import { Textarea, type TextareaProps } from '@mantine/core';
import classes from './JsonField.module.css';

/** A part of a record that is typed as JSON. */
export function JsonField(props: TextareaProps) {
  return (
    <Textarea
      autosize
      minRows={4}
      maxRows={14}
      spellCheck={false}
      classNames={{ input: classes.input }}
      {...props}
    />
  );
}
