import { Tabs } from '@mantine/core';
import { useState } from 'react';
import type { Client } from '../../../control/schemas.ts';
import { deleteClient } from '../../actions/delete-record.ts';
import { RecordEditor } from '../../ui/RecordEditor.tsx';
import { draftOf, type ClientDraft } from './client-draft.ts';
import classes from './ClientEditor.module.css';
import { ClientForm } from './ClientForm.tsx';
import { ConnectPanel } from './ConnectPanel.tsx';

interface ClientEditorProps {
  /** The client being edited; null while one is registered. */
  readonly client: Client | null;
  /** What a new client starts from. */
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
        <Tabs defaultValue="settings" className={classes.tabs} keepMounted>
          <Tabs.List>
            <Tabs.Tab value="settings">Settings</Tabs.Tab>
            <Tabs.Tab value="connect">Connect an app</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="settings" className={classes.panel}>
            <ClientForm client={client} start={start} />
          </Tabs.Panel>
          <Tabs.Panel value="connect" className={classes.panel}>
            <ConnectPanel client={client} />
          </Tabs.Panel>
        </Tabs>
      )}
    </RecordEditor>
  );
}
