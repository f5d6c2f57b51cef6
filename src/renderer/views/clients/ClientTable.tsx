import type { MouseEvent } from 'react';
import { shortGrantName, type Client } from '../../../control/schemas.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import table from '../../ui/table.module.css';
import split from '../../ui/split.module.css';

interface ClientTableProps {
  readonly clients: readonly Client[];
  readonly open: string | null;
}

export function ClientTable({ clients, open }: ClientTableProps) {
  return (
    <div className={split.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">client_id</th>
            <th scope="col" className={table.first}>
              Grants
            </th>
            <th scope="col" className={table.second}>
              Redirect URIs
            </th>
            <th scope="col" className={table.second}>
              Authentication
            </th>
            <th scope="col" className={table.first}>
              Profile
            </th>
          </tr>
        </thead>
        <tbody>
          {clients.map((client) => (
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
  const grants = client.grant_types.map(shortGrantName).join(', ');
  return (
    <tr className={table.opens} data-open={open || undefined} onClick={go}>
      <td className={table.cut}>
        <a
          className={table.name}
          href={hrefOf('clients', client.client_id)}
          aria-current={open || undefined}
        >
          {client.client_name === '' ? client.client_id : client.client_name}
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
