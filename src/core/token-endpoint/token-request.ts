// Evaluates a request at the token endpoint up to the grant: checks 4 to 8 (behaviour 3), then the grant
// has its own.

import {
  checkClient,
  checkRequired,
  noteUnknown,
  rulesFor,
} from '../client-authentication/client-request.ts';
import { isConfidential } from '../client-authentication/authenticate.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import type { ProfileRules } from '../checks/profiles.ts';
import { asksForBinding, checkTokenProof } from '../dpop/token-proof.ts';
import type { Grant, GrantContext } from './grants/grant.ts';
import { GRANTS } from './grants/index.ts';
import { safeGrantType } from './grants/known-names.ts';
import { shapedResponse } from './shaped-response.ts';
import type { TokenRequest, TokenResponse } from '../model/request.ts';
import type { Client } from '../records/schemas.ts';
import type { Evaluation } from '../checks/trace.ts';
import { pass } from '../checks/trace.ts';

function readGrant(request: TokenRequest, evaluation: Evaluation): Grant {
  const named = request.parameters.get('grant_type');
  if (named === undefined || named === '') throw new OAuthError('grant_type_missing');
  const grant = GRANTS.get(named);
  if (grant === undefined) {
    throw new OAuthError('grant_type_unsupported', { got: safeGrantType(named) });
  }
  evaluation.grant_type = grant.grant_type;
  pass(evaluation, 'grant_type');
  return grant;
}

const contextOf = (
  domain: Domain,
  request: TokenRequest,
  evaluation: Evaluation,
  client: Client,
  rules: ProfileRules,
): GrantContext => ({
  ports: domain.ports,
  registry: domain.registry,
  throttle: domain.throttle,
  keyring: domain.keyring,
  overFetch: domain.overFetch,
  tokens: domain.tokens,
  accessTokens: domain.accessTokens,
  usedOnce: domain.usedOnce,
  dpopNonces: domain.dpopNonces,
  devices: domain.devices,
  address: domain.address,
  base: domain.base,
  settings: domain.settings(),
  shape: domain.shape(),
  issuer: domain.issuer(),
  request,
  evaluation,
  client,
  rules,
});

/**
 * Evaluates one request at the token endpoint, filling in the evaluation as it goes.
 * @throws OAuthError for every refusal (behaviour 3)
 */
export async function evaluateTokenRequest(
  domain: Domain,
  request: TokenRequest,
  evaluation: Evaluation,
): Promise<TokenResponse> {
  evaluation.endpoint = 'token';
  const rules = rulesFor(request, domain, evaluation);
  const grant = readGrant(request, evaluation);
  const format = grant.content_type;
  const client = await checkClient(request, format, rules, domain, evaluation);
  if (!client.grant_types.includes(grant.grant_type)) throw new OAuthError('grant_not_allowed');
  if (grant.confidential_only && !isConfidential(client)) {
    throw new OAuthError('grant_not_for_public_client');
  }
  const refused = grant.refusedBy?.(rules) ?? null;
  if (refused !== null) throw new OAuthError(refused);
  pass(evaluation, 'grant_allowed');
  checkRequired(request, grant.required(rules), evaluation);
  noteUnknown(request, grant.parameters, rules, evaluation);
  if (asksForBinding(request, client)) {
    await checkTokenProof(request, client, rules, domain, evaluation);
  }
  const context = contextOf(domain, request, evaluation, client, rules);
  const response = await grant.redeem(context);
  const bound = evaluation.dpop !== null && response.token_type === 'Bearer';
  return shapedResponse(context, bound ? { ...response, token_type: 'DPoP' } : response);
}
