// Judging a request at the token endpoint up to the grant: checks 4 to 8 (behaviour 3), then the grant
// has its own.

import { checkClient, checkRequired } from './client-request.ts';
import { claimedClient, isConfidential } from './clients.ts';
import type { Domain } from './domain.ts';
import { OAuthError } from './errors.ts';
import type { Grant } from './grants/grant.ts';
import { GRANTS } from './grants/index.ts';
import type { ProfileRules } from './profiles.ts';
import { PROFILE_RULES } from './profiles.ts';
import type { TokenRequest, TokenResponse } from './request.ts';
import { speakable } from './speakable.ts';
import type { Judgement } from './trace.ts';
import { note, pass } from './trace.ts';

function readGrant(request: TokenRequest, judgement: Judgement): Grant {
  const named = request.parameters.get('grant_type');
  if (named === undefined || named === '') throw new OAuthError('grant_type_missing');
  const grant = GRANTS.get(named);
  if (grant === undefined) throw new OAuthError('grant_type_unsupported');
  judgement.grant_type = grant.grant_type;
  pass(judgement, 'grant_type');
  return grant;
}

function noteUnknown(request: TokenRequest, grant: Grant, judgement: Judgement): void {
  const unknown: string[] = [];
  for (const name of request.parameters.keys()) {
    if (!grant.parameters.includes(name)) unknown.push(name);
  }
  if (unknown.length > 0) {
    note(judgement, 'unknown_parameters', [...new Set(unknown.map(speakable))].join(', '));
  }
}

/** The rules this request is read by: those of the client it claims to come from. */
export function rulesFor(
  request: TokenRequest,
  { registry, settings }: Domain,
  judgement: Judgement,
): ProfileRules {
  const claimed = claimedClient(request, registry);
  judgement.client_id = claimed?.client_id ?? null;
  judgement.profile = claimed?.profile ?? settings().profile;
  return PROFILE_RULES[judgement.profile];
}

/**
 * Judges one request at the token endpoint, filling in the judgement as it goes.
 * @throws OAuthError for every refusal (behaviour 3)
 */
export async function judgeTokenRequest(
  domain: Domain,
  request: TokenRequest,
  judgement: Judgement,
): Promise<TokenResponse> {
  judgement.endpoint = 'token';
  const rules = rulesFor(request, domain, judgement);
  const grant = readGrant(request, judgement);
  const format = grant.content_type;
  const checked = checkClient(request, format, rules, domain, judgement);
  const client = checked instanceof Promise ? await checked : checked;
  if (!client.grant_types.includes(grant.grant_type)) throw new OAuthError('grant_not_allowed');
  if (grant.confidential_only && !isConfidential(client)) {
    throw new OAuthError('grant_not_for_public_client');
  }
  pass(judgement, 'grant_allowed');
  checkRequired(request, grant.required(rules), judgement);
  if (rules.unknown_parameters === 'note') noteUnknown(request, grant, judgement);
  return grant.redeem({
    request,
    judgement,
    client,
    rules,
    settings: domain.settings(),
    issuer: domain.issuer(),
    ports: domain.ports,
    registry: domain.registry,
    throttle: domain.throttle,
    tokens: domain.tokens,
    keyring: domain.keyring,
    overFetch: domain.overFetch,
  });
}
