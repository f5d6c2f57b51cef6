// The token response with the members that the provider's shape adds to it.

import { lineageId } from '../model/credentials.ts';
import type { TokenResponse } from '../model/request.ts';
import { valueOf } from '../model/request.ts';
import { shaped } from '../shape/claims.ts';
import type { GrantContext } from './grants/grant.ts';

/** Without `scope` in the response, what was asked for was granted (RFC 6749 5.1). */
function grantedScope({ request, evaluation }: GrantContext, response: TokenResponse): string {
  const asked = evaluation.grant_type === 'refresh_token' ? valueOf(request, 'scope') : undefined;
  return response.scope ?? asked ?? evaluation.lineage?.scope ?? '';
}

export function shapedResponse(context: GrantContext, response: TokenResponse): TokenResponse {
  const { shape, evaluation, client, registry, ports, issuer } = context;
  if (shape === null) return response;
  const { lineage, grant_type } = evaluation;
  const user_sub = lineage?.user_sub ?? null;
  const newest = lineage?.newest ?? null;
  const now = ports.clock.now();
  const refresh_expires_in =
    newest?.kind === 'refresh_token' ? Math.round((newest.expires_at - now) / 1000) : undefined;
  const facts = {
    user: user_sub === null ? undefined : registry.users.get(user_sub),
    client,
    scope: grantedScope(context, response),
    audience: lineage?.audience ?? undefined,
    grant_type: grant_type ?? undefined,
    lineage: lineage === null ? undefined : lineageId(lineage),
    expires_in: response.expires_in,
    refresh_expires_in,
    issuer,
    sha256: ports.sha256,
    now,
  };
  const all = shaped({ ...response }, 'token_response', shape, facts, evaluation);
  return all as unknown as TokenResponse;
}
