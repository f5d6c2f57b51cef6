import { Button } from '@mantine/core';
import { IconAppWindow, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Client } from '../../../control/schemas.ts';
import { draftFor, NEW_ITEM } from '../../navigation/draft-route.ts';
import { navigate, type ViewProps } from '../../navigation/route.ts';
import { usePage } from '../../connection/state.ts';
import { EmptyState, PanelHead } from '../../ui/panel.tsx';
import { filtered } from '../../ui/grid/arrange.ts';
import { FilterField, NoMatch } from '../../ui/grid/FilterField.tsx';
import { useReturnedFocus } from '../../ui/RecordEditor.tsx';
import { ClientEditor } from './ClientEditor.tsx';
import { clientText, ClientTable } from './ClientTable.tsx';
import classes from '../../ui/split.module.css';
import { duplicateOf, newDraft } from './client-draft.ts';

const register = () => void navigate('clients', NEW_ITEM);

const DRAFTS = {
  keyOf: ({ client_id }: Client) => client_id,
  begun: newDraft,
  copied: duplicateOf,
};

function Register({ quiet }: { readonly quiet: boolean }) {
  return (
    <Button
      variant={quiet ? 'default' : 'filled'}
      leftSection={<IconPlus size="1.1em" aria-hidden="true" />}
      onClick={register}
    >
      Register client
    </Button>
  );
}

export function ClientsView({ item }: ViewProps) {
  const list = useReturnedFocus('clients', item);
  const clients = usePage((state) => state.clients);
  const [text, setText] = useState('');
  const shown = filtered(clients, text, clientText);
  const open = clients.find((client) => client.client_id === item) ?? null;
  const draft = draftFor(item, clients, DRAFTS);
  const editing = open !== null || draft !== null;
  return (
    <div className={classes.view} data-open={editing || undefined}>
      <section className={classes.list} aria-label="Clients" ref={list}>
        <PanelHead title="Clients" note="The apps that may request tokens">
          {clients.length > 0 && (
            <>
              <FilterField what="clients" text={text} onText={setText} />
              <Register quiet={editing} />
            </>
          )}
        </PanelHead>
        {clients.length > 0 ? (
          <>
            <ClientTable clients={shown} open={open?.client_id ?? null} />
            {shown.length === 0 && <NoMatch what="clients" text={text} />}
          </>
        ) : (
          <EmptyState
            icon={<IconAppWindow size="1.6em" stroke={1.5} />}
            title="No clients yet"
            text="A client is an app that requests tokens. It has an id, usually a secret, and the redirect URIs that receive its codes. Register one, then paste its configuration into the app under test."
            {...(editing ? {} : { action: <Register quiet={false} /> })}
          />
        )}
      </section>
      {editing && <ClientEditor key={item} client={open} draft={draft} />}
    </div>
  );
}
