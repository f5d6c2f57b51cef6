// Decides for which API an access token is issued (behaviour 2, RFC 8707).

import { OAuthError } from '../checks/errors.ts';
import type { ProfileRules } from '../checks/profiles.ts';
import { namesIssuer } from '../shape/address.ts';
import { nearestUri } from './redirect-uris.ts';
import type { Registry } from './lists.ts';
import { type TokenRequest, valueOf } from '../model/request.ts';
import type { GrantContext } from '../token-endpoint/grants/grant.ts';
import { pass } from '../checks/trace.ts';

/** Whether two URIs identify the same audience. A trailing slash of the issuer does not matter. */
export const isSameAudience = (one: string, other: string, issuer: string): boolean =>
  one === other || (namesIssuer(one, issuer) && namesIssuer(other, issuer));

/** The issuer itself is always a registered audience: the address of the authentication API. */
export function isRegisteredAudience(uri: string, registry: Registry, issuer: string): boolean {
  return namesIssuer(uri, issuer) || registry.audience(uri) !== undefined;
}

/** @throws OAuthError `invalid_target` if `resource` was sent more than once: a token is for one API */
export function checkResource({ repeated }: Pick<TokenRequest, 'repeated'>): void {
  if (repeated.has('resource')) throw new OAuthError('resource_repeated');
}

/**
 * Returns the audience of a request: `audience`, or `resource` (RFC 8707 2) if the profile reads it; undefined if it
 * has neither.
 * @throws OAuthError `invalid_target` if the two differ, or `resource` was sent more than once
 */
export function namedAudience(
  request: Pick<TokenRequest, 'parameters' | 'repeated'>,
  rules: Pick<ProfileRules, 'audience'>,
  issuer: string,
): string | undefined {
  checkResource(request);
  const audience = valueOf(request, 'audience');
  const resource = rules.audience === 'optional' ? valueOf(request, 'resource') : undefined;
  // RFC 8707 2: a resource is an absolute URI, so the name of an API is no resource.
  if (resource !== undefined && !resource.includes(':')) {
    throw new OAuthError('audience_unknown', { field: 'resource', got: resource });
  }
  const both = audience !== undefined && resource !== undefined;
  if (both && !isSameAudience(resource, audience, issuer)) {
    throw new OAuthError('resource_differs', { expected: audience, got: resource });
  }
  return audience ?? resource;
}

/** The parameter that names the audience, or could name it. */
export const audienceField = (request: Pick<TokenRequest, 'parameters'>): string =>
  valueOf(request, 'audience') === undefined && valueOf(request, 'resource') !== undefined
    ? 'resource'
    : 'audience';

/** @throws OAuthError `invalid_target` if the audience of the request is not registered */
export function checkAudience(
  uri: string,
  request: Pick<TokenRequest, 'parameters'>,
  registry: Registry,
  issuer: string,
): void {
  if (isRegisteredAudience(uri, registry, issuer)) return;
  const expected = nearestUri([issuer, ...registry.audienceUris()], uri) ?? issuer;
  throw new OAuthError('audience_unknown', { field: audienceField(request), expected, got: uri });
}

/**
 * Checks the audience of a request that may only repeat the audience of an earlier request.
 * @throws OAuthError `invalid_target` if `audience` or `resource` is a different one
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
      throw new OAuthError('audience_differs', { field: name, expected: audience, got });
    }
  }
}

type AskedAudience = Pick<
  GrantContext,
  'request' | 'evaluation' | 'client' | 'registry' | 'issuer'
>;

/**
 * Returns the audience for a grant without a preceding authorization. The specification requires one only when a code
 * is exchanged (spec 4.1.1); other grants may have `audience` or `resource`.
 * @param usual the default audience; absent for that of the client or the issuer
 * @throws OAuthError `invalid_target` if it is not registered
 */
export function decideAudience(
  { request, evaluation, client, registry, issuer }: AskedAudience,
  usual?: string,
): string {
  const named = namedAudience(request, { audience: 'optional' }, issuer);
  const audience = named ?? usual ?? client.default_audience ?? issuer;
  checkAudience(audience, request, registry, issuer);
  pass(evaluation, 'audience', {
    got: audience,
    ...(named === undefined
      ? {
          note: `not sent: ${usual === undefined ? 'the default' : 'that of the subject token'} was used`,
        }
      : {}),
  });
  return audience;
}
