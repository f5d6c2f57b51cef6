import { Select } from '@mantine/core';
import { AUTH_METHODS } from '../../../control/schemas.ts';
import { JsonField } from '../../ui/JsonField.tsx';
import { AUTH_METHOD_WORDS } from '../../ui/words.ts';
import { secretFor, takesSecret } from './client-draft.ts';
import type { ClientFieldsProps } from './client-fields.ts';
import classes from '../../ui/form.module.css';
import { SecretField } from './SecretField.tsx';

const METHODS = AUTH_METHODS.map((value) => ({ value, label: AUTH_METHOD_WORDS[value] }));

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
        label="Client authentication"
        data={METHODS}
        allowDeselect={false}
        {...form.getInputProps('token_endpoint_auth_method')}
        onChange={choose}
      />
      {method === 'none' && (
        <p className={classes.note}>
          A public client has no secret. The interop profile lets it in with PKCE alone.
        </p>
      )}
      {method === 'private_key_jwt' && (
        <JsonField
          label="Public keys (JWK Set)"
          description="The interop profile takes assertions signed with one of these (RFC 7523)."
          placeholder={EXAMPLE}
          {...form.getInputProps('jwks')}
        />
      )}
      {takesSecret(method) ? (
        <SecretField form={form} />
      ) : (
        client_secret !== '' && (
          <p className={classes.note}>Its secret is good in the interop profile besides.</p>
        )
      )}
    </>
  );
}
