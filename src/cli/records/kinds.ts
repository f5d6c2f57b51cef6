// What is registered, as lists show it, and the operations for each kind.

import type { ControlClient } from '../../control/client.ts';
import type { Audience, Client, User } from '../../control/schemas.ts';
import { table, type Column } from '../terminal/table.ts';

export type RecordKind = 'clients' | 'users' | 'audiences';

export type Members = Readonly<Record<string, unknown>>;

interface Page {
  readonly items: readonly Members[];
  readonly next: string | null;
}

/** The operations of one kind of record, whichever it is. */
export interface Operations {
  readonly key: string;
  readonly list: (page: { limit: number; after?: string }) => Promise<Page>;
  readonly get: (key: Members) => Promise<Members>;
  readonly create: (members: Members) => Promise<Members>;
  readonly update: (members: Members) => Promise<Members>;
  readonly remove: (key: Members) => Promise<unknown>;
}

const KEYS: Readonly<Record<RecordKind, string>> = {
  clients: 'client_id',
  users: 'sub',
  audiences: 'uri',
};

/** The server judges members, for it has their schemas: here they are whatever was given. */
export function operationsOf(control: ControlClient, kind: RecordKind): Operations {
  const { list, get, create, update, remove } = control[kind] as unknown as Operations;
  return { key: KEYS[kind], list, get, create, update, remove };
}

const CLIENTS: readonly Column<Client>[] = [
  { title: 'CLIENT_ID', cell: ({ client_id }) => ({ text: client_id, style: 'bold' }) },
  { title: 'NAME', cell: ({ client_name }) => client_name },
  { title: 'AUTHENTICATION', cell: (client) => client.token_endpoint_auth_method },
  { title: 'GRANTS', cell: ({ grant_types }) => grant_types.join(' ') },
  { title: 'REDIRECT URIS', cell: ({ redirect_uris }) => redirect_uris.join(' ') },
];

const USERS: readonly Column<User>[] = [
  { title: 'SUB', cell: ({ sub }) => ({ text: sub, style: 'bold' }) },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'EMAIL', cell: ({ email }) => email },
  { title: 'CLAIMS', cell: ({ claims }) => Object.keys(claims).join(' ') },
];

const AUDIENCES: readonly Column<Audience>[] = [
  { title: 'URI', cell: ({ uri }) => ({ text: uri, style: 'bold' }) },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'SCOPES', cell: ({ scopes }) => scopes.join(' ') },
];

export function recordTable(kind: RecordKind, items: readonly Members[]): string {
  const nothing = `There are no ${kind}.`;
  switch (kind) {
    case 'clients':
      return table(items as unknown as Client[], CLIENTS, nothing);
    case 'users':
      return table(items as unknown as User[], USERS, nothing);
    case 'audiences':
      return table(items as unknown as Audience[], AUDIENCES, nothing);
  }
}
