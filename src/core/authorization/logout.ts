// Evaluates a request at the logout endpoint (OpenID Connect RP-Initiated Logout 1.0): it ends the
// session, whoever asks, and returns to a URI that the client registered for it, or nowhere. A refused
// one ends nothing. Tokens live on: they are not the session's.

import type { AuthorizationRequest } from './request.ts';
import { uriWith } from './response.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import type { IdTokenHint } from './id-token-hint.ts';
import { readIdTokenHint } from './id-token-hint.ts';
import { keptText } from '../collections/kept-text.ts';
import { nearestUri } from '../registry/redirect-uris.ts';
import { valueOf } from '../model/request.ts';
import type { Client } from '../records/schemas.ts';
import type { Session, Sessions } from './sessions.ts';
import { safeParameterName } from '../checks/safe-parameter-name.ts';
import type { Evaluation } from '../checks/trace.ts';
import { pass } from '../checks/trace.ts';

export interface LogoutOutcome {
  /** Where the person goes; null: a page of ours. */
  readonly redirect_to: string | null;
  /** `sub` of the user who was signed in; null when nobody was. */
  readonly signed_out: string | null;
  readonly client: Client | null;
}

async function readHint(
  request: AuthorizationRequest,
  { keyring, issuer }: Domain,
  evaluation: Evaluation,
): Promise<IdTokenHint | null> {
  const token = valueOf(request, 'id_token_hint');
  const hint =
    token === undefined ? null : await readIdTokenHint(token, keyring, issuer(), evaluation);
  pass(evaluation, 'id_token_hint', hint === null ? { note: 'not sent' } : { got: hint.sub });
  return hint;
}

function readClient(
  request: AuthorizationRequest,
  hint: IdTokenHint | null,
  { registry, settings }: Domain,
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
  const client = client_id === undefined ? null : (registry.clients.get(client_id) ?? null);
  if (client_id !== undefined && client === null) {
    throw new OAuthError('logout_client_unknown', { got: client_id.slice(0, 200) });
  }
  evaluation.client_id = client?.client_id ?? null;
  evaluation.profile = client?.profile ?? settings().profile;
  pass(evaluation, 'client_id', client === null ? { note: 'not sent' } : undefined);
  return client;
}

/** As long as one that can be registered. */
const LONGEST = 2000;

function readReturn(
  request: AuthorizationRequest,
  client: Client | null,
  evaluation: Evaluation,
): string | null {
  const given = valueOf(request, 'post_logout_redirect_uri');
  if (given === undefined) {
    pass(evaluation, 'redirect_uri', { note: 'not sent' });
    return null;
  }
  if (client === null) throw new OAuthError('logout_client_missing');
  const { post_logout_redirect_uris: registered } = client;
  if (!registered.includes(given)) {
    const got = given.slice(0, LONGEST);
    const expected = nearestUri(registered, given);
    throw expected === undefined
      ? new OAuthError('logout_uri_none_registered', { got })
      : new OAuthError('logout_uri_unregistered', { expected, got });
  }
  pass(evaluation, 'redirect_uri', { got: given });
  const state = valueOf(request, 'state');
  return state === undefined ? keptText(given) : uriWith(given, { state });
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
 * Ends the session.
 * @param session the one at the browser, if any
 * @throws OAuthError to be shown on a page; nothing has ended then
 */
export async function evaluateLogout(
  request: AuthorizationRequest,
  session: Session | undefined,
  domain: Domain,
  sessions: Sessions,
  evaluation: Evaluation,
): Promise<LogoutOutcome> {
  evaluation.endpoint = 'logout';
  evaluation.profile = domain.settings().profile;
  for (const name of request.repeated) {
    throw new OAuthError('target_parameter_repeated', { field: safeParameterName(name) });
  }
  pass(evaluation, 'body');
  const hint = await readHint(request, domain, evaluation);
  const client = readClient(request, hint, domain, evaluation);
  const redirect_to = readReturn(request, client, evaluation);
  const signed_out = endSession(session, hint, sessions, evaluation);
  return { redirect_to, signed_out, client };
}
