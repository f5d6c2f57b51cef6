// The logout token (OpenID Connect Back-Channel Logout 2.4).

import { secondsOf } from '../model/clock.ts';
import type { Issuing } from '../model/domain.ts';
import type { Client } from '../records/schemas.ts';
import { checkIdTokenKey } from './id-token.ts';
import { encodeRandom } from './random-text.ts';

export const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const LIFETIME_S = 120;

/**
 * Returns a token that tells the client that the user has signed out. It is no access token and no ID token of this
 * server.
 * @param sid the session that has ended; null for all sessions of the user (2.4)
 * @throws OAuthError if the client_secret is not long enough for HS256
 */
export async function signLogoutToken(
  { issuer, keyring, ports, settings: { signing_alg: alg } }: Issuing,
  client: Client,
  sub: string,
  sid: string | null,
): Promise<string> {
  checkIdTokenKey(client, alg);
  const iat = secondsOf(ports.clock);
  const claims = {
    iss: issuer,
    aud: client.client_id,
    sub,
    iat,
    exp: iat + LIFETIME_S,
    ...(sid === null ? {} : { sid }),
    jti: encodeRandom(ports.random(16)),
    events: { [LOGOUT_EVENT]: {} },
  };
  const secret = alg === 'HS256' ? (client.client_secret ?? undefined) : undefined;
  return keyring.sign(claims, 'logout+jwt', alg, secret);
}
