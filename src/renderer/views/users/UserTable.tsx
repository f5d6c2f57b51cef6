import type { MouseEvent } from 'react';
import type { User } from '../../../control/schemas.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import split from '../../ui/split.module.css';
import { StatusTag } from '../../ui/StatusTag.tsx';
import table from '../../ui/table.module.css';

interface UserTableProps {
  /** Newest first. */
  readonly users: readonly User[];
  readonly open: string | null;
}

export function UserTable({ users, open }: UserTableProps) {
  const first = users.at(-1)?.sub;
  return (
    <div className={split.scroll}>
      <table className={`${table.table} ${table.even}`}>
        <thead>
          <tr>
            <th scope="col">Subject</th>
            <th scope="col">Name</th>
            <th scope="col" className={table.first}>
              Email
            </th>
            <th scope="col" className={table.second}>
              Custom claims
            </th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
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
  const { sub, name, email, claims } = user;
  const go = (event: MouseEvent) => {
    event.preventDefault();
    void navigate('users', sub);
  };
  const names = Object.keys(claims).join(', ');
  return (
    <tr className={table.opens} data-open={open || undefined} onClick={go}>
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
