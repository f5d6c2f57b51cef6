import { Button, TextInput } from '@mantine/core';
import type { Client } from '../../../../control/schemas.ts';
import { useLibrary } from '../../../connect/library-store.ts';
import form from '../../../ui/form.module.css';
import { addRedirectUri } from '../add-redirect-uri.ts';
import { isOwnRedirectUri } from '../../../../control/loopback-redirect.ts';
import { problemOfUri } from '../redirect-uri.ts';
import classes from './Connect.module.css';
import { setConnecting } from './connect-store.ts';

/** One that an authorization request may not name yet. */
function Unregistered({ client, uri }: { readonly client: Client; readonly uri: string }) {
  return (
    <div className={classes.offer} role="note">
      <p className={form.note}>
        <code>{uri}</code> is not registered for <b>{client.client_id}</b>, so /authorize rejects
        it.
      </p>
      <Button className={form.start} onClick={() => void addRedirectUri(client, uri)}>
        Add it to the redirect URIs
      </Button>
    </div>
  );
}

interface CallbackFieldProps {
  readonly client: Client;
  readonly value: string;
  /** The one that the library chosen uses, whatever is entered; null when it uses what is entered. */
  readonly fixed: string | null;
}

/** Where the app receives codes. */
export function CallbackField({ client, value, fixed }: CallbackFieldProps) {
  const { name } = useLibrary();
  const problem = problemOfUri(value, 'callback');
  const used = fixed ?? value;
  return (
    <>
      <TextInput
        label="Callback"
        description={
          fixed === null ? 'The redirect URI of your app.' : `${name} answers at ${fixed}.`
        }
        value={value}
        spellCheck={false}
        error={problem}
        classNames={{ input: form.mono }}
        onChange={(event) => setConnecting({ redirect_uri: event.currentTarget.value })}
      />
      {problem === null && !isOwnRedirectUri(client, used) && (
        <Unregistered client={client} uri={used} />
      )}
    </>
  );
}
