// The input of the library settings: a registered client and the sandbox's addresses.

import type { Client, Profile, ServerState, Settings } from '../../control/schemas.ts';
import { enumerated } from '../../words.ts';

/** Where the app receives codes: the client's first redirect URI, or an example if it has none. */
export const redirectUriOf = ({ redirect_uris }: Client): string =>
  redirect_uris[0] ?? 'http://localhost:3000/callback';

/** The input for this client, with examples for what it has not registered. */
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
  /** null for a public client, and for a client that signs assertions. */
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
  /** The heading that lists it. */
  readonly group: string;
  readonly about: string;
  /** Whether only the profile `interop` accepts the library's requests: they lack an audience, or use HTTP Basic. */
  readonly interop: boolean;
  /** The redirect URI that the library always uses; absent if it can be configured. */
  readonly redirects_to?: (input: SnippetInput) => string;
  /** `confidential`: it can only send a client_secret. `public`: it runs in a page, where no secret can be kept. */
  readonly clients?: 'confidential' | 'public';
  /** Whether it rejects plain http even on this machine. */
  readonly https_only?: true;
  readonly text: (input: SnippetInput) => string;
}

/** A redirect URI with a custom scheme has no origin; an example is returned. */
export function originOf(uri: string): string {
  const { origin } = new URL(uri);
  return origin === 'null' ? 'http://localhost:3000' : origin;
}

export const pathOf = (uri: string): string => new URL(uri).pathname;
export const isPlain = ({ issuer }: SnippetInput): boolean => issuer.startsWith('http:');

/** What requests of this client must have that no library's settings configure; null for nothing. */
export function requirementsNote(
  client: Client,
  settings: Pick<Settings, 'require_pushed_authorization_requests'>,
): string | null {
  const pushes =
    client.require_pushed_authorization_requests || settings.require_pushed_authorization_requests;
  const needs = [
    pushes && 'pushed authorization requests (PAR, RFC 9126)',
    client.require_signed_request_object === true &&
      'signed authorization requests (JAR, RFC 9101)',
    client.dpop_bound_access_tokens && 'DPoP proofs (RFC 9449)',
  ].filter((need) => need !== false);
  return needs.length === 0
    ? null
    : `This client must use ${enumerated(needs)}. These settings do not configure that: set it up in the library too, or the requests are rejected.`;
}

/** Why this client needs the interop profile; null if it does not, or has it. @param profile that of the client */
export function needsInterop(
  { dpop_bound_access_tokens }: Client,
  profile: Profile,
  { interop, name }: Snippet,
): string | null {
  if (profile === 'interop') return null;
  if (dpop_bound_access_tokens)
    return `This client must use DPoP, which the ${profile} profile does not support.`;
  return interop
    ? `This client uses the ${profile} profile, which rejects requests from ${name}.`
    : null;
}

/** Why the library cannot be used with this client and issuer, and what to change; null when it can. */
export function incompatibility(
  { name, clients, https_only }: Snippet,
  input: SnippetInput,
): string | null {
  const { signs, client_secret } = input;
  if (clients === 'confidential' && signs)
    return `${name} cannot sign assertions. Give the client a secret.`;
  if (clients === 'confidential' && client_secret === null)
    return `These settings for ${name} need a client secret; this client is public.`;
  if (clients === 'public' && (signs || client_secret !== null))
    return `${name} runs in the browser, which cannot keep a secret. Use a client with the authentication method none.`;
  return https_only === true && isPlain(input)
    ? `${name} accepts https only. Start Grantbench with --https.`
    : null;
}
