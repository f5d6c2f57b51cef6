// What the menu of a client's row does.

import type { Client } from '../../../control/schemas.ts';
import { deleteClient } from '../../actions/delete-record.ts';
import { attempt } from '../../actions/sandbox.ts';
import { copyItem } from '../../navigation/draft-route.ts';
import { navigate } from '../../navigation/route.ts';
import type { RowMenu } from '../../ui/grid/row-menu.tsx';
import { notify } from '../../ui/notify.tsx';

export function clientMenu(client: Client): Pick<RowMenu, 'label' | 'actions'> {
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
