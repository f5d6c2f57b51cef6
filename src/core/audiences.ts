// Which API an access token is for, and what scopes it may carry (behaviour 2, RFC 8707).

import { OAuthError } from './errors.ts';
import type { Registry } from './registry.ts';
import { beyond, COMMON_SCOPES } from './scopes.ts';

/** The issuer itself is always a registered audience: the address of the authentication API. */
export function isRegisteredAudience(uri: string, registry: Registry, issuer: string): boolean {
  return uri === issuer || registry.audiences.get(uri) !== undefined;
}

/** Scopes that one audience knows; without audience, those that any of them knows. */
function knownScopes(audience: string | null, registry: Registry): readonly string[] {
  const audiences =
    audience === null ? registry.audiences.list() : [registry.audiences.get(audience)];
  return [...COMMON_SCOPES, ...audiences.flatMap((known) => known?.scopes ?? [])];
}

/** Those of the scopes that the audience does not know. */
export function unknownScopes(
  scopes: readonly string[],
  audience: string | null,
  registry: Registry,
): string[] {
  return scopes.length === 0 ? [] : beyond(scopes, knownScopes(audience, registry));
}

/** @throws OAuthError `invalid_target` when the audience is not registered */
export function checkAudience(uri: string, registry: Registry, issuer: string): void {
  if (!isRegisteredAudience(uri, registry, issuer)) {
    throw new OAuthError('audience_unknown', { got: uri });
  }
}
