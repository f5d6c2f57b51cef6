// Issuing access tokens: opaque ones, and self-contained ones with their claim sets.

import { keptText } from '../collections/kept-text.ts';
import { formatAccessTokenId } from '../model/access-token-id.ts';
import type { AccessTokenRecord, Lineage } from '../model/credentials.ts';
import { actOf, credentialBytes, lineageId, subOf } from '../model/credentials.ts';
import type { IssuingExchange } from '../model/issued.ts';
import { noteIssued } from '../model/issued.ts';
import type { AccessTokenFormat, Client } from '../records/schemas.ts';
import type { ClaimFacts } from './access-token-claims.ts';
import { accessTokenContent } from './access-token-claims.ts';
import type { IssuingParts } from './issuing-parts.ts';
import { isCurrent } from './issuing-parts.ts';
import { encodeRandom } from './random-text.ts';

/** What an access token is issued for. */
export interface AccessTokenOrder {
  readonly client: Client;
  readonly lineage: Lineage;
  readonly audience: string;
  readonly scope: string;
  /** Seconds; null takes the client's or the workspace's lifetime. */
  readonly expires_in: number | null;
  /** The exchange it is issued in; null over control. */
  readonly by: IssuingExchange | null;
}

export type IssuedAccessToken = AccessTokenRecord & { value: string };

async function write(
  { ports, registry, keyring, settings, shape, issuer }: IssuingParts,
  { client, lineage, audience, scope, by }: AccessTokenOrder,
  format: AccessTokenFormat,
  { id, iat, exp, jkt }: Pick<ClaimFacts, 'id' | 'iat' | 'exp' | 'jkt'>,
): Promise<string> {
  if (format === 'opaque') return encodeRandom(ports.random(32));
  const { user_sub } = lineage;
  const user = user_sub === null ? undefined : registry.users.get(user_sub);
  const facts = {
    client,
    user,
    issuer: issuer(),
    sub: subOf(lineage),
    act: actOf(lineage),
    audience,
    scope,
    id,
    iat,
    exp,
    jkt,
    lineage: lineageId(lineage),
  };
  const { claims, typ } = accessTokenContent(format, facts, shape(), ports.sha256, by);
  return keyring.sign(claims, typ, settings().signing_alg);
}

export async function issueAccessToken(
  parts: IssuingParts,
  order: AccessTokenOrder,
): Promise<IssuedAccessToken> {
  const { ports, epoch, sharedAudience } = parts;
  const { client, lineage, by } = order;
  const settings = parts.settings();
  const seconds =
    order.expires_in ?? client.access_token_expires_in ?? settings.lifetimes.access_token;
  // iat and exp are whole seconds, and the record expires when the token says so.
  const iat = Math.floor(ports.clock.now() / 1000);
  const exp = iat + seconds;
  const jkt = by?.dpop?.jkt ?? null;
  const seq = epoch.nextCredential();
  const n = ++lineage.count;
  const id = formatAccessTokenId({ epoch: lineage.epoch, lineage: lineageId(lineage), n });
  const format = client.access_token_format ?? settings.access_token_format;
  const token: IssuedAccessToken = {
    kind: 'access_token',
    value: await write(parts, order, format, { id, iat, exp, jkt }),
    format,
    audience: sharedAudience(order.audience),
    scope: order.scope === lineage.scope ? lineage.scope : keptText(order.scope),
    state: 'active',
    seq,
    n,
    lineage,
    bytes: credentialBytes(lineage, [jkt]),
    issued_at: iat * 1000,
    expires_at: exp * 1000,
    jkt,
    issued_by: by?.exchange ?? null,
    end: null,
  };
  if (isCurrent(parts, lineage)) {
    ports.stores.recordAccessToken(token);
    epoch.cover(token.expires_at);
    noteIssued(by, token);
  }
  ports.emit({ type: 'credentials' });
  return token;
}
