// What the menu of a user's row does.

import type { User } from '../../../control/schemas.ts';
import { deleteUser } from '../../actions/delete-record.ts';
import { attempt } from '../../actions/sandbox.ts';
import { copyItem } from '../../navigation/draft-route.ts';
import { navigate } from '../../navigation/route.ts';
import type { RowMenu } from '../../ui/grid/row-menu.tsx';
import { notify } from '../../ui/notify.tsx';

export function userMenu(user: User): Pick<RowMenu, 'label' | 'actions'> {
  const { sub } = user;
  const copy = () =>
    attempt('The subject was not copied.', async () => {
      await navigator.clipboard.writeText(sub);
      notify(`Copied ${sub}`);
    });
  return {
    label: `User ${sub}`,
    actions: [
      { title: 'Edit', run: () => navigate('users', sub) },
      { title: 'Duplicate', run: () => navigate('users', copyItem(sub)) },
      { title: 'Copy subject', run: copy },
      { title: 'Delete', needs: 'connection', danger: true, run: () => deleteUser(user) },
    ],
  };
}
