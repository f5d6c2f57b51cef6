// The libraries whose settings the page offers, in the order of the list.

import { NODE_LIBRARIES, NODE_WEB } from './node.ts';
import { SERVERS } from './servers.ts';
import { type Snippet, type SnippetInput, pathOf } from './library-input.ts';
import { js, sh, csharp } from '../snippets/literals.ts';

// Settings for frameworks and tools that the tests do not run. They follow the documentation of each.

/** A JSON string is a YAML scalar. */
const yaml = (text: string): string => JSON.stringify(text);

const NOT_RUN = 'Based on its documentation; not covered by Grantbench’s tests.';

/** The members of Postman's collection format 2.1, under `auth`. */
function postman(input: SnippetInput): string {
  const values = {
    grant_type: 'authorization_code',
    authUrl: input.endpoints.authorization,
    accessTokenUrl: input.endpoints.token,
    clientId: input.client_id,
    clientSecret: input.client_secret ?? '',
    redirect_uri: input.redirect_uri,
    scope: 'openid profile email',
    client_authentication: 'body',
    addTokenTo: 'header',
  };
  const oauth2 = Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' }));
  return JSON.stringify({ auth: { type: 'oauth2', oauth2 } }, null, 2);
}

const UNTESTED: readonly Snippet[] = [
  {
    id: 'spring',
    name: 'Spring Security',
    group: 'Java',
    about: `application.yaml of Spring Boot. ${NOT_RUN}`,
    interop: true,
    clients: 'confidential',
    text: (input) => `spring.security.oauth2.client:
  registration.grantbench:
    client-id: ${yaml(input.client_id)}
    client-secret: ${yaml(input.client_secret ?? '')}
    client-authentication-method: client_secret_post
    authorization-grant-type: authorization_code
    redirect-uri: ${yaml(input.redirect_uri)} # its default: {baseUrl}/login/oauth2/code/grantbench
    scope: openid, profile, email
  provider.grantbench:
    issuer-uri: ${yaml(input.issuer)}`,
  },
  {
    id: 'asp-net',
    name: 'ASP.NET Core',
    group: 'C#',
    about: `Program.cs. ${NOT_RUN}`,
    interop: true,
    clients: 'confidential',
    text: (
      input,
    ) => `builder.Services.AddAuthentication("oidc").AddCookie("cookies").AddOpenIdConnect("oidc", options =>
{
    options.SignInScheme = "cookies";
    options.Authority = ${csharp(input.issuer)};
    options.RequireHttpsMetadata = ${String(input.issuer.startsWith('https:'))};
    options.ClientId = ${csharp(input.client_id)};
    options.ClientSecret = ${csharp(input.client_secret ?? '')};
    options.ResponseType = "code";
    options.CallbackPath = ${csharp(pathOf(input.redirect_uri))};
});`,
  },
  {
    id: 'postman',
    name: 'Postman',
    group: 'Tools',
    about: `The authorization of a collection, format 2.1. ${NOT_RUN}`,
    interop: true,
    clients: 'confidential',
    text: postman,
  },
];

// Settings without a library: an env file and two curl commands.

/** A value in an env file, quoted only if necessary. */
const env = (text: string) =>
  /^[\w./:@-]*$/.test(text) ? text : `"${text.replace(/["\\$`]/g, '\\$&')}"`;

const envVars = (input: SnippetInput): string =>
  Object.entries({
    OAUTH_ISSUER: input.issuer,
    OAUTH_AUTHORIZE_URL: input.endpoints.authorization,
    OAUTH_TOKEN_URL: input.endpoints.token,
    OAUTH_JWKS_URL: input.endpoints.jwks,
    OAUTH_CLIENT_ID: input.client_id,
    OAUTH_CLIENT_SECRET: input.client_secret,
    OAUTH_REDIRECT_URI: input.redirect_uri,
    OAUTH_AUDIENCE: input.audience,
  })
    .flatMap(([name, value]) => (value === null ? [] : `${name}=${env(value)}`))
    .join('\n');

/** The parameters that authenticate the client in the body. ASSERTION is a placeholder. */
function proofOf({ client_secret, signs }: SnippetInput): Record<string, string> {
  if (!signs) return client_secret === null ? {} : { client_secret };
  const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  return { client_assertion_type, client_assertion: 'ASSERTION' };
}

function curl(input: SnippetInput): string {
  const secret = proofOf(input);
  const body = JSON.stringify(
    {
      grant_type: 'authorization_code',
      client_id: input.client_id,
      ...secret,
      code: 'CODE',
      redirect_uri: input.redirect_uri,
      audience: input.audience,
    },
    null,
    2,
  );
  const form = { grant_type: 'refresh_token', client_id: input.client_id, ...secret };
  const fields = Object.entries(form).map(
    ([name, value]) => `  --data-urlencode ${sh(`${name}=${value}`)} \\`,
  );
  return [
    '# exchange a code (replace CODE)',
    `curl ${sh(input.endpoints.token)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${sh(body)}`,
    '',
    '# refresh (replace REFRESH_TOKEN)',
    `curl ${sh(input.endpoints.token)} \\`,
    ...fields,
    `  --data-urlencode 'refresh_token=REFRESH_TOKEN'`,
  ].join('\n');
}

const PLAIN: readonly [Snippet, ...Snippet[]] = [
  {
    id: 'env',
    name: 'Environment variables',
    group: 'Any',
    about: 'For an .env file or a shell.',
    interop: false,
    text: envVars,
  },
  {
    id: 'curl',
    name: 'curl',
    group: 'Any',
    about: 'Both grants as the specification documents them.',
    interop: false,
    text: curl,
  },
];

// Settings for SDKs that run in a page: public clients with PKCE that renew their tokens in a frame.

const BROWSER: readonly Snippet[] = [
  {
    id: 'auth0-spa-js',
    name: 'auth0-spa-js',
    group: 'Browser',
    about: 'Version 2. Renews tokens in a frame with response_mode=web_message.',
    interop: true,
    clients: 'public',
    https_only: true,
    text: (input) => `import { createAuth0Client } from '@auth0/auth0-spa-js'

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
  })`,
  },
  {
    id: 'msal-browser',
    name: 'msal-browser',
    group: 'Browser',
    about: 'Version 5, as for any OpenID provider. Renews tokens in a frame by redirect.',
    interop: true,
    clients: 'public',
    https_only: true,
    text: (input) => `import { PublicClientApplication } from '@azure/msal-browser'

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
//   await broadcastResponseToMainFrame()`,
  },
];

export const SNIPPETS: readonly [Snippet, ...Snippet[]] = [
  ...PLAIN,
  ...BROWSER,
  ...NODE_WEB,
  ...NODE_LIBRARIES,
  ...SERVERS,
  ...UNTESTED,
];
