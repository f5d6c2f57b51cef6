import type { MouseEvent } from 'react';
import type { User } from '../../../control/schemas.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { GridTable } from '../../ui/grid/GridTable.tsx';
import { openRowMenu } from '../../ui/grid/row-menu.tsx';
import { useSorting } from '../../ui/grid/arrange.ts';
import split from '../../ui/split.module.css';
import { StatusTag } from '../../ui/status.tsx';
import table from '../../ui/grid/table.module.css';
import { userMenu } from './user-menu.ts';
import classes from './UserTable.module.css';

const claimsOf = ({ claims }: User): string => Object.keys(claims).join(', ');

const RANKS = {
  sub: ({ sub }: User) => sub,
  name: ({ name }: User) => name,
  email: ({ email }: User) => email,
  claims: claimsOf,
};

const COLUMNS = [
  { id: 'sub', name: 'Subject', sortsBy: 'sub', className: classes.sub },
  { id: 'name', name: 'Name', sortsBy: 'name', className: classes.name },
  { id: 'email', name: 'Email', sortsBy: 'email', className: classes.email },
  { id: 'claims', name: 'Custom claims', sortsBy: 'claims', className: classes.claims },
] as const;

/** What a user is found by. */
export const userText = (user: User): string =>
  `${user.sub} ${user.name} ${user.email} ${JSON.stringify(user.claims)}`;

interface UserTableProps {
  /** Those shown, newest first. */
  readonly users: readonly User[];
  readonly open: string | null;
  /** The one for whom codes are issued when nobody is named. */
  readonly first: string | undefined;
}

export function UserTable({ users, open, first }: UserTableProps) {
  const { heads, sorted } = useSorting(RANKS);
  return (
    <div className={split.scroll}>
      <GridTable name="users" columns={COLUMNS} className={classes.table} {...heads}>
        {sorted(users).map((user) => (
          <UserRow
            key={user.sub}
            user={user}
            open={user.sub === open}
            standsIn={user.sub === first}
          />
        ))}
      </GridTable>
    </div>
  );
}

interface UserRowProps {
  readonly user: User;
  readonly open: boolean;
  /** Whether codes are issued for this one when nobody is named. */
  readonly standsIn: boolean;
}

function UserRow({ user, open, standsIn }: UserRowProps) {
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
      <td className={classes.sub}>
        <a className={table.name} href={hrefOf('users', sub)} aria-current={open || undefined}>
          <code>{sub}</code>
        </a>{' '}
        {standsIn && (
          <span title="Codes are issued for this user unless another is chosen.">
            <StatusTag tone="muted">first</StatusTag>
          </span>
        )}
      </td>
      <td className={classes.name} dir="auto">
        {name}
      </td>
      <td className={classes.email}>{email}</td>
      <td className={classes.claims} title={names}>
        {names === '' ? <span className={table.muted}>none</span> : <code>{names}</code>}
      </td>
    </tr>
  );
}
