// The public documents of a provider: its metadata, and the JWK Set that this names.

import { baseOf, namesIssuer } from '../../core/model/issuer-identifier.ts';
import { isJsonObject } from '../../core/records/json-object.ts';
import type { JsonObject } from '../../oauth/json-object.ts';
import { checkedUrl, getJson } from './get-json.ts';
import { ProviderError } from './provider-error.ts';
import type { Connecting } from './request.ts';

export interface ProviderDocuments {
  /** As the metadata has it. */
  readonly issuer: string;
  readonly metadata: JsonObject;
  /** Of its JWK Set; empty where it names none. */
  readonly keys: readonly JsonObject[];
}

export interface ReadOptions extends Connecting {
  /** Whether a JWK Set on another host may be fetched: the person who runs it is asked. */
  readonly confirmHost: (host: string) => Promise<boolean>;
}

/** The OpenID document first (OpenID Connect Discovery 4), then that of RFC 8414 3.1. */
function metadataUrls(issuer: URL): readonly URL[] {
  const path = baseOf(issuer.pathname);
  return [
    new URL(`${issuer.origin}${path}/.well-known/openid-configuration`),
    new URL(`${issuer.origin}/.well-known/oauth-authorization-server${path}`),
  ];
}

/** The first document that is there. Only that it is missing leads to the next one. */
async function readMetadata(issuer: URL, options: Connecting) {
  const [openid, oauth] = metadataUrls(issuer) as [URL, URL];
  try {
    return { url: openid, metadata: await getJson(openid, options) };
  } catch (error) {
    if (!(error instanceof ProviderError && error.status === 404)) throw error;
    return { url: oauth, metadata: await getJson(oauth, options) };
  }
}

/** RFC 8414 3.3: metadata of another issuer is not that of this one. */
function checkIssuer(issuer: URL, url: URL, metadata: JsonObject): string {
  const { issuer: named } = metadata;
  if (typeof named !== 'string') throw new ProviderError(url.href, 'has no issuer');
  // A URL has a path, at least a slash, whether it was typed or not.
  if (namesIssuer(named, issuer.href)) return named;
  const shown = named.slice(0, 200);
  throw new ProviderError(url.href, `has another issuer, ${shown}; use that one instead`);
}

/** Of a JWK Set. @throws ProviderError */
export function keysOf(url: URL, { keys }: JsonObject): readonly JsonObject[] {
  if (!Array.isArray(keys)) throw new ProviderError(url.href, 'has no keys (RFC 7517 5)');
  return keys.filter(isJsonObject);
}

async function readKeys(
  issuer: URL,
  metadata: JsonObject,
  options: ReadOptions,
): Promise<readonly JsonObject[]> {
  const { jwks_uri } = metadata;
  if (jwks_uri === undefined) return [];
  if (typeof jwks_uri !== 'string') {
    throw new ProviderError(issuer.href, 'names a jwks_uri that is not a string');
  }
  const url = checkedUrl(jwks_uri);
  if (url.host !== issuer.host && !(await options.confirmHost(url.host))) {
    const flag = `allow it with --allow-jwks-host ${url.host}`;
    throw new ProviderError(url.href, 'is on another host than the issuer', { flag });
  }
  return keysOf(url, await getJson(url, options));
}

/** The metadata of an issuer, without its keys. @throws ProviderError naming the URL and the rule */
export async function readIssuer(
  text: string,
  options: Connecting,
): Promise<Pick<ProviderDocuments, 'issuer' | 'metadata'>> {
  const given = checkedUrl(text);
  if (given.search !== '' || given.hash !== '') {
    throw new ProviderError(
      text,
      'must not have a query or a fragment: it is an issuer identifier',
    );
  }
  const { url, metadata } = await readMetadata(given, options);
  return { issuer: checkIssuer(given, url, metadata), metadata };
}

/** @throws ProviderError naming the URL and the rule */
export async function readProvider(text: string, options: ReadOptions): Promise<ProviderDocuments> {
  const { issuer, metadata } = await readIssuer(text, options);
  return { issuer, metadata, keys: await readKeys(checkedUrl(issuer), metadata, options) };
}
