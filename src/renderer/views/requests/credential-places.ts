// Where a request has places for what a run knows by name, {{code}} in the field code and {{access_token}} behind
// Bearer, and the request with other values there. Pure.

import type { Client } from '../../../control/schemas.ts';
import {
  basicAuthorization,
  type Credentials,
  isBasic,
  readBasic,
} from '../../../oauth/client-authentication.ts';
import { PUSH_PATH, TOKEN_TYPES } from '../../../oauth/token-request.ts';
import { type Draft, splitTarget, withBodyRows, withHeaders, withQuery } from './draft.ts';
import {
  type FieldRow,
  headerValue,
  mapRows,
  rowOf,
  valueIn,
  withHeader,
  withoutHeader,
} from './field-rows.ts';

const OF_CLIENT = new Map([
  ['client_id', 'client.client_id'],
  ['client_secret', 'client.client_secret'],
]);

/** Issued for one request, so that none is there before it is sent. */
const ISSUED = ['code', 'device_code'];

const OF_BODY = new Map([
  ...OF_CLIENT,
  ...[...ISSUED, 'code_verifier', 'refresh_token'].map((name) => [name, name] as const),
]);

/** The kinds of token that are exchanged (RFC 8693 3), if those made here would do. */
const SUBJECTS = new Map<string | null, string>([
  [TOKEN_TYPES.access_token, 'access_token'],
  [TOKEN_TYPES.refresh_token, 'refresh_token'],
]);

function variableOf(name: string, rows: readonly FieldRow[]): string | undefined {
  // A refresh token where the hint says so (RFC 7009 2.1, RFC 7662 2.1).
  const hint = valueIn(rows, 'token_type_hint');
  if (name === 'token') return hint === 'refresh_token' ? hint : 'access_token';
  if (name === 'subject_token') return SUBJECTS.get(valueIn(rows, 'subject_token_type'));
  return OF_BODY.get(name);
}

/** What the Authorization header has a place for. A bearer that opens the registration is none of those issued here. */
function authorizationOf({ headers, target }: Draft): 'client.basic' | 'access_token' | null {
  const value = headerValue(headers, 'authorization');
  if (isBasic(value)) return 'client.basic';
  return /^bearer\b/i.test(value ?? '') && !target.endsWith('/register') ? 'access_token' : null;
}

/** The variables that the request has a place for, the client's own credentials aside: they run out, or are used up. */
export function wantedBy(draft: Draft): ReadonlySet<string> {
  const rows = draft.body.rows ?? [];
  const all = [authorizationOf(draft), ...rows.map(({ name }) => variableOf(name, rows))];
  return new Set(all.flatMap((name) => (name?.startsWith('client.') === false ? [name] : [])));
}

type ValueOf = (variable: string) => string | null | undefined;

const rewritten =
  (variable: (name: string) => string | undefined, valueOf: ValueOf) =>
  (row: FieldRow): FieldRow => {
    const name = variable(row.name);
    const value = (name === undefined ? null : valueOf(name)) ?? row.value;
    return value === row.value ? row : { ...row, value, literal: false, source: null };
  };

/** With these values in the places of their variables; what is not rewritten keeps its spelling. */
export function withValues(draft: Draft, valueOf: ValueOf): Draft {
  const { rows } = draft.body;
  const inBody =
    rows &&
    mapRows(
      rows,
      rewritten((name) => variableOf(name, rows), valueOf),
    );
  const inQuery =
    draft.query &&
    mapRows(
      draft.query,
      rewritten((name) => OF_CLIENT.get(name), valueOf),
    );
  const written = inBody === rows || inBody === null ? draft : withBodyRows(draft, inBody);
  const asked = inQuery === draft.query || inQuery === null ? written : withQuery(written, inQuery);
  const place = authorizationOf(draft);
  const value = place && valueOf(place);
  if (!value) return asked;
  const header = place === 'access_token' ? `Bearer ${value}` : value;
  return withHeaders(asked, withHeader(draft.headers, 'Authorization', header));
}

/** Whether the draft has an empty place for what is issued for one request. */
export const lacksIssued = ({ body }: Draft): boolean =>
  ISSUED.some((name) => valueIn(body.rows, name) === '');

/** With the places empty again of what was issued for one request. */
export const withoutIssued = (draft: Draft): Draft =>
  withValues(draft, (variable) =>
    ISSUED.includes(variable) || variable === 'code_verifier' ? '' : null,
  );

/** The same request as this client would send it: its id and secret wherever there are any. */
export const withClient = (draft: Draft, client: Client): Draft =>
  withValues(
    { ...draft, client_id: client.client_id },
    (variable) =>
      ({
        'client.client_id': client.client_id,
        'client.client_secret': client.client_secret ?? '',
        'client.basic': basicAuthorization(client),
      })[variable],
  );

export type Placement = 'body' | 'basic' | 'none' | 'both';

const SECRETS = ['client_secret', 'client_assertion'];

/** Endpoints where a client authenticates (RFC 6749 3.2.1, RFC 7009 2.1, RFC 7662 2.1, RFC 8628 3.1, RFC 9126 2.1). */
const PROVES = /\/oauth\/(?:token|revoke|introspect|par|device_authorization)$/;

const pathOf = ({ target }: Draft): string => splitTarget(target)[0];

/** Whether it has a place for the credentials of a client. */
export const provesClient = (draft: Draft): boolean =>
  PROVES.test(pathOf(draft)) && draft.body.rows !== null;

/** Where the client puts its credentials. */
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
  // A parameter of the authorization request, also beside HTTP Basic (RFC 9126 2.1).
  const isNamed = placement !== 'basic' || pathOf(draft).endsWith(PUSH_PATH);
  const id = isNamed ? [rowOf('client_id', client_id)] : [];
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
