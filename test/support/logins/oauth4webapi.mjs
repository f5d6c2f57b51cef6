// A login with oauth4webapi 3, as its documentation has it.

import * as oauth from 'oauth4webapi';
import { REDIRECT_URI, signIn } from './sign-in.mjs';

/** Throws unless the user is signed in. @param {import('./sign-in.mjs').Setup} setup */
export async function login({ issuer, client: registered, dpop }) {
  const client = { client_id: registered.client_id };
  const DPoP = dpop ? oauth.DPoP(client, await oauth.generateKeyPair('ES256')) : undefined;
  const http = { [oauth.allowInsecureRequests]: true, DPoP };
  const as = await oauth.processDiscoveryResponse(
    new URL(issuer),
    await oauth.discoveryRequest(new URL(issuer), http),
  );
  const auth = oauth.ClientSecretPost(registered.client_secret);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const url = new URL(as.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email offline_access',
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  const parameters = oauth.validateAuthResponse(as, client, await signIn(url), state);
  const redeem = async () => {
    const sent = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      auth,
      parameters,
      REDIRECT_URI,
      verifier,
      http,
    );
    const checks = { expectedNonce: nonce, requireIdToken: true };
    return [sent, await oauth.processAuthorizationCodeResponse(as, client, sent, checks)];
  };
  const [response, tokens] = await redeem().catch((error) => {
    if (oauth.isDPoPNonceError(error)) return redeem();
    throw error;
  });
  if (DPoP !== undefined && tokens.token_type !== 'dpop') throw new Error('not bound to the key');
  await oauth.validateApplicationLevelSignature(as, response, http);
  const sub = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? '';
  const userinfo = await oauth.userInfoRequest(as, client, tokens.access_token, http);
  await oauth.processUserInfoResponse(as, client, sub, userinfo);
  if (tokens.refresh_token !== undefined) {
    const refreshed = await oauth.refreshTokenGrantRequest(
      as,
      client,
      auth,
      tokens.refresh_token,
      http,
    );
    const again = await oauth.processRefreshTokenResponse(as, client, refreshed);
    // The library does not know who signed in.
    if ((oauth.getValidatedIdTokenClaims(again)?.sub ?? sub) !== sub)
      throw new Error('another user');
  }
}
