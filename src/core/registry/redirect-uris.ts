// The redirect URI of a request, where it is one of the client's own. Of any other it says in what way it is none.

import { OAuthError } from '../checks/errors.ts';
import { differsAt } from '../checks/refusals/index.ts';
import type { Client } from '../records/schemas.ts';
import { isOwnRedirectUri, redirectUriFault } from '../records/redirect-uri.ts';

/** The one that agrees with it the longest; of several the first. */
export function nearestUri(uris: Iterable<string>, given: string): string | undefined {
  let nearest: string | undefined;
  let longest = -1;
  for (const uri of uris) {
    const agrees = differsAt(uri, given);
    if (agrees > longest) [nearest, longest] = [uri, agrees];
  }
  return nearest;
}

/** As long as one that can be registered. */
const LONGEST = 2000;

function refusalOf({ redirect_uris }: Client, given: string): OAuthError {
  const facts = { field: 'redirect_uri', got: given.slice(0, LONGEST) };
  const fault = redirectUriFault(given);
  if (fault !== null) return new OAuthError(`redirect_uri_${fault}`, facts);
  const expected = nearestUri(redirect_uris, given);
  if (expected === undefined) return new OAuthError('redirect_uri_none_registered', facts);
  return new OAuthError('redirect_uri_unregistered', { ...facts, expected });
}

/**
 * Where the answer to an authorization request goes: the URI it names, or the only one registered
 * (RFC 6749 3.1.2.3).
 * @throws OAuthError `invalid_request`: nobody may be redirected
 */
export function checkRedirectUri(client: Client, given: string | undefined): string {
  if (given !== undefined) {
    if (isOwnRedirectUri(client, given)) return given;
    throw refusalOf(client, given);
  }
  const [only, ...others] = client.redirect_uris;
  if (only === undefined) throw new OAuthError('redirect_uri_none_registered');
  if (others.length > 0) throw new OAuthError('redirect_uri_missing');
  return only;
}
