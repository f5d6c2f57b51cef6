// A process in which unchanged stock clients use the device authorization grant by discovery. An https issuer is
// trusted only through NODE_EXTRA_CA_CERTS, which Node reads at start. The issuer uses the interop profile, authorizes
// automatically, and has an interval of one second. Argument: the issuer. Prints the results of each client as JSON.

import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';

const [issuer = ''] = process.argv.slice(2);
const url = new URL(issuer);
const client_id = 'demo-app';
const secret = 'demo-secret';
const scope = 'openid profile';
const plain = url.protocol === 'http:';

async function withOpenidClient() {
  const config = await openid.discovery(url, client_id, secret, undefined, {
    execute: plain ? [openid.allowInsecureRequests] : [],
  });
  const device = await openid.initiateDeviceAuthorization(config, { scope });
  const tokens = await openid.pollDeviceAuthorizationGrant(config, device);
  return { client: 'openid-client', device, tokens, sub: tokens.claims()?.sub };
}

async function withOauth4webapi() {
  const options = plain ? { [oauth.allowInsecureRequests]: true } : {};
  const as = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, options));
  const client = { client_id };
  const auth = oauth.ClientSecretBasic(secret);
  const device = await oauth.processDeviceAuthorizationResponse(
    as,
    client,
    await oauth.deviceAuthorizationRequest(as, client, auth, { scope }, options),
  );
  const tokens = await oauth.processDeviceCodeResponse(
    as,
    client,
    await oauth.deviceCodeGrantRequest(as, client, auth, device.device_code, options),
  );
  const { sub } = oauth.getValidatedIdTokenClaims(tokens) ?? {};
  return { client: 'oauth4webapi', device, tokens, sub };
}

process.stdout.write(JSON.stringify([await withOpenidClient(), await withOauth4webapi()]));
