import type { MouseEvent } from 'react';
import type { Client } from '../../../control/schemas.ts';
import { shortGrantName } from '../../../control/names.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { GridTable } from '../../ui/grid/GridTable.tsx';
import { openRowMenu } from '../../ui/grid/row-menu.tsx';
import { useSorting } from '../../ui/grid/arrange.ts';
import table from '../../ui/grid/table.module.css';
import { clientMenu } from './client-menu.ts';
import classes from './ClientTable.module.css';
import split from '../../ui/split.module.css';

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
  { id: 'name', name: 'Name', sortsBy: 'name', className: classes.name },
  { id: 'id', name: 'client_id', sortsBy: 'id', className: classes.id },
  { id: 'grants', name: 'Grants', sortsBy: 'grants', className: classes.grants },
  { id: 'uris', name: 'Redirect URIs', sortsBy: 'uris', className: classes.uris },
  { id: 'method', name: 'Authentication', sortsBy: 'method', className: classes.method },
  { id: 'profile', name: 'Profile', sortsBy: 'profile', className: classes.profile },
] as const;

/** What a client is found by. */
export const clientText = (client: Client): string =>
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

export function ClientTable({ clients, open }: ClientTableProps) {
  const { heads, sorted } = useSorting(RANKS);
  return (
    <div className={split.scroll}>
      <GridTable name="clients" columns={COLUMNS} className={classes.table} {...heads}>
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
      <td className={classes.name} dir="auto">
        <a
          className={table.name}
          href={hrefOf('clients', client.client_id)}
          aria-current={open || undefined}
        >
          {nameOf(client)}
        </a>
      </td>
      <td className={classes.id}>
        <code title={client.client_id}>{client.client_id}</code>
      </td>
      <td className={classes.grants} title={grants}>
        {grants === '' ? 'none' : grants}
      </td>
      <td className={classes.uris}>{client.redirect_uris.length}</td>
      <td className={classes.method}>
        <code className={table.muted}>{client.token_endpoint_auth_method}</code>
      </td>
      <td className={classes.profile}>
        {client.profile ?? <span className={table.muted}>workspace’s</span>}
      </td>
    </tr>
  );
}
