import { ActionIcon, Button, Tabs, Tooltip } from '@mantine/core';
import { IconCopyPlus, IconTrash, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { deleteClient } from '../../actions.ts';
import { navigate } from '../../route.ts';
import type { Client } from '../../../control/schemas.ts';
import { PanelHead } from '../../ui/PanelHead.tsx';
import { draftOf, type ClientDraft } from './client-draft.ts';
import classes from './ClientEditor.module.css';
import { ClientForm } from './ClientForm.tsx';
import { ConnectPanel } from './ConnectPanel.tsx';
import { copyItem } from './draft-route.ts';

interface ClientEditorProps {
  /** The client being edited; null while one is registered. */
  readonly client: Client | null;
  /** What a new client starts from. */
  readonly draft: (() => ClientDraft) | null;
}

const close = () => navigate('clients');

export function ClientEditor({ client, draft }: ClientEditorProps) {
  const [initial] = useState(() => draft?.() ?? null);
  const start = client === null ? initial : draftOf(client);
  const title = client === null ? 'New client' : client.client_id;
  if (start === null) return null;
  return (
    <section className={classes.editor} aria-label={client === null ? title : `Client ${title}`}>
      <PanelHead title={client === null ? title : <span className="mono">{title}</span>}>
        {client !== null && (
          <>
            <Button
              variant="subtle"
              leftSection={<IconCopyPlus size="1.1em" aria-hidden="true" />}
              onClick={() => void navigate('clients', copyItem(client.client_id))}
            >
              Duplicate
            </Button>
            <Button
              variant="subtle"
              color="bad"
              leftSection={<IconTrash size="1.1em" aria-hidden="true" />}
              onClick={() => void deleteClient(client).then(close)}
            >
              Delete
            </Button>
          </>
        )}
        <Tooltip label="Close">
          <ActionIcon aria-label="Close the editor" onClick={() => void close()}>
            <IconX size="1.1em" />
          </ActionIcon>
        </Tooltip>
      </PanelHead>
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
    </section>
  );
}
