import { Button, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ServerState, Settings } from '../../../../control/schemas.ts';
import { inputOf, redirectUriOf } from '../../../connect/input.ts';
import { useLibrary } from '../../../connect/library-store.ts';
import { LibrarySettings } from '../../../connect/LibrarySettings.tsx';
import { usePage } from '../../../connection/state.ts';
import { NEW_ITEM } from '../../../navigation/draft-route.ts';
import { navigate } from '../../../navigation/route.ts';
import { partyOf } from '../../../sending/chosen-party.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { CallbackField } from './CallbackField.tsx';
import { problemOfUri } from '../redirect-uri.ts';
import classes from './Connect.module.css';
import { setConnecting, useConnecting } from './connect-store.ts';
import { useFlow } from '../flow-store.ts';

function NoClient() {
  return (
    <div className={classes.offer}>
      <p>Your app needs a client_id: register a client first.</p>
      <Button
        variant="filled"
        leftSection={<IconPlus size="1.1em" aria-hidden="true" />}
        onClick={() => void navigate('clients', NEW_ITEM)}
      >
        Register client
      </Button>
    </div>
  );
}

interface AppSettingsProps {
  readonly server: ServerState;
  readonly settings: Settings;
}

/** What the app needs: base URL, client, callback, and all of it as the settings of a library. */
export function AppSettings({ server, settings }: AppSettingsProps) {
  const clients = usePage((state) => state.clients);
  const users = usePage((state) => state.users);
  const ofFlow = useFlow((state) => state.inputs.client_id);
  const connecting = useConnecting();
  const library = useLibrary();
  const picked = connecting.client_id ?? ofFlow;
  const { client } = partyOf({ clients, users }, { client_id: picked, sub: null });
  if (client === null) return <NoClient />;
  const callback = connecting.redirect_uri ?? redirectUriOf(client);
  // A snippet is made of what can be registered.
  const redirect_uri =
    problemOfUri(callback, 'callback') === null ? callback : redirectUriOf(client);
  const fixed = library.redirects_to?.(inputOf(client, server, redirect_uri)) ?? null;
  return (
    <>
      <div className={classes.base}>
        <span id="connect-base-url">Base URL</span>
        <code aria-labelledby="connect-base-url">{server.issuer}</code>
        <CopyButton value={server.issuer} label="Copy base URL" />
      </div>
      <Select
        label="Client"
        searchable
        allowDeselect={false}
        value={client.client_id}
        onChange={(client_id) => setConnecting({ client_id, redirect_uri: null })}
        data={clients.map(({ client_id, client_name }) => ({
          value: client_id,
          label: client_name === '' ? client_id : `${client_name} (${client_id})`,
        }))}
      />
      <CallbackField client={client} value={callback} fixed={fixed} />
      <LibrarySettings {...{ client, server, settings, redirect_uri }} />
    </>
  );
}
