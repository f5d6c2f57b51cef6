// Settings without a library: an env file and two curl commands.

import { sh } from '../snippets/literals.ts';
import type { Snippet, SnippetInput } from './snippet.ts';

/** A value in an env file, quoted only if necessary. */
const env = (text: string) =>
  /^[\w./:@-]*$/.test(text) ? text : `"${text.replace(/["\\$`]/g, '\\$&')}"`;

const envVars = (input: SnippetInput) =>
  [
    `OAUTH_ISSUER=${env(input.issuer)}`,
    `OAUTH_AUTHORIZE_URL=${env(input.endpoints.authorization)}`,
    `OAUTH_TOKEN_URL=${env(input.endpoints.token)}`,
    `OAUTH_JWKS_URL=${env(input.endpoints.jwks)}`,
    `OAUTH_CLIENT_ID=${env(input.client_id)}`,
    ...(input.client_secret === null ? [] : [`OAUTH_CLIENT_SECRET=${env(input.client_secret)}`]),
    `OAUTH_REDIRECT_URI=${env(input.redirect_uri)}`,
    `OAUTH_AUDIENCE=${env(input.audience)}`,
  ].join('\n');

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

export const PLAIN: readonly [Snippet, ...Snippet[]] = [
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
