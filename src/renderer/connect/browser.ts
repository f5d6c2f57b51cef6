// Settings for SDKs that run in a page: public clients with PKCE that renew their tokens in a frame.

import { js } from '../snippets/literals.ts';
import { type Snippet, type SnippetInput, anyOf, needsHttps, needsPublic } from './snippet.ts';

const auth0 = (input: SnippetInput) => `import { createAuth0Client } from '@auth0/auth0-spa-js'

const auth0 = await createAuth0Client({
  domain: ${js(new URL(input.issuer).host)},
  issuer: ${js(input.issuer)},
  clientId: ${js(input.client_id)},
  authorizationParams: {
    redirect_uri: ${js(input.redirect_uri)},
    scope: 'openid profile email',
  },
})

// the endpoint is not at Auth0's path
const logOut = () =>
  auth0.logout({
    openUrl: () =>
      location.assign(
        ${js(`${input.endpoints.end_session}?${new URLSearchParams({ post_logout_redirect_uri: input.post_logout_redirect_uri }).toString()}`)},
      ),
  })`;

const msal = (input: SnippetInput) => `import { PublicClientApplication } from '@azure/msal-browser'

const msal = new PublicClientApplication({
  auth: {
    clientId: ${js(input.client_id)},
    authority: ${js(input.issuer)},
    knownAuthorities: [${js(new URL(input.issuer).host)}],
    redirectUri: ${js(input.redirect_uri)},
    postLogoutRedirectUri: ${js(input.post_logout_redirect_uri)},
  },
  system: { protocolMode: 'OIDC' },
})
await msal.initialize()

// the page at the redirect URI does nothing but this:
//   import { broadcastResponseToMainFrame } from '@azure/msal-browser/redirect-bridge'
//   await broadcastResponseToMainFrame()`;

export const BROWSER: readonly Snippet[] = [
  {
    id: 'auth0-spa-js',
    name: 'auth0-spa-js',
    group: 'Browser',
    about: 'Version 2. Renews tokens in a frame with response_mode=web_message.',
    interop: true,
    unfit: anyOf(needsPublic('auth0-spa-js'), needsHttps('auth0-spa-js')),
    text: auth0,
  },
  {
    id: 'msal-browser',
    name: 'msal-browser',
    group: 'Browser',
    about: 'Version 5, as for any OpenID provider. Renews tokens in a frame by redirect.',
    interop: true,
    unfit: anyOf(needsPublic('msal-browser'), needsHttps('msal-browser')),
    text: msal,
  },
];
