// Evaluates a request at the logout endpoint (OpenID Connect RP-Initiated Logout 1.0). It ends the session, whichever
// client requests it, and redirects to a URI that the client registered, or shows a page. A rejected request does not
// end the session. Tokens stay valid, as they do not belong to the session.

import type { AuthorizationRequest } from './request-parameters.ts';
import { uriWith } from './response.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import { type IdTokenHint, readIdTokenHint } from './openid-parameters.ts';
import { keptText } from '../collections/kept-text.ts';
import { MAX_URI } from '../records/redirect-uri.ts';
import { nearestUri } from '../registry/redirect-uris.ts';
import { valueOf } from '../model/request.ts';
import type { Client } from '../records/schemas.ts';
import type { Session, Sessions } from './sessions.ts';
import { safeParameterName } from '../checks/parameters.ts';
import { type Evaluation, pass } from '../checks/trace.ts';

/**
 * Returns the request with the parameters under the names of RP-Initiated Logout; an imitated provider may have
 * additional names. @throws OAuthError for a parameter that was sent more than once, under whichever names
 */
function inOurWords(request: AuthorizationRequest, { shape }: Domain): AuthorizationRequest {
  const names: ReadonlyMap<string, string> = shape()?.logout_parameters ?? new Map();
  for (const name of request.repeated) {
    const field = safeParameterName(names.get(name) ?? name);
    throw new OAuthError('target_parameter_repeated', { field });
  }
  const parameters = new Map(request.parameters);
  for (const [alias, name] of names) {
    const value = parameters.get(alias);
    if (value === undefined) continue;
    parameters.delete(alias);
    if (parameters.has(name)) {
      const field = `${name} (also sent as ${alias})`;
      throw new OAuthError('target_parameter_repeated', { field });
    }
    parameters.set(name, value);
  }
  return { ...request, parameters };
}

async function readHint(
  request: AuthorizationRequest,
  domain: Domain,
  evaluation: Evaluation,
): Promise<IdTokenHint | null> {
  const token = valueOf(request, 'id_token_hint');
  const hint = token === undefined ? null : await readIdTokenHint(token, domain, evaluation);
  pass(evaluation, 'id_token_hint', hint === null ? { note: 'not sent' } : { got: hint.sub });
  return hint;
}

function noteClient({ client_id, profile }: Client, { settings }: Domain, evaluation: Evaluation) {
  evaluation.client_id = client_id;
  evaluation.profile = profile ?? settings().profile;
}

function readClient(
  request: AuthorizationRequest,
  hint: IdTokenHint | null,
  domain: Domain,
  evaluation: Evaluation,
): Client | null {
  const named = valueOf(request, 'client_id');
  if (named !== undefined && hint !== null && named !== hint.client_id) {
    throw new OAuthError('logout_client_differs', {
      expected: hint.client_id,
      got: named.slice(0, 200),
    });
  }
  const client_id = named ?? hint?.client_id;
  const client = client_id === undefined ? null : (domain.registry.clients.get(client_id) ?? null);
  if (client_id !== undefined && client === null) {
    throw new OAuthError('logout_client_unknown', { got: client_id });
  }
  if (client !== null) noteClient(client, domain, evaluation);
  pass(evaluation, 'client_id', client === null ? { note: 'not sent' } : undefined);
  return client;
}

function checkReturn({ post_logout_redirect_uris: registered }: Client, given: string): void {
  if (registered.includes(given)) return;
  const got = given.slice(0, MAX_URI);
  const expected = nearestUri(registered, given);
  throw expected === undefined
    ? new OAuthError('logout_uri_none_registered', { got })
    : new OAuthError('logout_uri_unregistered', { expected, got });
}

/** Returns the client of a request that names none: the only client that registered the URI (RP-Initiated Logout 3). */
function clientOfReturn(given: string, { registry }: Domain): Client {
  const all = registry.clients.list();
  const [only, ...others] = all.filter(({ post_logout_redirect_uris: registered }) =>
    registered.includes(given),
  );
  const got = given.slice(0, MAX_URI);
  if (others.length > 0) throw new OAuthError('logout_client_missing', { got });
  if (only !== undefined) return only;
  const expected = nearestUri(
    all.flatMap(({ post_logout_redirect_uris }) => post_logout_redirect_uris),
    given,
  );
  throw new OAuthError(
    'logout_uri_of_no_client',
    expected === undefined ? { got } : { expected, got },
  );
}

/** Returns where to; `redirect_to` is null if the request has no post_logout_redirect_uri. */
function readReturn(
  request: AuthorizationRequest,
  client: Client | null,
  domain: Domain,
  evaluation: Evaluation,
) {
  const given = valueOf(request, 'post_logout_redirect_uri');
  if (given === undefined) {
    pass(evaluation, 'redirect_uri', { note: 'not sent' });
    return { client, redirect_to: null };
  }
  if (client !== null) checkReturn(client, given);
  const owner = client ?? clientOfReturn(given, domain);
  noteClient(owner, domain, evaluation);
  const note = `only ${owner.client_id} has registered it`;
  pass(evaluation, 'redirect_uri', client === null ? { got: given, note } : { got: given });
  const state = valueOf(request, 'state');
  const redirect_to = state === undefined ? keptText(given) : uriWith(given, [['state', state]]);
  return { client: owner, redirect_to };
}

function endSession(
  session: Session | undefined,
  hint: IdTokenHint | null,
  sessions: Sessions,
  evaluation: Evaluation,
): string | null {
  if (session === undefined) {
    pass(evaluation, 'user', { note: 'no user was signed in' });
    return null;
  }
  sessions.end(session.id);
  const other = hint !== null && hint.sub !== session.sub;
  pass(evaluation, 'user', {
    got: session.sub,
    note: other ? 'the id_token_hint names another user; signed out anyway' : 'signed out',
  });
  return session.sub;
}

/**
 * Ends the session. Returns where the browser is redirected (null for a page of this service), the `sub` of the user who
 * was signed in, and the other clients that the user had signed in to, to which logout tokens are sent.
 * @param session the session of the browser, if any
 * @throws OAuthError to be shown on a page; the session has not ended then
 */
export async function evaluateLogout(
  sent: AuthorizationRequest,
  session: Session | undefined,
  domain: Domain,
  sessions: Sessions,
  evaluation: Evaluation,
) {
  evaluation.endpoint = 'logout';
  evaluation.profile = domain.settings().profile;
  const request = inOurWords(sent, domain);
  pass(evaluation, 'body');
  const hint = await readHint(request, domain, evaluation);
  const named = readClient(request, hint, domain, evaluation);
  const { client, redirect_to } = readReturn(request, named, domain, evaluation);
  const signed_out = endSession(session, hint, sessions, evaluation);
  const others = session?.clients.filter(({ client_id }) => client_id !== client?.client_id) ?? [];
  return { redirect_to, signed_out, client, others };
}
