// Finds the access token in a request to a resource, userinfo or a protected API, and reads it. It is sent as RFC 6750
// 2 says.

import type { AccessTokenFacts } from './access-tokens.ts';
import { readAuthorization } from '../client-authentication/authorization-header.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import type { PresentedAccessToken } from '../dpop/bound-key.ts';
import { ofThisEpoch } from './presented-token.ts';
import { type TokenRequest, valueOf } from '../model/request.ts';
import { type Evaluation, pass } from '../checks/trace.ts';

type ResourceRequest = Pick<TokenRequest, 'parameters' | 'query' | 'authorization'>;

type SentToken = Pick<PresentedAccessToken, 'value' | 'scheme'>;

/** The spelling of the schemes for access tokens in the header (RFC 6750 2.1, RFC 9449 7.1). */
const SCHEMES = { bearer: 'Bearer', dpop: 'DPoP' } as const;

/** Returns scheme and token of the Authorization header; null for another scheme. */
export function readHeader(authorization: string | null): SentToken | null {
  const { scheme, credentials: value } = readAuthorization(authorization);
  return scheme === 'bearer' || scheme === 'dpop' ? { scheme, value } : null;
}

/** Returns the error for a missing token, with a hint if the token was sent in the wrong place. */
export function missingToken({ authorization, query }: ResourceRequest): OAuthError {
  if (query.includes('access_token')) {
    const got = 'it was sent in the query string, which is ignored because it ends up in logs';
    return new OAuthError('access_token_missing', { got });
  }
  if (authorization === null) return new OAuthError('access_token_missing');
  const header = readHeader(authorization);
  const got =
    header === null
      ? 'the Authorization header has a scheme other than Bearer and DPoP'
      : `the Authorization header has ${SCHEMES[header.scheme]} but no token; an environment variable may be unset`;
  return new OAuthError('access_token_missing', { got });
}

/** Returns the token from the header or the body (RFC 6750 2.2); undefined if there is none. */
export function sentToken(request: ResourceRequest, evaluation: Evaluation): SentToken | undefined {
  const header = readHeader(request.authorization);
  const inBody = valueOf(request, 'access_token');
  if (header !== null && header.value !== '') {
    if (inBody !== undefined)
      throw new OAuthError('access_token_twice', {
        got: 'in the Authorization header and in the body',
      });
    const got = header.scheme === 'dpop' ? ', with the scheme DPoP' : '';
    pass(evaluation, 'authorization_header', { got: `in the Authorization header${got}` });
    return header;
  }
  if (inBody === undefined) return undefined;
  pass(evaluation, 'authorization_header', { got: 'in the body' });
  return { scheme: 'bearer', value: inBody };
}

/** From here on, the profile of the token's client applies (behaviour 1). */
export async function readSentToken(
  domain: Domain,
  value: string,
  evaluation: Evaluation,
): Promise<AccessTokenFacts> {
  const { accessTokens, registry, settings } = domain;
  const facts = await accessTokens.read(value);
  evaluation.access_token = ofThisEpoch(domain, facts);
  evaluation.client_id = facts.client_id;
  evaluation.profile = registry.clients.get(facts.client_id)?.profile ?? settings().profile;
  return facts;
}
