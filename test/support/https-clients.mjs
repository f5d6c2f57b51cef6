// A process of its own in which stock clients meet an https issuer, unchanged: nothing tells them to trust
// it but NODE_EXTRA_CA_CERTS, which Node reads at start. Arguments: the issuer, and a code for each client.
// Tells on stdout what they got, as JSON.

import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';

const [issuer = '', ...codes] = process.argv.slice(2);
const client_id = 'demo-app';
const secret = 'demo-secret';
const redirect = 'http://localhost:3000/callback';
const verifier = process.env['CODE_VERIFIER'] ?? '';

/** @param {string | undefined} code */
function callback(code = '') {
  const url = new URL(redirect);
  url.search = new URLSearchParams({ code, iss: issuer }).toString();
  return url;
}

async function withOpenidClient() {
  const auth = openid.ClientSecretPost(secret);
  const config = await openid.discovery(new URL(issuer), client_id, undefined, auth);
  const tokens = await openid.authorizationCodeGrant(
    config,
    callback(codes[0]),
    { pkceCodeVerifier: verifier },
    { audience: issuer },
  );
  const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
  const endpoint = config.serverMetadata().token_endpoint;
  return { endpoint, access_token: tokens.access_token, refreshed: refreshed.access_token };
}

async function withOauth4webapi() {
  const url = new URL(issuer);
  const client = { client_id };
  const auth = oauth.ClientSecretPost(secret);
  const as = await oauth.processDiscoveryResponse(
    url,
    await oauth.discoveryRequest(url, { algorithm: 'oauth2' }),
  );
  const parameters = oauth.validateAuthResponse(as, client, callback(codes[1]));
  const tokens = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(as, client, auth, parameters, redirect, verifier, {
      additionalParameters: { audience: issuer },
    }),
  );
  const refreshed = await oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(as, client, auth, tokens.refresh_token ?? ''),
  );
  const endpoint = as.token_endpoint;
  return { endpoint, access_token: tokens.access_token, refreshed: refreshed.access_token };
}

/** @param {string} token */
async function subjectOf(token) {
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(token, keys, { issuer, audience: issuer });
  return payload.sub;
}

const results = [await withOpenidClient(), await withOauth4webapi()];
const subjects = await Promise.all(results.map(({ refreshed }) => subjectOf(refreshed)));
process.stdout.write(JSON.stringify({ results, subjects }));
