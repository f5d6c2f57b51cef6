// Checks the redirect URI of a request against those that the client registered, and finds the reason if it is not
// one of them.

import { OAuthError } from '../checks/errors.ts';
import { differsAt } from '../checks/refusals/index.ts';
import type { Client } from '../records/schemas.ts';
import { isOwnRedirectUri, MAX_URI, redirectUriFault } from '../records/redirect-uri.ts';

/** Returns the URI that has the longest common prefix with it; the first of several. */
export function nearestUri(uris: Iterable<string>, given: string): string | undefined {
  let nearest: string | undefined;
  let longest = -1;
  for (const uri of uris) {
    const agrees = differsAt(uri, given);
    if (agrees > longest) [nearest, longest] = [uri, agrees];
  }
  return nearest;
}

function refusalOf({ redirect_uris }: Client, given: string): OAuthError {
  const facts = { field: 'redirect_uri', got: given.slice(0, MAX_URI) };
  const fault = redirectUriFault(given);
  if (fault !== null) return new OAuthError(`redirect_uri_${fault}`, facts);
  const expected = nearestUri(redirect_uris, given);
  if (expected === undefined) return new OAuthError('redirect_uri_none_registered', facts);
  return new OAuthError('redirect_uri_unregistered', { ...facts, expected });
}

/**
 * Returns the redirect URI for the authorization response: the requested one, or the only registered one (RFC 6749
 * 3.1.2.3).
 * @param unread the parameter that should have contained it, if it was not read
 * @throws OAuthError `invalid_request`, which must not be redirected
 */
export function checkRedirectUri(
  client: Client,
  given: string | undefined,
  unread: string | undefined,
): string {
  if (given !== undefined) {
    if (isOwnRedirectUri(client, given)) return given;
    throw refusalOf(client, given);
  }
  const [only, ...others] = client.redirect_uris;
  if (only === undefined) throw new OAuthError('redirect_uri_none_registered');
  if (others.length > 0)
    throw new OAuthError('redirect_uri_missing', unread === undefined ? {} : { field: unread });
  return only;
}
