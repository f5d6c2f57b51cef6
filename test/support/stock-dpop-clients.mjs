// A process in which unchanged stock clients use DPoP (RFC 9449) by discovery: a public client binds its code with
// dpop_jkt, redeems it, refreshes and calls userinfo, with a nonce for each. An https issuer is trusted only through
// NODE_EXTRA_CA_CERTS. The issuer uses the interop profile, requires nonces and authorizes automatically. Argument:
// the issuer. Prints the results of each client as JSON.

import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';

const [issuer = ''] = process.argv.slice(2);
const url = new URL(issuer);
const client_id = 'spa';
const redirect_uri = 'http://localhost:3000/callback';
const scope = 'openid profile';
const plain = url.protocol === 'http:';

/** Follows the authorization request as a browser would. @param {URL} request */
async function authorize(request) {
  const answer = await fetch(request, { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '');
}

async function withOpenidClient() {
  const config = await openid.discovery(url, client_id, undefined, openid.None(), {
    execute: plain ? [openid.allowInsecureRequests] : [],
  });
  const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair());
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const request = openid.buildAuthorizationUrl(config, {
    redirect_uri,
    scope,
    code_challenge_method: 'S256',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    dpop_jkt: await DPoP.calculateThumbprint(),
  });
  const checks = { pkceCodeVerifier, idTokenExpected: true };
  const callback = await authorize(request);
  const tokens = await openid.authorizationCodeGrant(config, callback, checks, undefined, { DPoP });
  const { refresh_token = '' } = tokens;
  const refreshed = await openid.refreshTokenGrant(config, refresh_token, undefined, { DPoP });
  const sub = tokens.claims()?.sub ?? '';
  const userinfo = await openid.fetchUserInfo(config, refreshed.access_token, sub, { DPoP });
  const stolen = await openid
    .fetchUserInfo(config, refreshed.access_token, sub)
    .catch((/** @type {{ cause: unknown }} */ { cause }) => cause);
  return { client: 'openid-client', token_type: tokens.token_type, userinfo, stolen };
}

/** Retries once when the server requires a nonce. @template T @param {() => Promise<T>} ask */
async function withNonce(ask) {
  try {
    return await ask();
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    return ask();
  }
}

async function withOauth4webapi() {
  const insecure = plain ? { [oauth.allowInsecureRequests]: true } : {};
  const as = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, insecure));
  const client = { client_id };
  const auth = oauth.None();
  const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('EdDSA'));
  const options = { ...insecure, DPoP };
  const verifier = oauth.generateRandomCodeVerifier();
  const request = new URL(as.authorization_endpoint ?? '');
  request.search = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    scope,
    code_challenge_method: 'S256',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    dpop_jkt: await DPoP.calculateThumbprint(),
  }).toString();
  const parameters = oauth.validateAuthResponse(as, client, await authorize(request));
  const tokens = await withNonce(async () =>
    oauth.processAuthorizationCodeResponse(
      as,
      client,
      await oauth.authorizationCodeGrantRequest(
        as,
        client,
        auth,
        parameters,
        redirect_uri,
        verifier,
        options,
      ),
    ),
  );
  const refresh_token = tokens.refresh_token ?? '';
  const { access_token } = await withNonce(async () =>
    oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, auth, refresh_token, options),
    ),
  );
  const sub = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? '';
  const ask = async (/** @type {oauth.UserInfoRequestOptions} */ how) =>
    oauth.processUserInfoResponse(
      as,
      client,
      sub,
      await oauth.userInfoRequest(as, client, access_token, how),
    );
  const userinfo = await withNonce(() => ask(options));
  const stolen = await ask(insecure).catch((/** @type {{ cause: unknown }} */ { cause }) => cause);
  return { client: 'oauth4webapi', token_type: tokens.token_type, userinfo, stolen };
}

process.stdout.write(JSON.stringify([await withOpenidClient(), await withOauth4webapi()]));
