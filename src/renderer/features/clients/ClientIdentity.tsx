import { Checkbox, Select, TextInput } from '@mantine/core';
import { AUTH_METHODS, GRANT_TYPES } from '../../../control/schemas.ts';
import { AUTH_METHOD_WORDS, GRANT_WORDS } from '../../words.ts';
import type { ClientFieldsProps } from './client-fields.ts';
import classes from '../../ui/form.module.css';
import { SecretField } from './SecretField.tsx';

const METHODS = AUTH_METHODS.map((value) => ({ value, label: AUTH_METHOD_WORDS[value] }));

/** Who the client is, how it proves it, and what it may ask for. */
export function ClientIdentity({ form, isNew }: ClientFieldsProps & { readonly isNew: boolean }) {
  const { token_endpoint_auth_method: method } = form.getValues();
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
      <Select
        label="Client authentication"
        data={METHODS}
        allowDeselect={false}
        {...form.getInputProps('token_endpoint_auth_method')}
      />
      {method === 'none' ? (
        <p className={classes.note}>
          A public client has no secret. The interop profile lets it in with PKCE alone.
        </p>
      ) : (
        <SecretField form={form} />
      )}
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
    </fieldset>
  );
}
