// Finds the places in a request that correspond to variables of a run, such as the field code for {{code}} or the text
// after Bearer for {{access_token}}, and writes values there. Pure.

import type { Client } from '../../control/schemas.ts';
import {
  basicAuthorization,
  type Credentials,
  credentialsOf,
  isBasic,
  readBasic,
} from '../../oauth/client-authentication.ts';
import {
  DEVICE_AUTHORIZATION_PATH,
  PUSH_PATH,
  TOKEN_PATH,
  TOKEN_TYPES,
} from '../../oauth/token-request.ts';
import { usualPathOf } from '../../scenario/server-paths.ts';
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

/** Credentials that are issued for one request, just before it is sent. */
const ISSUED = ['code', 'device_code'];

const OF_BODY = new Map([
  ...OF_CLIENT,
  ...[...ISSUED, 'code_verifier', 'refresh_token'].map((name) => [name, name] as const),
]);

/** The variables for subject token types (RFC 8693 3) of which Grantbench issues tokens. */
const SUBJECTS = new Map<string | null, string>([
  [TOKEN_TYPES.access_token, 'access_token'],
  [TOKEN_TYPES.refresh_token, 'refresh_token'],
]);

function variableOf(name: string, rows: readonly FieldRow[] | null): string | undefined {
  // The hint says which kind of token it is (RFC 7009 2.1, RFC 7662 2.1).
  const hint = valueIn(rows, 'token_type_hint');
  if (name === 'token') return hint === 'refresh_token' ? hint : 'access_token';
  if (name === 'subject_token') return SUBJECTS.get(valueIn(rows, 'subject_token_type'));
  return OF_BODY.get(name);
}

const pathOf = ({ target }: Draft): string => splitTarget(target)[0];

/** The usual path of the endpoint that a path means. Below an API (behaviour 19), its end means nothing. */
export const endpointPath = (path: string): string | undefined =>
  /\/(?:api|mcp)\//.test(path) ? undefined : usualPathOf(path);

/** Whether the request is for registration or a registered client: with a token of registration (RFC 7591 3, RFC 7592 2). */
function isOfRegistration(draft: Draft): boolean {
  const path = pathOf(draft);
  const parent = path.slice(0, path.lastIndexOf('/'));
  return [path, parent].some((one) => endpointPath(one) === '/register');
}

function authorizationOf(draft: Draft): 'client.basic' | 'access_token' | null {
  const value = headerValue(draft.headers, 'authorization');
  if (isBasic(value)) return 'client.basic';
  return /^bearer\b/i.test(value ?? '') && !isOfRegistration(draft) ? 'access_token' : null;
}

/** The variables of credentials in the request that expire or are used up, so not those of the client's own credentials. */
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

/** Writes these values in the places of their variables. Everything else keeps its spelling. */
export function withValues(draft: Draft, valueOf: ValueOf): Draft {
  const { query, body } = draft;
  const inBody = rewritten((name) => variableOf(name, body.rows), valueOf);
  const inQuery = rewritten((name) => OF_CLIENT.get(name), valueOf);
  const written = body.rows === null ? draft : withBodyRows(draft, mapRows(body.rows, inBody));
  const asked = query === null ? written : withQuery(written, mapRows(query, inQuery));
  const place = authorizationOf(draft);
  const value = place && valueOf(place);
  if (!value) return asked;
  const header = place === 'access_token' ? `Bearer ${value}` : value;
  return withHeaders(asked, withHeader(draft.headers, 'Authorization', header));
}

/** Whether a credential that is issued for one request is empty in the draft. */
export const lacksIssued = ({ body }: Draft): boolean =>
  ISSUED.some((name) => valueIn(body.rows, name) === '');

/** Empties the credentials that were issued for one request. */
export const withoutIssued = (draft: Draft): Draft =>
  withValues(draft, (variable) =>
    ISSUED.includes(variable) || variable === 'code_verifier' ? '' : null,
  );

/** The same request from this client: writes its id and secret wherever the request contains an id or a secret. */
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

export type Placement = 'body' | 'basic' | 'none';

const SECRETS = ['client_secret', 'client_assertion'];

/** Endpoints with client authentication (RFC 6749 3.2.1, RFC 7009 2.1, RFC 7662 2.1, RFC 8628 3.1, RFC 9126 2.1). */
const AUTHENTICATING = new Set<string | undefined>([
  TOKEN_PATH,
  '/oauth/revoke',
  '/oauth/introspect',
  DEVICE_AUTHORIZATION_PATH,
  PUSH_PATH,
]);

export const hasClientAuthentication = (draft: Draft): boolean =>
  AUTHENTICATING.has(endpointPath(pathOf(draft))) && draft.body.rows !== null;

/** Where the request contains the client credentials. */
export function placementOf({ headers, body }: Draft): Placement | 'both' {
  const inHeader = isBasic(headerValue(headers, 'authorization'));
  const inBody = body.rows?.some(({ name }) => SECRETS.includes(name)) ?? false;
  if (inHeader) return inBody ? 'both' : 'basic';
  return inBody ? 'body' : 'none';
}

/** The credentials of a client's record; empty without one. */
export const credentialsFor = (client: Client | null): Credentials =>
  client === null ? { client_id: '', client_secret: null } : credentialsOf(client);

/** The client credentials in the request, else the chosen client's. Never combines the id of one with the secret of the other. */
function credentialsIn({ headers, body }: Draft, chosen: Credentials): Credentials {
  const carried = readBasic(headerValue(headers, 'authorization'));
  const client_id = valueIn(body.rows, 'client_id') ?? carried?.client_id ?? chosen.client_id;
  const known = client_id === chosen.client_id ? chosen.client_secret : null;
  const secret = valueIn(body.rows, 'client_secret') ?? carried?.client_secret;
  return { client_id, client_secret: secret ?? known };
}

/** Adds the rows after grant_type, as in the specification. */
function withClientRows(rows: readonly FieldRow[], added: readonly FieldRow[]): FieldRow[] {
  const at = rows.findIndex(({ name }) => name === 'grant_type') + 1;
  return [...rows.slice(0, at), ...added, ...rows.slice(at)];
}

/** Moves the client credentials. A body without fields stays unchanged. */
export function withPlacement(draft: Draft, placement: Placement, chosen: Credentials): Draft {
  if (draft.body.rows === null) return draft;
  const credentials = credentialsIn(draft, chosen);
  const { client_id, client_secret } = credentials;
  const rest = draft.body.rows.filter(({ name }) => ![...SECRETS, 'client_id'].includes(name));
  // In a pushed request, client_id is a parameter of the authorization request, even with HTTP Basic (RFC 9126 2.1).
  const isPushed = endpointPath(pathOf(draft)) === PUSH_PATH;
  const isNamed = placement !== 'basic' || isPushed;
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
