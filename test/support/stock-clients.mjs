// A process in which unchanged stock clients run the whole flow by discovery. The demo client: authorization with
// PKCE, code, refresh, introspection, userinfo, revocation, and the same with a pushed request (RFC 9126). With the
// argument `dpop` (RFC 9449), a public client: it binds its code with dpop_jkt, redeems it, refreshes and calls
// userinfo, with a nonce for each. An https issuer is trusted only through NODE_EXTRA_CA_CERTS, which Node reads at
// start. The issuer uses the interop profile and authorizes automatically. Arguments: the issuer, `dpop`. Prints the
// results of each client as JSON.

import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';

const [issuer = '', flow] = process.argv.slice(2);
const url = new URL(issuer);
const plain = url.protocol === 'http:';
const insecure = plain ? { [oauth.allowInsecureRequests]: true } : {};
const DEMO = { client_id: 'demo-app', secret: 'demo-secret' };
const PUBLIC = { client_id: 'spa', secret: undefined };
const asked = { redirect_uri: 'http://localhost:3000/callback', scope: 'openid profile email' };

/** Follows the authorization request as a browser would. @param {URL} request */
async function authorize(request) {
  const answer = await fetch(request, { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '');
}

/** @param {string} verifier */
const challengeOf = async (verifier) => ({
  code_challenge_method: 'S256',
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
});

/** @param {{ client_id: string, secret: string | undefined }} client */
const openidConfig = ({ client_id, secret }) =>
  openid.discovery(url, client_id, secret, secret === undefined ? openid.None() : undefined, {
    execute: plain ? [openid.allowInsecureRequests] : [],
  });

/** What oauth4webapi does for one client. @param {{ client_id: string, secret: string | undefined }} client */
async function oauthClient({ client_id, secret }) {
  const as = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, insecure));
  const client = { client_id };
  const auth = secret === undefined ? oauth.None() : oauth.ClientSecretBasic(secret);
  return {
    as,
    client,
    auth,
    /** @param {Record<string, string>} parameters @param {string} [state] */
    authorize: async (parameters, state) => {
      const request = new URL(as.authorization_endpoint ?? '');
      request.search = new URLSearchParams({ client_id, ...parameters }).toString();
      const callback = await authorize(request);
      const response = oauth.validateAuthResponse(as, client, callback, state);
      return { response, names: [...request.searchParams.keys()].toSorted() };
    },
    /** @param {URLSearchParams} response @param {string} verifier @param {oauth.TokenEndpointRequestOptions} [options] */
    redeem: async (response, verifier, options = insecure) =>
      oauth.processAuthorizationCodeResponse(
        as,
        client,
        await oauth.authorizationCodeGrantRequest(
          as,
          client,
          auth,
          response,
          asked.redirect_uri,
          verifier,
          options,
        ),
      ),
    /** @param {string} token @param {oauth.TokenEndpointRequestOptions} [options] */
    refresh: async (token, options = insecure) =>
      oauth.processRefreshTokenResponse(
        as,
        client,
        await oauth.refreshTokenGrantRequest(as, client, auth, token, options),
      ),
    /** @param {string} token @param {string} sub @param {oauth.UserInfoRequestOptions} [options] */
    userinfo: async (token, sub, options = insecure) =>
      oauth.processUserInfoResponse(
        as,
        client,
        sub,
        await oauth.userInfoRequest(as, client, token, options),
      ),
  };
}

/** @param {oauth.TokenEndpointResponse} tokens */
const userOf = (tokens) => oauth.getValidatedIdTokenClaims(tokens)?.sub ?? '';

async function withOpenidClient() {
  const config = await openidConfig(DEMO);
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const state = openid.randomState();
  const nonce = openid.randomNonce();
  const challenge = await challengeOf(pkceCodeVerifier);
  const request = openid.buildAuthorizationUrl(config, { ...asked, state, nonce, ...challenge });
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
  const { as, client, auth, ...own } = await oauthClient(DEMO);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const challenge = await challengeOf(verifier);
  const parameters = { response_type: 'code', ...asked, state, ...challenge };
  const { response } = await own.authorize(parameters, state);
  const tokens = await own.redeem(response, verifier);
  const { refresh_token = '' } = tokens;
  const { access_token } = await own.refresh(refresh_token);
  const introspect = async () =>
    oauth.processIntrospectionResponse(
      as,
      client,
      await oauth.introspectionRequest(as, client, auth, access_token, insecure),
    );
  const userinfo = await own.userinfo(access_token, userOf(tokens));
  const before = await introspect();
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(as, client, auth, refresh_token, insecure),
  );
  return { client: 'oauth4webapi', access_token, userinfo, before, after: await introspect() };
}

/** Verifies a token with the published keys. @param {string} token */
async function subjectOf(token) {
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(token, keys, { issuer, audience: issuer });
  return payload.sub;
}

/** The same flow with a pushed request. @returns the parameters in the browser, and the user of the tokens */
async function pushWithOpenidClient() {
  const config = await openidConfig(DEMO);
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const challenge = await challengeOf(pkceCodeVerifier);
  const request = await openid.buildAuthorizationUrlWithPAR(config, { ...asked, ...challenge });
  const names = [...request.searchParams.keys()].toSorted();
  const callback = await authorize(request);
  const tokens = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier });
  return { names, sub: tokens.claims()?.sub };
}

async function pushWithOauth4webapi() {
  const { as, client, auth, ...own } = await oauthClient(DEMO);
  const verifier = oauth.generateRandomCodeVerifier();
  const parameters = { response_type: 'code', ...asked, ...(await challengeOf(verifier)) };
  const { request_uri } = await oauth.processPushedAuthorizationResponse(
    as,
    client,
    await oauth.pushedAuthorizationRequest(as, client, auth, parameters, insecure),
  );
  const { response, names } = await own.authorize({ request_uri });
  return { names, sub: userOf(await own.redeem(response, verifier)) };
}

/** The reason of a rejection. @param {{ cause: unknown }} error */
const causeOf = ({ cause }) => cause;

async function proveWithOpenidClient() {
  const config = await openidConfig(PUBLIC);
  const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair());
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const request = openid.buildAuthorizationUrl(config, {
    ...asked,
    ...(await challengeOf(pkceCodeVerifier)),
    dpop_jkt: await DPoP.calculateThumbprint(),
  });
  const checks = { pkceCodeVerifier, idTokenExpected: true };
  const callback = await authorize(request);
  const tokens = await openid.authorizationCodeGrant(config, callback, checks, undefined, { DPoP });
  const { refresh_token = '' } = tokens;
  const refreshed = await openid.refreshTokenGrant(config, refresh_token, undefined, { DPoP });
  const sub = tokens.claims()?.sub ?? '';
  const userinfo = await openid.fetchUserInfo(config, refreshed.access_token, sub, { DPoP });
  const stolen = await openid.fetchUserInfo(config, refreshed.access_token, sub).catch(causeOf);
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

async function proveWithOauth4webapi() {
  const { client, ...own } = await oauthClient(PUBLIC);
  const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('EdDSA'));
  const options = { ...insecure, DPoP };
  const verifier = oauth.generateRandomCodeVerifier();
  const dpop_jkt = await DPoP.calculateThumbprint();
  const challenge = await challengeOf(verifier);
  const { response } = await own.authorize({
    response_type: 'code',
    ...asked,
    ...challenge,
    dpop_jkt,
  });
  const tokens = await withNonce(() => own.redeem(response, verifier, options));
  const { refresh_token = '' } = tokens;
  const { access_token } = await withNonce(() => own.refresh(refresh_token, options));
  const sub = userOf(tokens);
  const userinfo = await withNonce(() => own.userinfo(access_token, sub, options));
  const stolen = await own.userinfo(access_token, sub).catch(causeOf);
  return { client: 'oauth4webapi', token_type: tokens.token_type, userinfo, stolen };
}

async function wholeFlow() {
  const results = [await withOpenidClient(), await withOauth4webapi()];
  const subjects = await Promise.all(results.map(({ access_token }) => subjectOf(access_token)));
  const pushed = [await pushWithOpenidClient(), await pushWithOauth4webapi()];
  return { results, subjects, pushed };
}

const provenFlow = async () => [await proveWithOpenidClient(), await proveWithOauth4webapi()];

process.stdout.write(JSON.stringify(await (flow === 'dpop' ? provenFlow() : wholeFlow())));
