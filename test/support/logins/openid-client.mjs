// A login with openid-client 6, as its documentation has it. Exits with 0 when the user is signed in.

import * as openid from 'openid-client';
import { CLIENT, ISSUER, REDIRECT_URI, showErrors, signIn } from './sign-in.mjs';

showErrors();

const { client_id, client_secret } = CLIENT;
const config = await openid.discovery(new URL(ISSUER), client_id, client_secret, undefined, {
  execute: [openid.allowInsecureRequests],
});
if (process.env['GRANTBENCH_TEST_NON_REPUDIATION'] === '1')
  openid.enableNonRepudiationChecks(config);
const DPoP =
  process.env['GRANTBENCH_TEST_DPOP'] === '1'
    ? openid.getDPoPHandle(config, await openid.randomDPoPKeyPair())
    : undefined;
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
