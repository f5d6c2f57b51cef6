// A provider as described by its metadata: its issuer, and the endpoints to which requests may be sent.

import { baseOf, ENDPOINTS, type EndpointName } from '../../core/records/endpoints.ts';
import type { JsonObject } from '../../json.ts';
import { checkedUrl, readIssuer, wellKnown } from './documents.ts';
import { ProviderError } from './provider-error.ts';
import type { Connecting } from './provider-request.ts';

/** Time limit for a document or response, in ms. */
const TIMEOUT_MS = 10_000;

interface ProviderOptions {
  /** Private or link-local addresses to which connections are allowed. */
  readonly named: readonly string[];
  /** Allowed origins of endpoints, besides that of the issuer. */
  readonly origins: readonly string[];
}

export interface KnownProvider {
  readonly issuer: string;
  /** The path of the issuer without a trailing slash; empty for none. */
  readonly base: string;
  /** Returns the URL of an endpoint, or why there is none. */
  readonly endpoint: (name: EndpointName) => URL | string;
  readonly connecting: Connecting;
}

function announced(member: string, metadata: JsonObject, allowed: readonly string[]) {
  const value = metadata[member];
  if (value === undefined) return `the provider announces no ${member}`;
  if (typeof value !== 'string') return `the ${member} of the provider is not a string`;
  try {
    const url = checkedUrl(value);
    if (allowed.includes(url.origin)) return url;
    return `the ${member} is at ${url.origin}; allow it with --allow-origin ${url.origin}`;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return `the ${member} cannot be used: ${error.message}`;
  }
}

/** @throws ProviderError naming the URL and the rule */
export async function readKnownProvider(
  given: string,
  { named, origins }: ProviderOptions,
): Promise<KnownProvider> {
  const connecting = { named, timeout_ms: TIMEOUT_MS };
  const { issuer, metadata } = await readIssuer(given, connecting);
  const url = checkedUrl(issuer);
  const allowed = [url.origin, ...origins];
  return {
    issuer,
    base: baseOf(url.pathname),
    connecting,
    endpoint: (name) => {
      const { member } = ENDPOINTS[name];
      return member === null ? wellKnown(url, name) : announced(member, metadata, allowed);
    },
  };
}
