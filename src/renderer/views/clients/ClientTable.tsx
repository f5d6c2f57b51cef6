import { useState, type MouseEvent } from 'react';
import { shortGrantName, type Client } from '../../../control/schemas.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { nextSorting, sortedBy, type Sorting } from '../../ui/grid/arrange.ts';
import { openRowMenu } from '../../ui/grid/row-menu.ts';
import { SortHead } from '../../ui/grid/SortHead.tsx';
import table from '../../ui/table.module.css';
import { clientMenu } from './client-menu.ts';
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
type Key = keyof typeof RANKS;

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
  const [sorting, setSorting] = useState<Sorting<Key> | null>(null);
  const head = {
    sorting,
    onSort: (key: Key) => setSorting((now) => nextSorting(now, key)),
  };
  return (
    <div className={split.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <SortHead name="Name" by="name" {...head} />
            <SortHead name="client_id" by="id" {...head} />
            <SortHead name="Grants" by="grants" {...head} className={table.first} />
            <SortHead name="Redirect URIs" by="uris" {...head} className={table.second} />
            <SortHead name="Authentication" by="method" {...head} className={table.second} />
            <SortHead name="Profile" by="profile" {...head} className={table.first} />
          </tr>
        </thead>
        <tbody>
          {sortedBy(clients, sorting, RANKS).map((client) => (
            <ClientRow key={client.client_id} client={client} open={client.client_id === open} />
          ))}
        </tbody>
      </table>
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
      <td className={table.cut}>
        <a
          className={table.name}
          href={hrefOf('clients', client.client_id)}
          aria-current={open || undefined}
        >
          {nameOf(client)}
        </a>
      </td>
      <td className={table.cut}>
        <code title={client.client_id}>{client.client_id}</code>
      </td>
      <td className={table.first}>{grants === '' ? 'none' : grants}</td>
      <td className={table.second}>{client.redirect_uris.length}</td>
      <td className={table.second}>
        <code className={table.muted}>{client.token_endpoint_auth_method}</code>
      </td>
      <td className={table.first}>
        {client.profile ?? <span className={table.muted}>workspace’s</span>}
      </td>
    </tr>
  );
}
