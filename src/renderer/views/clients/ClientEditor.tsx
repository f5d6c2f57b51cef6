import { Tabs, Stack } from '@mantine/core';
import { useState } from 'react';
import { type Client, clientSchema } from '../../../control/schemas.ts';
import { patchBetween } from '../../../control/names.ts';
import { redirectUriOf } from '../../connect-app/library-input.ts';
import { LibrarySettings } from '../../connect-app/LibrarySettings.tsx';
import { change, withClient } from '../../connection/state.ts';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { notify, notifyWithUndo } from '../../ui/notify.tsx';
import { Hint } from '../../ui/panel.tsx';
import { RecordForm } from '../../ui/record-form.tsx';
import { clientOf, problemsOf, type ClientDraft } from './client-draft.ts';
import { ClientExtras, ClientIdentity, ClientTokens, UriList } from './ClientFields.tsx';

const show = (saved: Client) => change((state) => withClient(state, saved));

/** Reverts the members that were saved, including a replaced secret. */
const putBack = (former: Client, saved: Client) =>
  attempt(`${saved.client_id} was not restored.`, async () => {
    const { client_id } = saved;
    show(await control.clients.update({ ...patchBetween(saved, former), client_id }));
    notify(`${client_id} is restored`);
  });

/** Resolves to the client_id. */
async function save(client: Client | null, draft: ClientDraft): Promise<string> {
  const wanted = clientOf(draft);
  if (client === null) {
    const made = await control.clients.create(wanted);
    show(made);
    notify(`${made.client_id} is registered`);
    return made.client_id;
  }
  const { client_id, client_secret } = client;
  // The draft has no members that only the client itself or the control API sets.
  const patch = patchBetween(client, { ...client, ...wanted });
  const saved = await control.clients.update({ ...patch, client_id });
  show(saved);
  const replaced = client_secret !== null && saved.client_secret !== client_secret;
  const words = replaced ? '; its former secret is now rejected' : '';
  notifyWithUndo(`${client_id} is saved${words}`, () => putBack(client, saved));
  return client_id;
}

interface ClientEditorProps {
  /** The client being edited; null for a new client. */
  readonly client: Client | null;
  readonly start: ClientDraft;
}

function ClientForm({ client, start }: ClientEditorProps) {
  return (
    <RecordForm
      view="clients"
      record={client}
      schema={clientSchema}
      name={client?.client_id ?? 'the new client'}
      initial={start}
      validate={problemsOf}
      save={(draft) => save(client, draft)}
      failure="The client was not saved."
      idleText={client === null ? 'Not registered yet' : undefined}
    >
      {(form) => (
        <>
          <ClientIdentity form={form} isNew={client === null} />
          <UriList
            form={form}
            field="redirect_uris"
            name="Redirect URI"
            placeholder="https://app.example/callback"
          />
          <ClientTokens form={form} />
          <ClientExtras form={form} />
        </>
      )}
    </RecordForm>
  );
}

/** The form for a client and, if it is registered, the settings for an app that uses it. */
export function ClientEditor({ client, start }: ClientEditorProps) {
  const [tab, setTab] = useState<string | null>('settings');
  return (
    <Tabs value={client === null ? 'settings' : tab} onChange={setTab} keepMounted>
      {client !== null && (
        <Tabs.List>
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          <Tabs.Tab value="connect">Connect your app</Tabs.Tab>
        </Tabs.List>
      )}
      {/* The same form when the client is deleted elsewhere: it keeps the edits. */}
      <Tabs.Panel value="settings">
        <ClientForm client={client} start={start} />
      </Tabs.Panel>
      {client !== null && (
        <Tabs.Panel value="connect">
          <Stack gap="sm" p="md">
            {client.redirect_uris.length === 0 && (
              <Hint role="note">
                This client has no redirect URI, so the one below is an example. If your app signs
                users in, register its own under Settings.
              </Hint>
            )}
            <LibrarySettings client={client} redirect_uri={redirectUriOf(client)} />
          </Stack>
        </Tabs.Panel>
      )}
    </Tabs>
  );
}
