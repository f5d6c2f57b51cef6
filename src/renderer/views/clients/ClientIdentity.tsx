import { Checkbox, Select, TextInput } from '@mantine/core';
import { Authentication } from './Authentication.tsx';
import { clientField, valuesOf, type ClientFieldsProps } from './client-fields.ts';
import classes from '../../ui/form.module.css';

const TYPES = valuesOf('application_type');
const GRANTS = valuesOf('grant_types');

/** Who the client is, how it proves it, and what it may ask for. */
export function ClientIdentity({ form, isNew }: ClientFieldsProps & { readonly isNew: boolean }) {
  return (
    <fieldset className={classes.group}>
      <legend>Identity</legend>
      <div className={classes.pair}>
        <TextInput
          label={clientField('client_name').label}
          placeholder={clientField('client_name').help}
          autoFocus={isNew}
          dir="auto"
          {...form.getInputProps('client_name')}
        />
        <TextInput
          label={clientField('client_id').label}
          classNames={{ input: classes.mono }}
          readOnly={!isNew}
          {...(isNew
            ? {}
            : { description: 'Cannot be changed later; duplicate the client to choose another.' })}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          {...form.getInputProps('client_id')}
        />
      </div>
      <Authentication form={form} />
      <Checkbox.Group
        label={clientField('grant_types').label}
        {...form.getInputProps('grant_types')}
      >
        {GRANTS.map(({ value, label }) => (
          <Checkbox
            key={value}
            mt="xs"
            value={value}
            label={<code>{value}</code>}
            description={label}
          />
        ))}
      </Checkbox.Group>
      <Select
        label={clientField('application_type').label}
        data={TYPES}
        allowDeselect={false}
        {...form.getInputProps('application_type')}
      />
    </fieldset>
  );
}
