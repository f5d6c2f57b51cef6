// A login with openid-client 6, as its documentation has it.

import * as openid from 'openid-client';
import { REDIRECT_URI, signIn } from './sign-in.mjs';

/** Throws unless the user is signed in. @param {import('./sign-in.mjs').Setup} setup */
export async function login({ issuer, client, dpop, nonRepudiation }) {
  const { client_id, client_secret } = client;
  const config = await openid.discovery(new URL(issuer), client_id, client_secret, undefined, {
    execute: [openid.allowInsecureRequests],
  });
  if (nonRepudiation) openid.enableNonRepudiationChecks(config);
  const DPoP = dpop ? openid.getDPoPHandle(config, await openid.randomDPoPKeyPair()) : undefined;
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const state = openid.randomState();
  const nonce = openid.randomNonce();
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email offline_access',
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const checks = {
    pkceCodeVerifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  };
  const tokens = await openid.authorizationCodeGrant(config, await signIn(url), checks, undefined, {
    DPoP,
  });
  if (DPoP !== undefined && tokens.token_type !== 'dpop') throw new Error('not bound to the key');
  const sub = tokens.claims()?.sub ?? '';
  await openid.fetchUserInfo(config, tokens.access_token, sub, { DPoP });
  if (tokens.refresh_token !== undefined) {
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token, undefined, {
      DPoP,
    });
    // The library does not know who signed in.
    if ((refreshed.claims()?.sub ?? sub) !== sub) throw new Error('another user');
  }
}
