// Where a request proves its client: in the body, in the Authorization header, or not at all. It is
// read from the request itself and changed by moving what stands there.

import type { Credentials } from '../../../oauth/client-authentication.ts';
import { basicAuthorization, isBasic, readBasic } from '../../../oauth/client-authentication.ts';
import { withBodyRows, withHeaders, type Draft } from './draft.ts';
import {
  headerValue,
  rowOf,
  valueIn,
  withHeader,
  withoutHeader,
  type FieldRow,
} from './field-rows.ts';

export type Placement = 'body' | 'basic' | 'none' | 'both';

const SECRETS = ['client_secret', 'client_assertion'];

/** Where the client proves itself. */
export function placementOf({ headers, body }: Draft): Placement {
  const inHeader = isBasic(headerValue(headers, 'authorization'));
  const inBody = body.rows?.some(({ name }) => SECRETS.includes(name)) ?? false;
  if (inHeader) return inBody ? 'both' : 'basic';
  return inBody ? 'body' : 'none';
}

/** What the request already says of its client, else the client chosen; never one's id with the other's secret. */
function credentialsIn({ headers, body }: Draft, chosen: Credentials): Credentials {
  const carried = readBasic(headerValue(headers, 'authorization'));
  const client_id = valueIn(body.rows, 'client_id') ?? carried?.client_id ?? chosen.client_id;
  const known = client_id === chosen.client_id ? chosen.client_secret : null;
  const secret = valueIn(body.rows, 'client_secret') ?? carried?.client_secret;
  return { client_id, client_secret: secret ?? known };
}

/** After the grant, where the specification has them. */
function withClientRows(rows: readonly FieldRow[], added: readonly FieldRow[]): FieldRow[] {
  const at = rows.findIndex(({ name }) => name === 'grant_type') + 1;
  return [...rows.slice(0, at), ...added, ...rows.slice(at)];
}

/** Moves the client's credentials; a body that has no fields can be given none. */
export function withPlacement(
  draft: Draft,
  placement: Exclude<Placement, 'both'>,
  chosen: Credentials,
): Draft {
  if (draft.body.rows === null) return draft;
  const credentials = credentialsIn(draft, chosen);
  const { client_id, client_secret } = credentials;
  const rest = draft.body.rows.filter(({ name }) => ![...SECRETS, 'client_id'].includes(name));
  const id = placement === 'basic' ? [] : [rowOf('client_id', client_id)];
  const secret = placement === 'body' ? [rowOf('client_secret', client_secret ?? '')] : [];
  const headers = isBasic(headerValue(draft.headers, 'authorization'))
    ? withoutHeader(draft.headers, 'authorization')
    : draft.headers;
  const moved = withBodyRows(draft, withClientRows(rest, [...id, ...secret]));
  return withHeaders(
    moved,
    placement === 'basic'
      ? withHeader(headers, 'Authorization', basicAuthorization(credentials))
      : headers,
  );
}
