// Configuration of well-known clients for one registered client, as text to paste. Pure.

import { js, sh } from '../../snippets/literals.ts';

export interface SnippetInput {
  readonly issuer: string;
  readonly token_endpoint: string;
  readonly client_id: string;
  /** null for a public client, and for one that signs assertions. */
  readonly client_secret: string | null;
  /** Whether the client proves itself with assertions (private_key_jwt). */
  readonly signs: boolean;
  readonly redirect_uri: string;
  readonly audience: string;
}

export interface Snippet {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly text: (input: SnippetInput) => string;
}

/** A value in an env file: quoted only when it has to be. */
const env = (text: string) =>
  /^[\w./:@-]*$/.test(text) ? text : `"${text.replace(/["\\$`]/g, '\\$&')}"`;

const envVars = (input: SnippetInput) =>
  [
    `OAUTH_ISSUER=${env(input.issuer)}`,
    `OAUTH_TOKEN_URL=${env(input.token_endpoint)}`,
    `OAUTH_JWKS_URL=${env(`${input.issuer}/.well-known/jwks.json`)}`,
    `OAUTH_CLIENT_ID=${env(input.client_id)}`,
    ...(input.client_secret === null ? [] : [`OAUTH_CLIENT_SECRET=${env(input.client_secret)}`]),
    `OAUTH_REDIRECT_URI=${env(input.redirect_uri)}`,
    `OAUTH_AUDIENCE=${env(input.audience)}`,
  ].join('\n');

/** What the client proves itself with in the body; ASSERTION is to be put in place. */
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
    '# exchange a code (put it in place of CODE)',
    `curl ${sh(input.token_endpoint)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${sh(body)}`,
    '',
    '# refresh (put the token in place of REFRESH_TOKEN)',
    `curl ${sh(input.token_endpoint)} \\`,
    ...fields,
    `  --data-urlencode 'refresh_token=REFRESH_TOKEN'`,
  ].join('\n');
}

/** How the two libraries of one author are told; `privateKey` is the CryptoKey of a registered key. */
function authenticationOf(library: string, { client_secret, signs }: SnippetInput): string {
  if (signs) return `${library}.PrivateKeyJwt(privateKey)`;
  return client_secret === null
    ? `${library}.None()`
    : `${library}.ClientSecretPost(${js(client_secret)})`;
}

/** Plain HTTP has to be allowed on purpose; over HTTPS there is nothing to allow. */
const isPlain = ({ issuer }: SnippetInput): boolean => issuer.startsWith('http:');

const openidClient = (input: SnippetInput) => `import * as client from 'openid-client'

const config = await client.discovery(
  new URL(${js(input.issuer)}),
  ${js(input.client_id)},
  undefined,
  ${authenticationOf('client', input)},
  { algorithm: 'oauth2'${isPlain(input) ? ', execute: [client.allowInsecureRequests]' : ''} },
)

// callbackUrl: where the browser came back to, with code and state
const tokens = await client.authorizationCodeGrant(
  config,
  new URL(callbackUrl),
  { expectedState: state },
  { audience: ${js(input.audience)} },
)

const fresh = await client.refreshTokenGrant(config, tokens.refresh_token)`;

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

// callbackUrl: where the browser came back to, with code and state
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

const simpleOauth2 = (input: SnippetInput) =>
  input.signs
    ? '// simple-oauth2 cannot sign assertions: give the client a secret, or use another library.'
    : `import { AuthorizationCode } from 'simple-oauth2'

const client = new AuthorizationCode({
  client: { id: ${js(input.client_id)}, secret: ${js(input.client_secret ?? '')} },
  auth: {
    tokenHost: ${js(new URL(input.token_endpoint).origin)},
    tokenPath: ${js(new URL(input.token_endpoint).pathname)},
  },
  options: { authorizationMethod: 'body', bodyFormat: 'json' },
})

const tokens = await client.getToken({
  code,
  redirect_uri: ${js(input.redirect_uri)},
  audience: ${js(input.audience)},
})

const fresh = await tokens.refresh()`;

export const SNIPPETS: readonly [Snippet, ...Snippet[]] = [
  {
    id: 'env',
    name: 'Env',
    about: 'Environment variables, as an .env file or a shell reads them.',
    text: envVars,
  },
  {
    id: 'curl',
    name: 'curl',
    about: 'Both grants as the specification documents them.',
    text: curl,
  },
  {
    id: 'openid-client',
    name: 'openid-client',
    about: 'Node; version 6. Sends the code exchange as a form.',
    text: openidClient,
  },
  {
    id: 'oauth4webapi',
    name: 'oauth4webapi',
    about: 'Node, browsers and workers; version 3. Sends the code exchange as a form.',
    text: oauth4webapi,
  },
  {
    id: 'simple-oauth2',
    name: 'simple-oauth2',
    about: 'Node; version 5. Sends the code exchange as JSON, the refresh too.',
    text: simpleOauth2,
  },
];
