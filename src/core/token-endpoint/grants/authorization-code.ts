// The authorization_code grant (spec 4.1.1, RFC 6749 4.1.3): exchanges a code for an access token and a refresh
// token. Of several concurrent requests with a code, only the first succeeds.

import { durationInWords } from '../../../words.ts';
import {
  audienceField,
  checkAudience,
  isSameAudience,
  namedAudience,
} from '../../registry/audiences.ts';
import { type CodeRecord, endOf, stateOf } from '../../model/credentials.ts';
import { OAuthError } from '../../checks/errors.ts';
import { checkBoundKey } from '../../dpop/bound-key.ts';
import { checkVerifier, mustChallenge } from '../../authorization/pkce.ts';
import { checkOwner } from '../../registry/lists.ts';
import { valueOf } from '../../model/request.ts';
import { note, pass } from '../../checks/trace.ts';
import { countRequest } from '../count-request.ts';
import type { Grant, GrantContext } from './grant.ts';
import { checkIdToken } from '../../issuing/id-token.ts';
import { decideLineage } from '../../issuing/open-lineage.ts';
import { issueForUser } from './issue.ts';
import { knownScope, scopesOf } from '../../registry/scopes.ts';

export const authorizationCode: Grant = {
  grant_type: 'authorization_code',
  content_type: 'json',
  parameters: ['audience', 'redirect_uri', 'code', 'code_verifier'],
  required: (rules) => [
    'code',
    ...(rules.redirect_uri === 'required' ? ['redirect_uri'] : []),
    ...(rules.audience === 'required' ? ['audience'] : []),
  ],
  redeem: async (context) => {
    const code = await checkCodeKnown(context);
    await checkLive(context, code);
    checkRedirectUri(context, code);
    checkPkce(context, code);
    checkBoundKey(code, context.evaluation);
    const audience = decideAudience(context, code);
    // Without scopes that the audience does not define, if the profile drops those.
    const scope = knownScope(context, scopesOf(code.lineage.scope), audience);
    checkIdToken(context, scope);
    await consume(context, code);
    const { lineage, requested_scope, nonce, access_token_expires_in: expires_in } = code;
    decideLineage(context, lineage, audience, scope);
    return issueForUser(context, { lineage, audience, scope, requested_scope, expires_in, nonce });
  },
};

async function checkCodeKnown(context: GrantContext): Promise<CodeRecord> {
  const { ports, request, evaluation, client, registry } = context;
  const value = request.parameters.get('code') ?? '';
  const now = ports.clock.now();
  const code = await ports.stores.findCode(value, now);
  countRequest(context, value, code === undefined ? 'unknown' : 'code');
  if (code === undefined) {
    const token = await ports.stores.findRefreshToken(value, now);
    if (token !== undefined)
      throw new OAuthError('code_is_other_credential', { got: 'a refresh token' });
    throw new OAuthError('code_unknown');
  }
  pass(evaluation, 'credential_known');
  checkOwner(code.lineage.registration.client_id, client, registry, 'code_of_other_client');
  evaluation.credential = code;
  evaluation.lineage = code.lineage;
  pass(evaluation, 'credential_client');
  return code;
}

/** A redeemed code that is presented again revokes its whole lineage (RFC 6749 4.1.2). */
async function rejectReplay(context: GrantContext, code: CodeRecord): Promise<never> {
  const { ports, evaluation } = context;
  const now = ports.clock.now();
  await ports.stores.revokeLineage(code.lineage, now, evaluation.exchange);
  ports.emit({ type: 'credentials' });
  throw new OAuthError('code_redeemed', endOf(code, now));
}

async function checkLive(context: GrantContext, code: CodeRecord): Promise<void> {
  const now = context.ports.clock.now();
  const state = stateOf(code, now);
  switch (state) {
    case 'redeemed':
      return rejectReplay(context, code);
    case 'expired':
      throw new OAuthError('code_expired', endOf(code, now));
    case 'revoked':
      throw new OAuthError('code_revoked', endOf(code, now));
    default:
      pass(context.evaluation, 'credential_live', {
        note: `expires in ${durationInWords(Math.ceil((code.expires_at - now) / 1000))}`,
      });
  }
}

function checkRedirectUri({ request, evaluation }: GrantContext, code: CodeRecord): void {
  const got = valueOf(request, 'redirect_uri');
  if (got === undefined && !code.redirect_uri_given) {
    note(evaluation, 'redirect_uri_omitted');
    pass(evaluation, 'redirect_uri', { note: 'the authorization request had none' });
    return;
  }
  if (got === undefined) throw new OAuthError('parameter_missing', { field: 'redirect_uri' });
  if (got !== code.redirect_uri) {
    throw new OAuthError('redirect_uri_differs', { expected: code.redirect_uri, got });
  }
  pass(evaluation, 'redirect_uri', { expected: code.redirect_uri, got });
}

function checkPkce({ request, evaluation, client, ports }: GrantContext, code: CodeRecord): void {
  if (mustChallenge(client) && code.code_challenge === null) {
    throw new OAuthError('challenge_required');
  }
  checkVerifier(code, valueOf(request, 'code_verifier'), ports.sha256);
  pass(evaluation, 'pkce', {
    note: code.code_challenge_method === null ? 'not used' : `method ${code.code_challenge_method}`,
  });
}

/** The request must have the audience of the authorization. If that had none, this request decides it. */
function decideAudience(context: GrantContext, code: CodeRecord): string {
  const { request, evaluation, client, rules, registry, issuer } = context;
  const named = namedAudience(request, rules, issuer);
  const authorized = code.lineage.audience;
  const audience = named ?? authorized ?? client.default_audience ?? issuer;
  if (named === undefined) note(evaluation, 'audience_defaulted', audience);
  else if (valueOf(request, 'audience') === undefined) note(evaluation, 'resource_as_audience');
  if (authorized !== null && !isSameAudience(audience, authorized, issuer)) {
    const field = audienceField(request);
    throw new OAuthError('audience_differs', { field, expected: authorized, got: audience });
  }
  checkAudience(audience, request, registry, issuer);
  pass(evaluation, 'audience', {
    expected: authorized ?? 'any registered audience',
    got: audience,
  });
  return audience;
}

async function consume(context: GrantContext, code: CodeRecord): Promise<void> {
  const { ports, evaluation } = context;
  const consumed = await ports.stores.consumeCode(code, ports.clock.now(), evaluation.exchange);
  if (!consumed) {
    await checkLive(context, code);
    throw new OAuthError('code_unknown');
  }
  pass(evaluation, 'consume');
}
