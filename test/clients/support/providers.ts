// Third-party authorization servers, each in its own process on loopback.

import { freePort } from '../../support/free-port.ts';
import { folderOf, serve } from './program.ts';

const PROGRAMS = {
  'node-oidc-provider': (port: number) => `import { Provider } from 'oidc-provider';
const provider = new Provider('http://localhost:${port}', {
  clients: [{
    client_id: 'app',
    client_secret: 'app-secret',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    token_endpoint_auth_method: 'client_secret_post',
    response_types: [],
  }],
  features: {
    clientCredentials: { enabled: true },
    deviceFlow: { enabled: true },
    introspection: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => 'https://api.example',
      getResourceServerInfo: () => ({ scope: 'read', accessTokenFormat: 'jwt', accessTokenTTL: 1234 }),
    },
  },
});
provider.listen(${port});`,
  'oauth2-mock-server': (port: number) => `import { OAuth2Server } from 'oauth2-mock-server';
const server = new OAuth2Server();
await server.issuer.keys.generate('RS256');
await server.start(${port}, 'localhost');`,
};

export type ProviderName = keyof typeof PROGRAMS;

export const PROVIDERS: readonly ProviderName[] = ['node-oidc-provider', 'oauth2-mock-server'];

/** Starts a provider with the client `app` and its secret `app-secret`, until the test ends. @returns its issuer */
export async function startProvider(name: ProviderName): Promise<string> {
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const cwd = folderOf({ 'provider.mjs': PROGRAMS[name](port) });
  await serve(process.execPath, ['provider.mjs'], { cwd, listens: () => fetch(issuer) });
  return issuer;
}
