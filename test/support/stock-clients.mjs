// A process in which unchanged stock clients run the whole flow by discovery: authorization with PKCE, code, refresh,
// introspection, userinfo, revocation. An https issuer is trusted only through NODE_EXTRA_CA_CERTS, which Node reads
// at start. The issuer uses the interop profile and authorizes automatically. Argument: the issuer. Prints the results
// of each client as JSON.

import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';

const [issuer = ''] = process.argv.slice(2);
const url = new URL(issuer);
const client_id = 'demo-app';
const secret = 'demo-secret';
const redirect_uri = 'http://localhost:3000/callback';
const scope = 'openid profile email';
const plain = url.protocol === 'http:';

/** Follows the authorization request as a browser would. @param {URL} request */
async function authorize(request) {
  const answer = await fetch(request, { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '');
}

const openidConfig = () =>
  openid.discovery(url, client_id, secret, undefined, {
    execute: plain ? [openid.allowInsecureRequests] : [],
  });

/** What every request of oauth4webapi needs. */
async function oauthSetup() {
  const options = plain ? { [oauth.allowInsecureRequests]: true } : {};
  const as = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, options));
  return { as, client: { client_id }, auth: oauth.ClientSecretBasic(secret), options };
}

async function withOpenidClient() {
  const config = await openidConfig();
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const state = openid.randomState();
  const nonce = openid.randomNonce();
  const code_challenge = await openid.calculatePKCECodeChallenge(pkceCodeVerifier);
  const request = openid.buildAuthorizationUrl(config, {
    redirect_uri,
    scope,
    state,
    nonce,
    code_challenge,
    code_challenge_method: 'S256',
  });
  const checks = { pkceCodeVerifier, expectedState: state, expectedNonce: nonce };
  const tokens = await openid.authorizationCodeGrant(config, await authorize(request), checks);
  const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
  const { access_token } = refreshed;
  const userinfo = await openid.fetchUserInfo(config, access_token, tokens.claims()?.sub ?? '');
  const before = await openid.tokenIntrospection(config, access_token);
  await openid.tokenRevocation(config, tokens.refresh_token ?? '');
  const after = await openid.tokenIntrospection(config, access_token);
  return { client: 'openid-client', access_token, userinfo, before, after };
}

async function withOauth4webapi() {
  const { as, client, auth, options } = await oauthSetup();
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const request = new URL(as.authorization_endpoint ?? '');
  request.search = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    scope,
    state,
    code_challenge_method: 'S256',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  }).toString();
  const parameters = oauth.validateAuthResponse(as, client, await authorize(request), state);
  const tokens = await oauth.processAuthorizationCodeResponse(
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
  );
  const refresh_token = tokens.refresh_token ?? '';
  const refreshed = await oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(as, client, auth, refresh_token, options),
  );
  const { access_token } = refreshed;
  const introspect = async () =>
    oauth.processIntrospectionResponse(
      as,
      client,
      await oauth.introspectionRequest(as, client, auth, access_token, options),
    );
  const userinfo = await oauth.processUserInfoResponse(
    as,
    client,
    oauth.getValidatedIdTokenClaims(tokens)?.sub ?? '',
    await oauth.userInfoRequest(as, client, access_token, options),
  );
  const before = await introspect();
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(as, client, auth, refresh_token, options),
  );
  return { client: 'oauth4webapi', access_token, userinfo, before, after: await introspect() };
}

/** Verifies a token with the published keys. @param {string} token */
async function subjectOf(token) {
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(token, keys, { issuer, audience: issuer });
  return payload.sub;
}

/** The same flow with a pushed request (RFC 9126). @returns the user of the tokens */
async function pushWithOpenidClient() {
  const config = await openidConfig();
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const code_challenge = await openid.calculatePKCECodeChallenge(pkceCodeVerifier);
  const request = await openid.buildAuthorizationUrlWithPAR(config, {
    redirect_uri,
    scope,
    code_challenge,
    code_challenge_method: 'S256',
  });
  const names = [...request.searchParams.keys()].toSorted();
  const tokens = await openid.authorizationCodeGrant(config, await authorize(request), {
    pkceCodeVerifier,
  });
  return { names, sub: tokens.claims()?.sub };
}

async function pushWithOauth4webapi() {
  const { as, client, auth, options } = await oauthSetup();
  const verifier = oauth.generateRandomCodeVerifier();
  const code_challenge = await oauth.calculatePKCECodeChallenge(verifier);
  const pushed = await oauth.processPushedAuthorizationResponse(
    as,
    client,
    await oauth.pushedAuthorizationRequest(
      as,
      client,
      auth,
      {
        response_type: 'code',
        redirect_uri,
        scope,
        code_challenge,
        code_challenge_method: 'S256',
      },
      options,
    ),
  );
  const request = new URL(as.authorization_endpoint ?? '');
  request.search = new URLSearchParams({
    client_id,
    request_uri: pushed.request_uri,
  }).toString();
  const names = [...request.searchParams.keys()].toSorted();
  const parameters = oauth.validateAuthResponse(as, client, await authorize(request));
  const tokens = await oauth.processAuthorizationCodeResponse(
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
  );
  return { names, sub: oauth.getValidatedIdTokenClaims(tokens)?.sub };
}

const results = [await withOpenidClient(), await withOauth4webapi()];
const subjects = await Promise.all(results.map(({ access_token }) => subjectOf(access_token)));
const pushed = [await pushWithOpenidClient(), await pushWithOauth4webapi()];
process.stdout.write(JSON.stringify({ results, subjects, pushed }));
