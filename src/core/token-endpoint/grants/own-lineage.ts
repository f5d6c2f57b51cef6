// What grants share that have no authorization before them: the scopes that are asked for, and the lineage that
// begins with the request.

import type { Lineage } from '../../model/credentials.ts';
import type { TokenResponse } from '../../model/request.ts';
import { valueOf } from '../../model/request.ts';
import { readScope } from '../../registry/asked-scope.ts';
import type { IssuedAccessToken } from '../../issuing/access-tokens.ts';
import type { LineageOrder } from '../../issuing/lineages.ts';
import type { GrantContext } from './grant.ts';
import { scopeMember } from './scope-member.ts';

/** The scopes that are asked for, each once. @throws OAuthError `invalid_scope` when malformed */
export const askedScopes = ({ request, rules, evaluation }: GrantContext): string[] =>
  readScope(valueOf(request, 'scope') ?? '', rules, evaluation);

type OwnLineage = Omit<LineageOrder, 'client' | 'audience'> & { readonly audience: string };

/** Opens the lineage that begins with this request. */
export function openOwnLineage(context: GrantContext, order: OwnLineage): Lineage {
  const { tokens, client, evaluation } = context;
  const lineage = tokens.openLineage({ client, ...order });
  evaluation.lineage = lineage;
  return lineage;
}

interface Issued {
  readonly lineage: Lineage;
  readonly access: IssuedAccessToken;
  /** The members that every token response has (RFC 6749 5.1). */
  readonly response: TokenResponse;
}

/**
 * Opens the lineage of this request with its access token.
 * @param expires_in seconds; null for the lifetime of the client or the workspace
 */
export async function issueInOwnLineage(
  context: GrantContext,
  order: OwnLineage,
  expires_in: number | null = null,
): Promise<Issued> {
  const { tokens, client, evaluation, request, settings } = context;
  const lineage = openOwnLineage(context, order);
  const { audience, scope } = order;
  const by = evaluation;
  const access = await tokens.issueAccessToken({
    client,
    lineage,
    audience,
    scope,
    expires_in,
    by,
  });
  const response: TokenResponse = {
    access_token: access.value,
    token_type: 'Bearer',
    expires_in: (access.expires_at - access.issued_at) / 1000,
    ...scopeMember(scope, valueOf(request, 'scope') ?? '', settings),
  };
  return { lineage, access, response };
}

/** The same; an access token for the same purpose that was still valid is noted (behaviour 5.12). */
export async function issueAndWatch(context: GrantContext, order: OwnLineage): Promise<Issued> {
  const issued = await issueInOwnLineage(context, order);
  const { overFetch, request, evaluation, ports } = context;
  await overFetch.watch(issued.access, request.ip, evaluation, ports.clock.now());
  return issued;
}
