// Settings of libraries for Node: middleware for Express, which signs users in and keeps their sessions, and
// libraries that send requests themselves, without a web framework.

import { js } from '../snippets/literals.ts';
import { type Snippet, type SnippetInput, isPlain, originOf, pathOf } from './library-input.ts';

/** The redirect URI that Auth.js always uses, whatever the client has registered. */
const authJsRedirectUri = ({ redirect_uri }: SnippetInput): string =>
  `${originOf(redirect_uri)}/auth/callback/grantbench`;

export const NODE_WEB: readonly Snippet[] = [
  {
    id: 'express-openid-connect',
    name: 'express-openid-connect',
    group: 'Node',
    about: 'Version 3, for Express: sign-in at /login, sign-out at /logout.',
    interop: true,
    clients: 'confidential',
    text: (input) => `import { auth } from 'express-openid-connect'

app.use(
  auth({
    issuerBaseURL: ${js(input.issuer)},
    baseURL: ${js(originOf(input.redirect_uri))},
    clientID: ${js(input.client_id)},
    clientSecret: ${js(input.client_secret ?? '')},
    clientAuthMethod: 'client_secret_post',
    secret: process.env.SESSION_SECRET, // at least 32 random characters
    routes: { callback: ${js(pathOf(input.redirect_uri))} },
    authorizationParams: { response_type: 'code', scope: 'openid profile email' },
    idpLogout: true,
  }),
)`,
  },
  {
    id: 'passport-openidconnect',
    name: 'passport-openidconnect',
    group: 'Node',
    about: 'Version 0.1, for Express with sessions.',
    interop: true,
    clients: 'confidential',
    text: (input) => `import passport from 'passport'
import OpenIDConnectStrategy from 'passport-openidconnect'

passport.use(
  new OpenIDConnectStrategy(
    {
      issuer: ${js(input.issuer)},
      authorizationURL: ${js(input.endpoints.authorization)},
      tokenURL: ${js(input.endpoints.token)},
      userInfoURL: ${js(input.endpoints.userinfo)},
      clientID: ${js(input.client_id)},
      clientSecret: ${js(input.client_secret ?? '')},
      callbackURL: ${js(input.redirect_uri)},
      scope: ['profile', 'email'],
    },
    (issuer, profile, done) => done(null, profile),
  ),
)`,
  },
  {
    id: 'auth-js',
    name: 'Auth.js',
    group: 'Node',
    about: 'Version 5, for Express. Next.js and other frameworks use the same provider.',
    interop: true,
    redirects_to: authJsRedirectUri,
    clients: 'confidential',
    text: (input) => `import { ExpressAuth } from '@auth/express'

// redirect URI of the client: ${authJsRedirectUri(input)}
app.use(
  '/auth',
  ExpressAuth({
    secret: process.env.AUTH_SECRET, // at least 32 random characters
    trustHost: true,
    providers: [
      {
        id: 'grantbench',
        name: 'Grantbench',
        type: 'oidc',
        issuer: ${js(input.issuer)},
        clientId: ${js(input.client_id)},
        clientSecret: ${js(input.client_secret ?? '')},
        client: { token_endpoint_auth_method: 'client_secret_post' },
      },
    ],
  }),
)`,
  },
];

/** Client authentication in openid-client and oauth4webapi. `privateKey` is the CryptoKey of a registered key. */
function authenticationOf(library: string, { client_secret, signs }: SnippetInput): string {
  if (signs) return `${library}.PrivateKeyJwt(privateKey)`;
  return client_secret === null
    ? `${library}.None()`
    : `${library}.ClientSecretPost(${js(client_secret)})`;
}

function oauth4webapi(input: SnippetInput): string {
  const plain = isPlain(input);
  const declared = plain ? 'const insecure = { [oauth.allowInsecureRequests]: true }\n' : '';
  const member = plain ? ', ...insecure' : '';
  return `import * as oauth from 'oauth4webapi'

${declared}const issuer = new URL(${js(input.issuer)})
const as = await oauth
  .discoveryRequest(issuer, { algorithm: 'oauth2'${member} })
  .then((response) => oauth.processDiscoveryResponse(issuer, response))
const client = { client_id: ${js(input.client_id)} }
const auth = ${authenticationOf('oauth', input)}

// callbackUrl: the redirect URI as the browser requested it, with code and state
const params = oauth.validateAuthResponse(as, client, new URL(callbackUrl), state)
const tokens = await oauth
  .authorizationCodeGrantRequest(
    as, client, auth, params, ${js(input.redirect_uri)}, oauth.nopkce,
    { additionalParameters: { audience: ${js(input.audience)} }${member} },
  )
  .then((response) => oauth.processAuthorizationCodeResponse(as, client, response))

const fresh = await oauth
  .refreshTokenGrantRequest(as, client, auth, tokens.refresh_token${plain ? ', insecure' : ''})
  .then((response) => oauth.processRefreshTokenResponse(as, client, response))`;
}

export const NODE_LIBRARIES: readonly Snippet[] = [
  {
    id: 'openid-client',
    name: 'openid-client',
    group: 'Node',
    about: 'Version 6. Sends the code exchange as a form.',
    interop: false,
    text: (input) => `import * as client from 'openid-client'

const config = await client.discovery(
  new URL(${js(input.issuer)}),
  ${js(input.client_id)},
  undefined,
  ${authenticationOf('client', input)},
  { algorithm: 'oauth2'${isPlain(input) ? ', execute: [client.allowInsecureRequests]' : ''} },
)

// callbackUrl: the redirect URI as the browser requested it, with code and state
const tokens = await client.authorizationCodeGrant(
  config,
  new URL(callbackUrl),
  { expectedState: state },
  { audience: ${js(input.audience)} },
)

const fresh = await client.refreshTokenGrant(config, tokens.refresh_token)`,
  },
  {
    id: 'oauth4webapi',
    name: 'oauth4webapi',
    group: 'Node',
    about: 'Version 3, for Node, browsers and workers. Sends the code exchange as a form.',
    interop: false,
    text: oauth4webapi,
  },
  {
    id: 'simple-oauth2',
    name: 'simple-oauth2',
    group: 'Node',
    about: 'Version 5. Sends both the code exchange and the refresh as JSON.',
    interop: false,
    clients: 'confidential',
    text: (input) => `import { AuthorizationCode } from 'simple-oauth2'

const client = new AuthorizationCode({
  client: { id: ${js(input.client_id)}, secret: ${js(input.client_secret ?? '')} },
  auth: {
    tokenHost: ${js(originOf(input.endpoints.token))},
    tokenPath: ${js(pathOf(input.endpoints.token))},
    authorizePath: ${js(pathOf(input.endpoints.authorization))},
    revokePath: ${js(pathOf(input.endpoints.revocation))},
  },
  options: { authorizationMethod: 'body', bodyFormat: 'json' },
})

const tokens = await client.getToken({
  code,
  redirect_uri: ${js(input.redirect_uri)},
  audience: ${js(input.audience)},
})

const fresh = await tokens.refresh()`,
  },
  {
    id: 'msal-node',
    name: 'msal-node',
    group: 'Node',
    about:
      'Version 7, as for any OpenID provider. Start Node with NODE_EXTRA_CA_CERTS and the certificate.',
    interop: true,
    clients: 'confidential',
    https_only: true,
    text: (input) => `import { ConfidentialClientApplication } from '@azure/msal-node'

const client = new ConfidentialClientApplication({
  auth: {
    clientId: ${js(input.client_id)},
    clientSecret: ${js(input.client_secret ?? '')},
    authority: ${js(input.issuer)},
    knownAuthorities: [${js(new URL(input.issuer).host)}],
  },
  system: { protocolMode: 'OIDC' },
})
const redirectUri = ${js(input.redirect_uri)}
const scopes = ['openid', 'profile', 'email', 'offline_access']

// code: from the redirect URI, after the browser was sent to client.getAuthCodeUrl({ redirectUri, scopes, state })
const tokens = await client.acquireTokenByCode({ code, redirectUri, scopes })

const fresh = await client.acquireTokenSilent({
  account: tokens.account,
  scopes,
  forceRefresh: true,
})`,
  },
];
