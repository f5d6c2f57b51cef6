// What the settings of a client library are made of: a registered client, and the sandbox's addresses.

import type { Client, ServerState } from '../../control/schemas.ts';

/** Where the app receives codes, as far as the client says. */
export const redirectUriOf = ({ redirect_uris }: Client): string =>
  redirect_uris[0] ?? 'http://localhost:3000/callback';

/** What the settings are made of for this client; an example stands in for what it has not registered. */
export function inputOf(
  client: Client,
  { issuer, endpoints }: Pick<ServerState, 'issuer' | 'endpoints'>,
  redirect_uri = redirectUriOf(client),
): SnippetInput {
  const home = `${originOf(redirect_uri)}/`;
  return {
    issuer,
    endpoints,
    client_id: client.client_id,
    client_secret: client.client_secret,
    signs: client.token_endpoint_auth_method === 'private_key_jwt',
    redirect_uri,
    post_logout_redirect_uri: client.post_logout_redirect_uris[0] ?? home,
    audience: client.default_audience ?? issuer,
  };
}

export interface SnippetInput {
  readonly issuer: string;
  readonly endpoints: ServerState['endpoints'];
  readonly client_id: string;
  /** null for a public client, and for one that signs assertions. */
  readonly client_secret: string | null;
  /** Whether the client authenticates with assertions (private_key_jwt). */
  readonly signs: boolean;
  readonly redirect_uri: string;
  readonly post_logout_redirect_uri: string;
  readonly audience: string;
}

export interface Snippet {
  readonly id: string;
  readonly name: string;
  /** Heading under which it is listed. */
  readonly group: string;
  readonly about: string;
  /** Whether the library relies on what only the profile `interop` accepts: no audience, or HTTP Basic. */
  readonly interop: boolean;
  /** The redirect URI that the library uses whatever the client has registered; absent where it is set. */
  readonly redirects_to?: (input: SnippetInput) => string;
  /** Why the library cannot be used with this client and issuer, and what to change; null when it can. */
  readonly unfit?: (input: SnippetInput) => string | null;
  readonly text: (input: SnippetInput) => string;
}

/** A redirect URI with a scheme of an app has no origin; an example stands in. */
export function originOf(uri: string): string {
  const { origin } = new URL(uri);
  return origin === 'null' ? 'http://localhost:3000' : origin;
}

export const pathOf = (uri: string): string => new URL(uri).pathname;
export const isPlain = ({ issuer }: SnippetInput): boolean => issuer.startsWith('http:');

/** Of a library that can only send a client_secret. */
export const needsSecret = (name: string) => (input: SnippetInput) => {
  if (input.signs) return `${name} cannot sign assertions: give the client a secret.`;
  return input.client_secret === null
    ? `${name} is set up here for a client with a secret; this client is public.`
    : null;
};

/** Of a library that runs in a page, where no secret can be kept. */
export const needsPublic = (name: string) => (input: SnippetInput) =>
  input.signs || input.client_secret !== null
    ? `${name} runs in the browser, which keeps no secret: use a client with the authentication method none.`
    : null;

/** The first reason that applies. */
export const anyOf =
  (...reasons: readonly NonNullable<Snippet['unfit']>[]) =>
  (input: SnippetInput): string | null =>
    reasons.map((reason) => reason(input)).find((reason) => reason !== null) ?? null;

/** Of a library that refuses plain http, also on this machine. */
export const needsHttps = (name: string) => (input: SnippetInput) =>
  isPlain(input) ? `${name} accepts https only: start Grantbench with --https.` : null;
