// The client_credentials grant (RFC 6749 4.4): an access token for the client itself. No user, hence
// neither refresh token nor id_token; each grant is a lineage of its own.

import { checkAudience, namedAudience } from '../../registry/audiences.ts';
import { noteExchange } from '../../model/credentials.ts';
import { OAuthError } from '../../checks/errors.ts';
import type { TokenResponse } from '../../model/request.ts';
import { valueOf } from '../../model/request.ts';
import { parseScope } from '../../registry/scopes.ts';
import { pass } from '../../checks/trace.ts';
import { countRequest } from './count.ts';
import type { Grant, GrantContext } from './grant.ts';
import { knownScope } from '../../registry/known-scope.ts';

export const clientCredentials: Grant = {
  grant_type: 'client_credentials',
  content_type: 'form',
  confidential_only: true,
  parameters: ['grant_type', 'client_id', 'client_secret', 'audience', 'resource', 'scope'],
  required: () => [],
  redeem: async (context) => {
    countRequest(context, context.client.client_id, 'client');
    const audience = decideAudience(context);
    const asked = valueOf(context.request, 'scope') ?? '';
    const scopes = parseScope(asked);
    if (scopes === null) throw new OAuthError('scope_malformed');
    return issue(context, audience, knownScope(context, scopes, audience), asked);
  },
};

/** The specification asks for an audience only where a code is exchanged (spec 4.1.1). */
function decideAudience({ request, evaluation, client, registry, issuer }: GrantContext): string {
  const named = namedAudience(request, { audience: 'optional' });
  const audience = named ?? client.default_audience ?? issuer;
  checkAudience(audience, registry, issuer);
  pass(evaluation, 'audience', {
    got: audience,
    ...(named === undefined ? { note: 'not sent: the default was used' } : {}),
  });
  return audience;
}

async function issue(
  context: GrantContext,
  audience: string,
  scope: string,
  asked: string,
): Promise<TokenResponse> {
  const { evaluation, client, tokens, overFetch, request, ports } = context;
  const lineage = tokens.openLineage({ client, user_sub: null, audience, scope });
  evaluation.lineage = lineage;
  noteExchange(lineage, evaluation.exchange);
  const order = { client, lineage, audience, scope, expires_in: null, by: evaluation };
  const access = await tokens.issueAccessToken(order);
  await overFetch.watch(access, request.ip, evaluation, ports.clock.now());
  return {
    access_token: access.value,
    token_type: 'Bearer',
    expires_in: (access.expires_at - access.issued_at) / 1000,
    ...(scope === asked || scope === '' ? {} : { scope }),
  };
}
