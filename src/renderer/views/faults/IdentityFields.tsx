import { Switch, TextInput } from '@mantine/core';
import type { RuleFieldsProps } from './rule-fields.ts';
import classes from '../../ui/form.module.css';

interface IdentityFieldsProps extends RuleFieldsProps {
  readonly isNew: boolean;
}

/** What the rule is called, and whether it is armed. */
export function IdentityFields({ form, isNew }: IdentityFieldsProps) {
  return (
    <div className={classes.group}>
      <div className={classes.pair}>
        <TextInput
          label="Name"
          placeholder="Default: its effect"
          maxLength={200}
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Id"
          placeholder="Generated"
          readOnly={!isNew}
          spellCheck={false}
          classNames={{ input: classes.mono }}
          {...form.getInputProps('id')}
        />
      </div>
      <Switch label="Armed" {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </div>
  );
}
