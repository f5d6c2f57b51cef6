// Which API an access token is for, and what scopes it may carry (behaviour 2, RFC 8707).

import { OAuthError } from '../checks/errors.ts';
import type { ProfileRules } from '../checks/profiles.ts';
import { namesIssuer } from '../model/issuer-identifier.ts';
import type { Registry } from './lists.ts';
import type { TokenRequest } from '../model/request.ts';
import { valueOf } from '../model/request.ts';
import { beyond, COMMON_SCOPES } from './scopes.ts';

/** Whether two URIs name one audience: that of the issuer goes with and without its trailing slash. */
export const isSameAudience = (one: string, other: string, issuer: string): boolean =>
  one === other || (namesIssuer(one, issuer) && namesIssuer(other, issuer));

/** The issuer itself is always a registered audience: the address of the authentication API. */
export function isRegisteredAudience(uri: string, registry: Registry, issuer: string): boolean {
  return namesIssuer(uri, issuer) || registry.audiences.get(uri) !== undefined;
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

/** @throws OAuthError `invalid_target` when `resource` came more than once: a token is for one API */
export function checkResource({ repeated }: Pick<TokenRequest, 'repeated'>): void {
  if (repeated.has('resource')) throw new OAuthError('resource_repeated');
}

/**
 * The audience a request names as `audience`, or as `resource` (RFC 8707 2) where the rules read that;
 * undefined when it names none.
 * @throws OAuthError `invalid_target` when the two do not agree, or `resource` came more than once
 */
export function namedAudience(
  request: Pick<TokenRequest, 'parameters' | 'repeated'>,
  rules: Pick<ProfileRules, 'audience'>,
  issuer: string,
): string | undefined {
  checkResource(request);
  const audience = valueOf(request, 'audience');
  const resource = rules.audience === 'optional' ? valueOf(request, 'resource') : undefined;
  const both = audience !== undefined && resource !== undefined;
  if (both && !isSameAudience(resource, audience, issuer)) {
    throw new OAuthError('resource_differs', { expected: audience, got: resource });
  }
  return audience ?? resource;
}

/** @throws OAuthError `invalid_target` when the audience is not registered */
export function checkAudience(uri: string, registry: Registry, issuer: string): void {
  if (!isRegisteredAudience(uri, registry, issuer)) {
    throw new OAuthError('audience_unknown', { got: uri });
  }
}

/**
 * Where an earlier request has decided the audience, it may be sent again.
 * @throws OAuthError `invalid_target` when `audience` or `resource` names another one
 */
export function checkSentAudience(
  request: Pick<TokenRequest, 'parameters' | 'repeated'>,
  audience: string,
  issuer: string,
): void {
  checkResource(request);
  for (const name of ['audience', 'resource'] as const) {
    const got = valueOf(request, name);
    if (got !== undefined && !isSameAudience(got, audience, issuer)) {
      throw new OAuthError('audience_differs', { expected: audience, got });
    }
  }
}
