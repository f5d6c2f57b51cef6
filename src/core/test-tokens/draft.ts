// A token before it is signed: the claims and `typ` of an access token for a client and a user, or none, with the
// members that were given in them.

import { AuthorizationProblem } from '../authorization/authorize.ts';
import { checkOrder } from '../authorization/direct-issue.ts';
import { accessTokenContent } from '../issuing/access-token-claims.ts';
import { encodeRandom } from '../issuing/random-text.ts';
import { unissuedId } from '../issuing/unissued.ts';
import { formatLineageId } from '../model/access-token-id.ts';
import { isJsonObject } from '../records/json-object.ts';
import { mergePatch } from '../records/merge-patch.ts';
import type { TokenService } from '../service.ts';

export type Members = Record<string, unknown>;

export interface DraftOrder {
  /** Whose access token it is like; left out, it has no claims but those given. */
  readonly client_id?: string | undefined;
  readonly sub?: string | undefined;
  readonly audience?: string | undefined;
  readonly scope?: string | undefined;
  readonly access_token_expires_in?: number | undefined;
  /** Replaces members of the header, or with null removes them (RFC 7396). */
  readonly header?: Readonly<Members> | undefined;
  /** The same for the claims. */
  readonly claims?: Readonly<Members> | undefined;
}

/** What of the service is needed to build and sign. */
export type Signing = Pick<
  TokenService,
  'registry' | 'keyring' | 'ports' | 'settings' | 'shape' | 'issuer'
>;

const OF_CLIENT = ['sub', 'audience', 'scope', 'access_token_expires_in'] as const;

/** What it has without any members that are given. */
function contentFor(service: Signing, order: DraftOrder, jti: string) {
  const { client_id } = order;
  if (client_id === undefined) {
    const member = OF_CLIENT.find((name) => order[name] !== undefined);
    if (member === undefined) return { claims: null, typ: 'at+jwt' };
    throw new AuthorizationProblem('client_id', `is required with ${member}`);
  }
  const { client, user, audience, scope } = checkOrder(service, { ...order, client_id });
  const settings = service.settings();
  const iat = Math.floor(service.ports.clock.now() / 1000);
  const expires_in =
    order.access_token_expires_in ??
    client.access_token_expires_in ??
    settings.lifetimes.access_token;
  const format = client.access_token_format ?? settings.access_token_format;
  const facts = {
    ...{ client, user, scope, iat, exp: iat + expires_in, act: null, jkt: null, id: jti },
    ...{ issuer: service.issuer(), sub: user.sub, audience: audience ?? service.issuer() },
    lineage: formatLineageId({ number: 0, of_user: true }),
  };
  // An opaque token has no claims to be wrong.
  const claimed = format === 'opaque' ? 'rfc9068' : format;
  return accessTokenContent(claimed, facts, service.shape(), service.ports.sha256, null);
}

const patched = (members: Members, patch: Readonly<Members> = {}): Members => {
  const merged = mergePatch(members, patch);
  return isJsonObject(merged) ? merged : {};
};

/** @throws AuthorizationProblem naming the member and the rule */
export function draftToken(service: Signing, order: DraftOrder) {
  const jti = unissuedId(encodeRandom(service.ports.random(16)));
  const { claims, typ } = contentFor(service, order, jti);
  return {
    header: patched({ typ }, order.header),
    claims: { ...(claims === null ? order.claims : patched(claims, order.claims)), jti },
  };
}
