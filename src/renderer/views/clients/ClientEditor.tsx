import { Tabs, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Client } from '../../../control/schemas.ts';
import { patchBetween } from '../../../control/names.ts';
import { redirectUriOf } from '../../connect/snippet.ts';
import { LibrarySettings } from '../../connect/LibrarySettings.tsx';
import { usePage, change, withClient } from '../../connection/state.ts';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { navigate } from '../../navigation/route.ts';
import { notify, notifyWithUndo } from '../../ui/notify.tsx';
import { RecordForm, useRecordForm } from '../../ui/record-form.tsx';
import { useUnsavedGuard } from '../../ui/confirm.tsx';
import { deleteClient } from '../../actions/delete-record.ts';
import { RecordEditor } from '../../ui/RecordEditor.tsx';
import { clientOf, problemsOf, type ClientDraft, draftOf } from './client-draft.ts';
import { ClientExtras, ClientIdentity, ClientTokens, UriList } from './ClientFields.tsx';

/** The settings for an app that uses this client. */
function ConnectPanel({ client }: { readonly client: Client }) {
  const server = usePage((state) => state.server);
  const settings = usePage((state) => state.settings);
  if (server === null || settings === null) return null;
  const given = { client, server, settings, redirect_uri: redirectUriOf(client) };
  return (
    <Stack gap="sm" p="md">
      <LibrarySettings {...given} />
    </Stack>
  );
}

interface ClientFormProps {
  /** The client being edited; null for a new client. */
  readonly client: Client | null;
  readonly start: ClientDraft;
}

const show = (saved: Client) => change((state) => withClient(state, saved));

/** Reverts the members that were saved, including a replaced secret. */
const putBack = (former: Client, saved: Client) =>
  attempt(`${saved.client_id} was not restored.`, async () => {
    const { client_id } = saved;
    const back = Object.entries(patchBetween(saved, former)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(saved[name as keyof Client]),
    );
    show(await control.clients.update({ ...Object.fromEntries(back), client_id }));
    notify(`${client_id} is restored`);
  });

async function save(client: Client | null, draft: ClientDraft): Promise<void> {
  const wanted = clientOf(draft);
  if (client === null) {
    const made = await control.clients.create(wanted);
    show(made);
    notify(`${made.client_id} is registered`);
    return;
  }
  const { client_id, client_secret } = client;
  // The draft has no members that only the client itself or the control API sets.
  const patch = patchBetween(client, { ...client, ...wanted });
  const saved = await control.clients.update({ ...patch, client_id });
  show(saved);
  const replaced = client_secret !== null && saved.client_secret !== client_secret;
  const words = replaced ? '; its former secret is now rejected' : '';
  notifyWithUndo(`${client_id} is saved${words}`, () => void putBack(client, saved));
}

function ClientForm({ client, start }: ClientFormProps) {
  const state = useRecordForm<ClientDraft>({
    initial: start,
    validate: problemsOf,
    save: (draft) => save(client, draft),
    failure: 'The client was not saved.',
    onSaved: (draft) => {
      release();
      if (client === null) void navigate('clients', draft.client_id);
    },
  });
  const { form } = state;
  const release = useUnsavedGuard(form.isDirty(), client?.client_id ?? 'the new client');
  return (
    <RecordForm
      state={state}
      record={client}
      start={start}
      {...(client === null ? { calm: 'Not registered yet' } : {})}
    >
      <ClientIdentity form={form} isNew={client === null} />
      <UriList
        form={form}
        field="redirect_uris"
        name="Redirect URI"
        placeholder="https://app.example/callback"
      />
      <ClientTokens form={form} />
      <ClientExtras form={form} />
    </RecordForm>
  );
}

interface ClientEditorProps {
  /** The client being edited; null for a new client. */
  readonly client: Client | null;
  /** The initial values of a new client. */
  readonly draft: (() => ClientDraft) | null;
}

export function ClientEditor({ client, draft }: ClientEditorProps) {
  const [initial] = useState(() => draft?.() ?? null);
  const start = client === null ? initial : draftOf(client);
  if (start === null) return null;
  return (
    <RecordEditor
      view="clients"
      kind="client"
      name={client?.client_id ?? null}
      onDelete={async () => client !== null && (await deleteClient(client))}
    >
      {client === null ? (
        <ClientForm client={null} start={start} />
      ) : (
        <Tabs defaultValue="settings" keepMounted>
          <Tabs.List>
            <Tabs.Tab value="settings">Settings</Tabs.Tab>
            <Tabs.Tab value="connect">Connect an app</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="settings">
            <ClientForm client={client} start={start} />
          </Tabs.Panel>
          <Tabs.Panel value="connect">
            <ConnectPanel client={client} />
          </Tabs.Panel>
        </Tabs>
      )}
    </RecordEditor>
  );
}
