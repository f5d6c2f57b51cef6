// Which API an access token is for, and what scopes it may carry (behaviour 2, RFC 8707).

import { OAuthError } from '../checks/errors.ts';
import type { ProfileRules } from '../checks/profiles.ts';
import { namesIssuer } from '../shape/address.ts';
import type { Registry } from './lists.ts';
import { type TokenRequest, valueOf } from '../model/request.ts';
import { type Evaluation, pass } from '../checks/trace.ts';
import type { Client } from '../records/schemas.ts';

/** Whether two URIs name one audience: that of the issuer goes with and without its trailing slash. */
export const isSameAudience = (one: string, other: string, issuer: string): boolean =>
  one === other || (namesIssuer(one, issuer) && namesIssuer(other, issuer));

/** The issuer itself is always a registered audience: the address of the authentication API. */
export function isRegisteredAudience(uri: string, registry: Registry, issuer: string): boolean {
  return namesIssuer(uri, issuer) || registry.audiences.get(uri) !== undefined;
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

interface AskedAudience {
  readonly request: TokenRequest;
  readonly evaluation: Evaluation;
  readonly client: Client;
  readonly registry: Registry;
  readonly issuer: string;
}

/**
 * The specification asks for an audience only where a code is exchanged (spec 4.1.1); here `audience` or
 * `resource` may name one.
 * @param usual the audience when none is named; left out, that of the client or the issuer
 * @throws OAuthError `invalid_target` for one that is not registered
 */
export function decideAudience(
  { request, evaluation, client, registry, issuer }: AskedAudience,
  usual?: string,
): string {
  const named = namedAudience(request, { audience: 'optional' }, issuer);
  const audience = named ?? usual ?? client.default_audience ?? issuer;
  checkAudience(audience, registry, issuer);
  pass(evaluation, 'audience', {
    got: audience,
    ...(named === undefined ? { note: 'not sent: the default was used' } : {}),
  });
  return audience;
}
