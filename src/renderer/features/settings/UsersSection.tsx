import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { User } from '../../../control/schemas.ts';
import { deleteUser } from '../../actions.ts';
import { usePage } from '../../state.ts';
import table from '../../ui/table.module.css';
import { RecordActions } from './RecordActions.tsx';
import section from './Section.module.css';
import { Section } from './Section.tsx';
import { UserDialog } from './UserDialog.tsx';

export function UsersSection() {
  const users = usePage((state) => state.users);
  const [editing, setEditing] = useState<User | 'new' | null>(null);
  const add = (
    <Button
      variant="filled"
      leftSection={<IconPlus size="1.1em" aria-hidden="true" />}
      onClick={() => setEditing('new')}
    >
      Add user
    </Button>
  );
  return (
    <Section
      title="Users"
      about="The people who authorize. A code is issued for the first one unless another is named."
      action={add}
    >
      {users.length === 0 ? (
        <p className={section.empty}>No user. A code needs one to be issued for; add a user.</p>
      ) : (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Subject</th>
              <th scope="col">Name</th>
              <th scope="col">Email</th>
              <th scope="col">Claims</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {users.map((user) => (
              <tr key={user.sub}>
                <td>
                  <code>{user.sub}</code>
                </td>
                <td className={table.cut}>{user.name}</td>
                <td className={table.cut}>{user.email}</td>
                <td>{Object.keys(user.claims).length}</td>
                <td>
                  <RecordActions
                    name={user.sub}
                    onEdit={() => setEditing(user)}
                    onDelete={() => void deleteUser(user)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {editing !== null && (
        <UserDialog user={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </Section>
  );
}
