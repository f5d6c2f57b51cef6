// The id_token in the token response, for a grant with the scope `openid` (OpenID Connect Core 3.1.3.3).

import { checkIdTokenKey, signIdToken } from '../../issuing/id-token.ts';
import type { IdTokenOrder } from '../../issuing/id-token.ts';
import { subOf } from '../../model/credentials.ts';
import type { TokenResponse } from '../../model/request.ts';
import type { GrantContext } from './grant.ts';

const hasOpenid = (scope: string) => scope.split(' ').includes('openid');

/**
 * Checks, before anything is consumed, that an id_token for this scope can be signed.
 * @throws OAuthError when HS256 has no client_secret that is long enough
 */
export function checkIdToken({ client, settings }: GrantContext, scope: string): void {
  if (hasOpenid(scope)) checkIdTokenKey(client, settings.signing_alg);
}

/** The member `id_token`, if the scope has `openid`; checkIdToken was called before. */
export async function idTokenMember(
  { client, settings, shape, issuer, registry, keyring, ports, evaluation }: GrantContext,
  {
    lineage,
    nonce,
    access,
    scope,
  }: Pick<IdTokenOrder, 'lineage' | 'nonce' | 'access'> & {
    readonly scope: string;
  },
): Promise<Pick<TokenResponse, 'id_token'>> {
  if (!hasOpenid(scope)) return {};
  const user = registry.users.get(subOf(lineage));
  const alg = settings.signing_alg;
  const scopes = scope.split(' ');
  const about = { client, user, lineage, nonce, access, scopes };
  const order = { ...about, issuer, alg, by: evaluation, shape };
  return { id_token: await signIdToken(order, keyring, ports.sha256) };
}
