// Which request to test a rule with: the best match that can be made, so that there is a normal response to change if
// the rule needs one.

import { fitsPattern, type Fault } from '../../../control/fault-schemas.ts';
import type { Client } from '../../../control/schemas.ts';
import { requestableGrants, type RequestableGrant } from '../../sending/token-steps.ts';
import { AUTHORIZE_PATH, USERINFO_PATH, TOKEN_PATH } from '../../../oauth/token-request.ts';
import { FORM_TYPE, formBody } from '../../../oauth/fields.ts';
import type { WireRequest } from '../../../scenario/runner/sandbox.ts';

export type Shot =
  /** A token request with a new credential. */
  | { readonly kind: 'token'; readonly grant: RequestableGrant; readonly client: Client }
  /** GET or POST /userinfo with a new token. */
  | { readonly kind: 'userinfo'; readonly method: string; readonly client: Client }
  /** Sent unchanged. */
  | { readonly kind: 'plain'; readonly request: WireRequest };

/** Paths to try, the most useful first. */
const PATHS = [
  TOKEN_PATH,
  USERINFO_PATH,
  '/.well-known/jwks.json',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/oauth/introspect',
  '/oauth/revoke',
  AUTHORIZE_PATH,
] as const;

const POSTED: readonly string[] = [TOKEN_PATH, '/oauth/introspect', '/oauth/revoke', '/register'];

/** A path that matches the pattern, preferably one that exists. */
function pathOf(pattern: string | null): string {
  if (pattern === null) return TOKEN_PATH;
  return PATHS.find((path) => fitsPattern(pattern, path)) ?? pattern.replaceAll('*', 'x');
}

/** The wanted grant, or any, if the client can send such a request. */
const grantFor = (client: Client, wanted: string | null): RequestableGrant | null =>
  requestableGrants(client).find((grant) => wanted === null || grant === wanted) ?? null;

/** The client that the rule names, or the oldest one that is suitable. */
function clientFor(
  clients: readonly Client[],
  { client_id, grant_type }: Fault['match'],
): Client | null {
  const fit = (client: Client) => grantFor(client, grant_type) !== null;
  if (client_id === null) return clients.findLast(fit) ?? null;
  return clients.find((client) => client.client_id === client_id && fit(client)) ?? null;
}

/** A request with nothing but what the rule matches. */
function plain({ grant_type, client_id }: Fault['match'], method: string, path: string): Shot {
  const claims = formBody([
    ...(grant_type === null ? [] : [['grant_type', grant_type] as const]),
    ...(client_id === null ? [] : [['client_id', client_id] as const]),
  ]);
  const bodiless = method === 'GET' || method === 'HEAD';
  const query = bodiless && claims !== '' ? `?${claims}` : '';
  const request: WireRequest = bodiless
    ? { method, path: `${path}${query}`, headers: [] }
    : { method, path, headers: [['content-type', FORM_TYPE]], body: claims };
  return { kind: 'plain', request };
}

/** The request to test a rule with. */
export function shotFor({ match }: Pick<Fault, 'match'>, clients: readonly Client[]): Shot {
  const path = pathOf(match.path);
  const method = match.method ?? (POSTED.includes(path) ? 'POST' : 'GET');
  const client = clientFor(clients, match);
  if (client === null) return plain(match, method, path);
  const grant = grantFor(client, match.grant_type);
  if (path === TOKEN_PATH && method === 'POST' && grant !== null)
    return { kind: 'token', grant, client };
  const claimless = match.grant_type === null && match.client_id === null;
  if (path === USERINFO_PATH && claimless) return { kind: 'userinfo', method, client };
  return plain(match, method, path);
}

/** Describes the request before it is sent. */
export function shotInWords(shot: Shot): string {
  if (shot.kind === 'plain') return `${shot.request.method} ${shot.request.path}`;
  const { client_id } = shot.client;
  if (shot.kind === 'userinfo')
    return `${shot.method} ${USERINFO_PATH} with a token of ${client_id}`;
  return `POST ${TOKEN_PATH}, ${shot.grant} by ${client_id}`;
}
