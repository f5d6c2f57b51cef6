import { Checkbox, Select, TextInput } from '@mantine/core';
import { APPLICATION_TYPES, GRANT_TYPES } from '../../../control/schemas.ts';
import { APPLICATION_TYPE_WORDS, GRANT_WORDS } from '../../ui/words.ts';
import { Authentication } from './Authentication.tsx';
import type { ClientFieldsProps } from './client-fields.ts';
import classes from '../../ui/form.module.css';

const TYPES = APPLICATION_TYPES.map((value) => ({ value, label: APPLICATION_TYPE_WORDS[value] }));

/** Who the client is, how it proves it, and what it may ask for. */
export function ClientIdentity({ form, isNew }: ClientFieldsProps & { readonly isNew: boolean }) {
  return (
    <fieldset className={classes.group}>
      <legend>Identity</legend>
      <div className={classes.pair}>
        <TextInput
          label="Name"
          placeholder="Shown to people"
          autoFocus={isNew}
          {...form.getInputProps('client_name')}
        />
        <TextInput
          label="client_id"
          classNames={{ input: classes.mono }}
          readOnly={!isNew}
          {...(isNew ? {} : { description: 'Fixed once registered; duplicate to change it.' })}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          {...form.getInputProps('client_id')}
        />
      </div>
      <Authentication form={form} />
      <Checkbox.Group label="Grants" {...form.getInputProps('grant_types')}>
        {GRANT_TYPES.map((grant) => (
          <Checkbox
            key={grant}
            mt="xs"
            value={grant}
            label={<code>{grant}</code>}
            description={GRANT_WORDS[grant]}
          />
        ))}
      </Checkbox.Group>
      <Select
        label="Application type"
        data={TYPES}
        allowDeselect={false}
        {...form.getInputProps('application_type')}
      />
    </fieldset>
  );
}
