import { Select, Switch } from '@mantine/core';
import { JsonField } from '../../ui/JsonField.tsx';
import { secretFor, takesSecret } from './client-draft.ts';
import { clientField, valuesOf, type ClientFieldsProps } from './client-fields.ts';
import classes from '../../ui/form.module.css';
import { SecretField } from './SecretField.tsx';

const METHODS = valuesOf('token_endpoint_auth_method');

const EXAMPLE = '{ "keys": [{ "kty": "EC", "crv": "P-256", "kid": "…", "x": "…", "y": "…" }] }';

/** How the client proves who it is, and what that takes. */
export function Authentication({ form }: ClientFieldsProps) {
  const { token_endpoint_auth_method: method, client_secret } = form.getValues();
  const choose = (chosen: string | null) => {
    if (chosen === null) return;
    const former = form.getInitialValues().client_secret;
    form.setFieldValue('token_endpoint_auth_method', chosen);
    form.setFieldValue('client_secret', secretFor(chosen, client_secret, former));
  };
  return (
    <>
      <Select
        label={clientField('token_endpoint_auth_method').label}
        data={METHODS}
        allowDeselect={false}
        {...form.getInputProps('token_endpoint_auth_method')}
        onChange={choose}
      />
      {method === 'none' && (
        <p className={classes.note}>
          A public client has no secret. The interop profile accepts it with PKCE alone.
        </p>
      )}
      {method === 'private_key_jwt' && (
        <JsonField
          label={clientField('jwks').label}
          description="The interop profile accepts assertions signed with one of these keys."
          placeholder={EXAMPLE}
          {...form.getInputProps('jwks')}
        />
      )}
      {takesSecret(method) ? (
        <SecretField form={form} />
      ) : (
        client_secret !== '' && (
          <p className={classes.note}>Its secret also works in the interop profile.</p>
        )
      )}
      <Switch
        label={clientField('require_pushed_authorization_requests').label}
        {...form.getInputProps('require_pushed_authorization_requests', { type: 'checkbox' })}
      />
    </>
  );
}
