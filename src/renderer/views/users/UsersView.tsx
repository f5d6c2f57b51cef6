// The table of users and the form for one. Labels come from the schema of a user; the service validates what is saved.

import { type MouseEvent, useState } from 'react';
import { Button } from '@mantine/core';
import { IconPlus, IconUser } from '@tabler/icons-react';
import type { User } from '../../../control/schemas.ts';
import { deleteUser } from '../../actions/delete-record.ts';
import { attempt } from '../../actions/sandbox.ts';
import { copyItem, draftFor, NEW_ITEM } from '../../navigation/draft-route.ts';
import { navigate, hrefOf, type ViewProps } from '../../navigation/route.ts';
import { type RowMenu, openRowMenu } from '../../ui/grid/row-menu.tsx';
import { notify } from '../../ui/notify.tsx';
import { GridTable } from '../../ui/grid/GridTable.tsx';
import { useSorting, filtered } from '../../ui/grid/arrange.ts';
import { StatusTag } from '../../ui/status.tsx';
import { usePage } from '../../connection/state.ts';
import { EmptyState, PanelHead } from '../../ui/panel.tsx';
import { FilterField, NoMatch } from '../../ui/grid/FilterField.tsx';
import { useReturnedFocus } from '../../ui/RecordEditor.tsx';
import split from '../../ui/split.module.css';
import table from '../../ui/grid/table.module.css';
import { duplicateOf, newDraft } from './user-draft.ts';
import { UserEditor } from './UserEditor.tsx';

/** The context menu of a user's row. */
function userMenu(user: User): Pick<RowMenu, 'label' | 'actions'> {
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

const claimsOf = ({ claims }: User): string => Object.keys(claims).join(', ');

const RANKS = {
  sub: ({ sub }: User) => sub,
  name: ({ name }: User) => name,
  email: ({ email }: User) => email,
  claims: claimsOf,
};

const COLUMNS = [
  { id: 'sub', name: 'Subject', sortsBy: 'sub' },
  { id: 'name', name: 'Name', sortsBy: 'name' },
  { id: 'email', name: 'Email', sortsBy: 'email', className: table.from520 },
  { id: 'claims', name: 'Custom claims', sortsBy: 'claims', className: table.from820 },
] as const;

/** The text that the filter searches. */
const userText = (user: User): string =>
  `${user.sub} ${user.name} ${user.email} ${JSON.stringify(user.claims)}`;

interface UserTableProps {
  /** The users shown, newest first. */
  readonly users: readonly User[];
  readonly open: string | null;
  /** The subject of the default user, for whom codes are issued unless another is chosen. */
  readonly defaultSub: string | undefined;
}

function UserTable({ users, open, defaultSub }: UserTableProps) {
  const { heads, sorted } = useSorting(RANKS);
  return (
    <div className={split.scroll}>
      <GridTable name="users" columns={COLUMNS} least={320} {...heads}>
        {sorted(users).map((user) => (
          <UserRow
            key={user.sub}
            user={user}
            open={user.sub === open}
            isDefault={user.sub === defaultSub}
          />
        ))}
      </GridTable>
    </div>
  );
}

interface UserRowProps {
  readonly user: User;
  readonly open: boolean;
  /** Whether this is the default user. */
  readonly isDefault: boolean;
}

function UserRow({ user, open, isDefault }: UserRowProps) {
  const { sub, name, email } = user;
  const go = (event: MouseEvent) => {
    event.preventDefault();
    void navigate('users', sub);
  };
  const names = claimsOf(user);
  return (
    <tr
      className={table.opens}
      data-open={open || undefined}
      onClick={go}
      onContextMenu={(event) => openRowMenu(event, event.currentTarget, userMenu(user))}
    >
      <td>
        <a className={table.name} href={hrefOf('users', sub)} aria-current={open || undefined}>
          <code>{sub}</code>
        </a>{' '}
        {isDefault && (
          <span title="Codes are issued for this user unless another is chosen.">
            <StatusTag tone="muted">default</StatusTag>
          </span>
        )}
      </td>
      <td dir="auto">{name}</td>
      <td className={table.from520}>{email}</td>
      <td className={table.from820} title={names}>
        {names === '' ? <span className={table.muted}>none</span> : <code>{names}</code>}
      </td>
    </tr>
  );
}

const add = () => void navigate('users', NEW_ITEM);

function AddUser({ quiet }: { readonly quiet: boolean }) {
  return (
    <Button
      variant={quiet ? 'default' : 'filled'}
      leftSection={<IconPlus size="1.1em" aria-hidden="true" />}
      onClick={add}
    >
      Add user
    </Button>
  );
}

export function UsersView({ item }: ViewProps) {
  const list = useReturnedFocus('users', item);
  const users = usePage((state) => state.users);
  const [text, setText] = useState('');
  const shown = filtered(users, text, userText);
  const open = users.find((user) => user.sub === item) ?? null;
  const draft = draftFor(item, users, {
    keyOf: ({ sub }: User) => sub,
    create: newDraft,
    duplicate: (user) => duplicateOf(user, users),
  });
  const editing = open !== null || draft !== null;
  return (
    <div className={split.view} data-open={editing || undefined}>
      <section className={split.list} aria-label="Users" ref={list}>
        <PanelHead title="Users" note="The people who authorize apps">
          {users.length > 0 && (
            <>
              <FilterField what="users" text={text} onText={setText} />
              <AddUser quiet={editing} />
            </>
          )}
        </PanelHead>
        {users.length > 0 ? (
          <>
            <UserTable users={shown} open={open?.sub ?? null} defaultSub={users.at(-1)?.sub} />
            {shown.length === 0 && <NoMatch what="users" text={text} />}
          </>
        ) : (
          <EmptyState
            icon={<IconUser size="1.6em" stroke={1.5} />}
            title="No users yet"
            text="A user signs in and authorizes an app. It has a subject, which tokens contain, a name and custom claims. Codes are only issued for a user."
            {...(editing ? {} : { action: <AddUser quiet={false} /> })}
          />
        )}
      </section>
      {editing && <UserEditor key={item} user={open} draft={draft} />}
    </div>
  );
}
