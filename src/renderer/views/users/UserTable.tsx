import { useState, type MouseEvent } from 'react';
import type { User } from '../../../control/schemas.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { nextSorting, sortedBy, type Sorting } from '../../ui/grid/arrange.ts';
import { openRowMenu } from '../../ui/grid/row-menu.ts';
import { SortHead } from '../../ui/grid/SortHead.tsx';
import split from '../../ui/split.module.css';
import { StatusTag } from '../../ui/StatusTag.tsx';
import table from '../../ui/table.module.css';
import { userMenu } from './user-menu.ts';

const claimsOf = ({ claims }: User): string => Object.keys(claims).join(', ');

const RANKS = {
  sub: ({ sub }: User) => sub,
  name: ({ name }: User) => name,
  email: ({ email }: User) => email,
  claims: claimsOf,
};
type Key = keyof typeof RANKS;

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
  const [sorting, setSorting] = useState<Sorting<Key> | null>(null);
  const head = {
    sorting,
    onSort: (key: Key) => setSorting((now) => nextSorting(now, key)),
  };
  return (
    <div className={split.scroll}>
      <table className={`${table.table} ${table.even}`}>
        <thead>
          <tr>
            <SortHead name="Subject" by="sub" {...head} />
            <SortHead name="Name" by="name" {...head} />
            <SortHead name="Email" by="email" {...head} className={table.first} />
            <SortHead name="Custom claims" by="claims" {...head} className={table.second} />
          </tr>
        </thead>
        <tbody>
          {sortedBy(users, sorting, RANKS).map((user) => (
            <UserRow
              key={user.sub}
              user={user}
              open={user.sub === open}
              standsIn={user.sub === first}
            />
          ))}
        </tbody>
      </table>
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
      <td>
        <a className={table.name} href={hrefOf('users', sub)} aria-current={open || undefined}>
          <code>{sub}</code>
        </a>{' '}
        {standsIn && (
          <span title="Codes are issued for this user unless another is chosen.">
            <StatusTag tone="muted">first</StatusTag>
          </span>
        )}
      </td>
      <td>{name}</td>
      <td className={table.first}>{email}</td>
      <td className={table.second} title={names}>
        {names === '' ? <span className={table.muted}>none</span> : <code>{names}</code>}
      </td>
    </tr>
  );
}
