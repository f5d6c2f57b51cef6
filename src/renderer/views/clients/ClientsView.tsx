// The table of clients, the form for one, and how an app connects as that client. Labels, hints and names of values
// come from the schema of a client; the service validates what is saved.

import { IconAppWindow } from '@tabler/icons-react';
import type { Client } from '../../../control/schemas.ts';
import { shortGrantName } from '../../../control/names.ts';
import { deleteClient } from '../../actions/delete-record.ts';
import { usePage } from '../../connection/state.ts';
import type { ViewProps } from '../../navigation/route.ts';
import { RecordsView } from '../../ui/grid/RecordsView.tsx';
import table from '../../ui/grid/table.module.css';
import type { RecordKind } from '../../ui/RecordEditor.tsx';
import { ClientEditor } from './ClientEditor.tsx';
import { DocumentImport } from './DocumentImport.tsx';
import { type ClientDraft, draftOf, duplicateOf, newDraft } from './client-draft.ts';

const CLIENTS: RecordKind<Client, ClientDraft> = {
  view: 'clients',
  kind: 'client',
  keyOf: ({ client_id }) => client_id,
  create: newDraft,
  duplicate: duplicateOf,
  draftOf,
  remove: deleteClient,
};

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

const clientText = (client: Client): string =>
  [
    client.client_id,
    client.client_name,
    grantsOf(client),
    client.token_endpoint_auth_method,
    client.profile ?? '',
    ...client.redirect_uris,
  ].join(' ');

export function ClientsView({ item }: ViewProps) {
  const clients = usePage((state) => state.clients);
  return (
    <RecordsView
      of={CLIENTS}
      item={item}
      records={clients}
      note="The apps that may request tokens"
      add="Register client"
      beside={<DocumentImport />}
      icon={IconAppWindow}
      about="A client is an app that requests tokens. It has an id, usually a secret, and the redirect URIs that receive its codes. Register one, then paste its configuration into the app under test."
      keyName="client_id"
      columns={COLUMNS}
      ranks={RANKS}
      textOf={clientText}
      cells={(client, linked) => {
        const grants = grantsOf(client);
        return (
          <>
            <td dir="auto">{linked(nameOf(client))}</td>
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
          </>
        );
      }}
      form={(client, start) => <ClientEditor client={client} start={start} />}
    />
  );
}
