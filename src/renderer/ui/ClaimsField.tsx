import { Textarea, type TextareaProps } from '@mantine/core';
import classes from './ClaimsField.module.css';

/** Custom claims as JSON. */
export function ClaimsField(props: TextareaProps) {
  return (
    <Textarea
      label="Custom claims"
      placeholder={'{\n  "role": "admin"\n}'}
      autosize
      minRows={4}
      maxRows={14}
      spellCheck={false}
      classNames={{ input: classes.input }}
      {...props}
    />
  );
}
