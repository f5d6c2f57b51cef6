// Unchanged stock clients that know only the issuer, and find the rest by discovery. The demo client runs the whole flow:
// authorization with PKCE, code, refresh, introspection, userinfo, revocation. With DPoP (RFC 9449), a public client binds
// its code with dpop_jkt, redeems it, refreshes and calls userinfo, with a nonce for each. The issuer uses the interop
// profile and authorizes automatically. As a program with the issuer as its argument, it prints the results of both flows
// as JSON: an https issuer is trusted only through NODE_EXTRA_CA_CERTS, which Node reads at start.

import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';

const DEMO = { client_id: 'demo-app', secret: 'demo-secret' };
const PUBLIC = { client_id: 'spa', secret: undefined };
const asked = { redirect_uri: 'http://localhost:3000/callback', scope: 'openid profile email' };

/** @param {string} issuer */
const isPlain = (issuer) => issuer.startsWith('http:');

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

/** @param {string} issuer @param {{ client_id: string, secret: string | undefined }} client */
const openidConfig = (issuer, { client_id, secret }) =>
  openid.discovery(
    new URL(issuer),
    client_id,
    secret,
    secret === undefined ? openid.None() : undefined,
    { execute: isPlain(issuer) ? [openid.allowInsecureRequests] : [] },
  );

/** What oauth4webapi does for one client. @param {string} issuer @param {{ client_id: string, secret: string | undefined }} client */
async function oauthClient(issuer, { client_id, secret }) {
  const url = new URL(issuer);
  const insecure = { [oauth.allowInsecureRequests]: isPlain(issuer) };
  const as = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, insecure));
  const client = { client_id };
  const auth = secret === undefined ? oauth.None() : oauth.ClientSecretBasic(secret);
  return {
    as,
    client,
    auth,
    insecure,
    /** @param {Record<string, string>} parameters @param {string} [state] */
    authorize: async (parameters, state) => {
      const request = new URL(as.authorization_endpoint ?? '');
      request.search = new URLSearchParams({ client_id, ...parameters }).toString();
      return oauth.validateAuthResponse(as, client, await authorize(request), state);
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

/** @param {string} issuer */
async function withOpenidClient(issuer) {
  const config = await openidConfig(issuer, DEMO);
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

/** @param {string} issuer */
async function withOauth4webapi(issuer) {
  const { as, client, auth, insecure, ...own } = await oauthClient(issuer, DEMO);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const challenge = await challengeOf(verifier);
  const parameters = { response_type: 'code', ...asked, state, ...challenge };
  const response = await own.authorize(parameters, state);
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

/** Verifies a token with the published keys. @param {string} issuer @param {string} token */
async function subjectOf(issuer, token) {
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(token, keys, { issuer, audience: issuer });
  return payload.sub;
}

/** The reason of a rejection. @param {{ cause: unknown }} error */
const causeOf = ({ cause }) => cause;

/** @param {string} issuer */
async function proveWithOpenidClient(issuer) {
  const config = await openidConfig(issuer, PUBLIC);
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

/** @param {string} issuer */
async function proveWithOauth4webapi(issuer) {
  const { client, insecure, ...own } = await oauthClient(issuer, PUBLIC);
  const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('EdDSA'));
  const options = { ...insecure, DPoP };
  const verifier = oauth.generateRandomCodeVerifier();
  const dpop_jkt = await DPoP.calculateThumbprint();
  const challenge = await challengeOf(verifier);
  const response = await own.authorize({
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

/** @param {string} issuer */
export async function wholeFlow(issuer) {
  const results = [await withOpenidClient(issuer), await withOauth4webapi(issuer)];
  const subjects = await Promise.all(
    results.map(({ access_token }) => subjectOf(issuer, access_token)),
  );
  return { results, subjects };
}

/** @param {string} issuer */
export const provenFlow = async (issuer) => [
  await proveWithOpenidClient(issuer),
  await proveWithOauth4webapi(issuer),
];

const [, program, issuer = ''] = process.argv;
if (program === import.meta.filename) {
  const whole = await wholeFlow(issuer);
  process.stdout.write(JSON.stringify({ whole, proven: await provenFlow(issuer) }));
}
