// Opens lineages: all credentials of one authorization, or of one request that needed no authorization.

import { keptText } from '../collections/kept-text.ts';
import type { Delegation, Lineage, OpenIdFacts } from '../model/credentials.ts';
import type { Client } from '../records/schemas.ts';
import type { Issuing } from '../model/domain.ts';

export interface LineageOrder extends Pick<Lineage, 'user_sub' | 'audience' | 'scope'> {
  readonly client: Client;
  /** Present if the lineage begins with a token exchange. */
  readonly delegation?: Delegation;
  /** When the user signed in (in milliseconds of the sandbox clock); omitted if nobody did. */
  readonly auth_time?: number | undefined;
  readonly openid?: OpenIdFacts;
}

/** Returns copies of the texts of a request; null if there are none. */
function keptFacts({ acr, sid, id_token, userinfo, claims }: OpenIdFacts): OpenIdFacts | null {
  const isEmpty = acr === null && sid === null && claims === null;
  if (isEmpty && id_token.length + userinfo.length === 0) return null;
  return {
    acr: acr === null ? null : keptText(acr),
    sid,
    id_token: id_token.map(keptText),
    userinfo,
    claims,
  };
}

export function openLineage(
  { ports, registry, epoch }: Issuing,
  { client, user_sub, audience, scope, auth_time, openid, delegation }: LineageOrder,
): Lineage {
  const now = ports.clock.now();
  return {
    number: epoch.nextLineage(),
    epoch: epoch.name,
    registration: registry.registrationOf(client),
    user_sub,
    delegation: delegation ?? null,
    audience: audience === null ? null : registry.sharedAudience(audience),
    scope: keptText(scope),
    created_at: now,
    auth_time: auth_time ?? null,
    openid: openid === undefined ? null : keptFacts(openid),
    refresh_until: 0,
    access_until: 0,
    revoked_at: null,
    count: 0,
    newest: null,
    others: null,
  };
}

/** Records the audience and scope that were decided when the code was exchanged. */
export function decideLineage(
  { registry }: Issuing,
  lineage: Lineage,
  audience: string,
  scope: string,
): void {
  lineage.audience = registry.sharedAudience(audience);
  if (scope !== lineage.scope) lineage.scope = keptText(scope);
}
