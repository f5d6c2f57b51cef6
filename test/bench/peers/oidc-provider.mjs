// node-oidc-provider with its in-memory adapter, JWT access tokens and no rotation. A refresh without
// the openid scope signs one token, as the product and the floor do.

import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';
import { announce, client, orders } from '../servers/child.mjs';

const RESOURCE = 'https://orders.example/api';
const SCOPE = 'orders:read';

async function signingKey({ alg, jwk }) {
  if (jwk) return jwk;
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg };
}

const configuration = (jwk) => ({
  jwks: { keys: [{ ...jwk, use: 'sig' }] },
  cookies: { keys: ['bench'] },
  clients: [
    {
      client_id: client.client_id,
      client_secret: client.client_secret,
      redirect_uris: [client.redirect_uri],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: orders.alg,
    },
  ],
  findAccount: (ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  rotateRefreshToken: false,
  ttl: { AccessToken: 86_400, Grant: 2_592_000, RefreshToken: 2_592_000 },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => RESOURCE,
      getResourceServerInfo: () => ({
        scope: SCOPE,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 86_400,
        jwt: { sign: { alg: orders.alg } },
      }),
    },
  },
});

async function issueRefreshToken(provider) {
  const grant = new provider.Grant({ accountId: 'ada', clientId: client.client_id });
  grant.addResourceScope(RESOURCE, SCOPE);
  const token = new provider.RefreshToken({
    accountId: 'ada',
    client: await provider.Client.find(client.client_id),
    grantId: await grant.save(),
    gty: 'authorization_code',
    resource: RESOURCE,
    scope: `offline_access ${SCOPE}`,
  });
  return token.save();
}

const jwk = await signingKey(orders);
const server = createServer();
server.listen(0, '127.0.0.1', async () => {
  const issuer = `http://localhost:${server.address().port}`;
  const provider = new Provider(issuer, configuration(jwk));
  server.on('request', provider.callback());
  const refreshTokens = await Promise.all(
    Array.from({ length: orders.tokens }, () => issueRefreshToken(provider)),
  );
  announce(`${issuer}/token`, refreshTokens);
});
