// The table of clients, the form for one, and how an app connects as that client. Labels, hints and names of values
// come from the schema of a client; the service validates what is saved.

import { type MouseEvent, useState } from 'react';
import { Button } from '@mantine/core';
import { IconAppWindow, IconPlus } from '@tabler/icons-react';
import type { Client } from '../../../control/schemas.ts';
import { shortGrantName } from '../../../control/names.ts';
import { deleteClient } from '../../actions/delete-record.ts';
import { attempt } from '../../actions/sandbox.ts';
import {
  navigate,
  hrefOf,
  type ViewProps,
  copyItem,
  draftFor,
  NEW_ITEM,
} from '../../navigation/route.ts';
import { type RowMenu, openRowMenu } from '../../ui/grid/row-menu.tsx';
import { notify } from '../../ui/notify.tsx';
import { GridTable } from '../../ui/grid/GridTable.tsx';
import { useSorting, filtered } from '../../ui/grid/arrange.ts';
import { usePage } from '../../connection/state.ts';
import { EmptyState, PanelHead } from '../../ui/panel.tsx';
import { FilterField, NoMatch } from '../../ui/grid/FilterField.tsx';
import { useReturnedFocus } from '../../ui/RecordEditor.tsx';
import table from '../../ui/grid/table.module.css';
import split from '../../ui/split.module.css';
import { ClientEditor } from './ClientEditor.tsx';
import { DocumentImport } from './DocumentImport.tsx';
import { duplicateOf, newDraft } from './client-draft.ts';

/** The context menu of a client's row. */
function clientMenu(client: Client): Pick<RowMenu, 'label' | 'actions'> {
  const { client_id } = client;
  const copy = () =>
    attempt('The client_id was not copied.', async () => {
      await navigator.clipboard.writeText(client_id);
      notify(`Copied ${client_id}`);
    });
  return {
    label: `Client ${client_id}`,
    actions: [
      { title: 'Edit', run: () => navigate('clients', client_id) },
      { title: 'Duplicate', run: () => navigate('clients', copyItem(client_id)) },
      { title: 'Copy client_id', run: copy },
      { title: 'Delete', needs: 'connection', danger: true, run: () => deleteClient(client) },
    ],
  };
}

const nameOf = ({ client_name, client_id }: Client): string =>
  client_name === '' ? client_id : client_name;
const grantsOf = ({ grant_types }: Client): string => grant_types.map(shortGrantName).join(', ');

const RANKS = {
  name: nameOf,
  id: ({ client_id }: Client) => client_id,
  grants: grantsOf,
  uris: ({ redirect_uris }: Client) => redirect_uris.length,
  method: ({ token_endpoint_auth_method }: Client) => token_endpoint_auth_method,
  profile: ({ profile }: Client) => profile ?? '',
};

const COLUMNS = [
  { id: 'name', name: 'Name', sortsBy: 'name' },
  { id: 'id', name: 'client_id', sortsBy: 'id' },
  { id: 'grants', name: 'Grants', sortsBy: 'grants', className: table.from520 },
  { id: 'uris', name: 'Redirect URIs', sortsBy: 'uris', width: '8.5rem', className: table.from820 },
  {
    id: 'method',
    name: 'Authentication',
    sortsBy: 'method',
    width: '11.5rem',
    className: table.from820,
  },
  { id: 'profile', name: 'Profile', sortsBy: 'profile', width: '9rem', className: table.from520 },
] as const;

/** The text that the filter searches. */
const clientText = (client: Client): string =>
  [
    client.client_id,
    client.client_name,
    grantsOf(client),
    client.token_endpoint_auth_method,
    client.profile ?? '',
    ...client.redirect_uris,
  ].join(' ');

interface ClientTableProps {
  readonly clients: readonly Client[];
  readonly open: string | null;
}

function ClientTable({ clients, open }: ClientTableProps) {
  const { heads, sorted } = useSorting(RANKS);
  return (
    <div className={split.scroll}>
      <GridTable name="clients" columns={COLUMNS} least={320} {...heads}>
        {sorted(clients).map((client) => (
          <ClientRow key={client.client_id} client={client} open={client.client_id === open} />
        ))}
      </GridTable>
    </div>
  );
}

function ClientRow({ client, open }: { readonly client: Client; readonly open: boolean }) {
  const go = (event: MouseEvent) => {
    event.preventDefault();
    void navigate('clients', client.client_id);
  };
  const grants = grantsOf(client);
  return (
    <tr
      className={table.opens}
      data-open={open || undefined}
      onClick={go}
      onContextMenu={(event) => openRowMenu(event, event.currentTarget, clientMenu(client))}
    >
      <td dir="auto">
        <a
          className={table.name}
          href={hrefOf('clients', client.client_id)}
          aria-current={open || undefined}
        >
          {nameOf(client)}
        </a>
      </td>
      <td>
        <code title={client.client_id}>{client.client_id}</code>
      </td>
      <td className={table.from520} title={grants}>
        {grants === '' ? 'none' : grants}
      </td>
      <td className={table.from820}>{client.redirect_uris.length}</td>
      <td className={table.from820}>
        <code className={table.muted}>{client.token_endpoint_auth_method}</code>
      </td>
      <td className={table.from520}>
        {client.profile ?? <span className={table.muted}>Workspace default</span>}
      </td>
    </tr>
  );
}

const register = () => void navigate('clients', NEW_ITEM);

const DRAFTS = {
  keyOf: ({ client_id }: Client) => client_id,
  create: newDraft,
  duplicate: duplicateOf,
};

function Register({ quiet }: { readonly quiet: boolean }) {
  return (
    <Button variant={quiet ? 'default' : 'filled'} leftSection={<IconPlus />} onClick={register}>
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
    <div className={split.view} data-open={editing || undefined}>
      <section className={split.list} aria-label="Clients" ref={list}>
        <PanelHead title="Clients" note="The apps that may request tokens">
          {clients.length > 0 && <FilterField what="clients" text={text} onText={setText} />}
          <DocumentImport />
          {clients.length > 0 && <Register quiet={editing} />}
        </PanelHead>
        {clients.length > 0 ? (
          <>
            <ClientTable clients={shown} open={open?.client_id ?? null} />
            {shown.length === 0 && <NoMatch what="clients" text={text} />}
          </>
        ) : (
          <EmptyState
            icon={IconAppWindow}
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
