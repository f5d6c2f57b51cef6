// Which request would run into a rule: the best one that can be made for it, so that there is a true
// answer to bend where the rule wants one.

import { fitsPattern, type Fault } from '../../../control/fault-schemas.ts';
import type { Client } from '../../../control/schemas.ts';
import { requestableGrants, type RequestableGrant } from '../../sending/token-steps.ts';
import { AUTHORIZE_PATH, USERINFO_PATH, TOKEN_PATH } from '../../../oauth/token-request.ts';
import { FORM_TYPE, formBody } from '../../../oauth/fields.ts';
import type { WireRequest } from '../../../scenario/runner/sandbox.ts';

export type Shot =
  /** A token request with a credential made for it. */
  | { readonly kind: 'token'; readonly grant: RequestableGrant; readonly client: Client }
  /** GET or POST /userinfo with a token made for it. */
  | { readonly kind: 'userinfo'; readonly method: string; readonly client: Client }
  /** Sent as it is. */
  | { readonly kind: 'plain'; readonly request: WireRequest };

/** Paths to try, the most telling first. */
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

/** A path that the pattern means: a real one if there is one. */
function pathOf(pattern: string | null): string {
  if (pattern === null) return TOKEN_PATH;
  return PATHS.find((path) => fitsPattern(pattern, path)) ?? pattern.replaceAll('*', 'x');
}

/** The grant wanted, or any, if a request for it can be made for the client. */
const grantFor = (client: Client, wanted: string | null): RequestableGrant | null =>
  requestableGrants(client).find((grant) => wanted === null || grant === wanted) ?? null;

/** The client that the rule is for, or the oldest that fits. */
function clientFor(
  clients: readonly Client[],
  { client_id, grant_type }: Fault['match'],
): Client | null {
  const fit = (client: Client) => grantFor(client, grant_type) !== null;
  if (client_id === null) return clients.findLast(fit) ?? null;
  return clients.find((client) => client.client_id === client_id && fit(client)) ?? null;
}

/** Nothing but what the rule looks at. */
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

/** The request to try a rule with. */
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

/** The request in a few words, for whoever is about to send it. */
export function shotInWords(shot: Shot): string {
  if (shot.kind === 'plain') return `${shot.request.method} ${shot.request.path}`;
  const { client_id } = shot.client;
  if (shot.kind === 'userinfo')
    return `${shot.method} ${USERINFO_PATH} with a token of ${client_id}`;
  return `POST ${TOKEN_PATH}, ${shot.grant} by ${client_id}`;
}
