// A login with msal-node for an authorization server that is not Microsoft's, as its documentation has it, and a refresh.

import { ConfidentialClientApplication, CryptoProvider } from '@azure/msal-node';
import { CLIENT, ISSUER, REDIRECT_URI, signIn } from '../../support/logins/sign-in.mjs';

const client = new ConfidentialClientApplication({
  auth: {
    clientId: CLIENT.client_id,
    clientSecret: CLIENT.client_secret,
    authority: ISSUER,
    knownAuthorities: [new URL(ISSUER).host],
  },
  system: { protocolMode: 'OIDC' },
});
const crypto = new CryptoProvider();
const { verifier, challenge } = await crypto.generatePkceCodes();
const [state, nonce] = [crypto.createNewGuid(), crypto.createNewGuid()];
const common = { redirectUri: REDIRECT_URI, scopes: ['openid', 'profile', 'offline_access'] };
const url = await client.getAuthCodeUrl({
  ...common,
  state,
  nonce,
  codeChallenge: challenge,
  codeChallengeMethod: 'S256',
});
const { code = '', ...received } = Object.fromEntries((await signIn(new URL(url))).searchParams);
const tokens = await client.acquireTokenByCode(
  { ...common, code, codeVerifier: verifier, state, nonce },
  { code, state: received['state'] ?? '' },
);
if (tokens.account === null || tokens.idTokenClaims === undefined) throw new Error('no user');
await client.acquireTokenSilent({ ...common, account: tokens.account, forceRefresh: true });
