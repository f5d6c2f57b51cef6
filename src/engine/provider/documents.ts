// Reads the public documents of a provider: its metadata, and the JWK Set that the metadata names.

import { baseOf, ENDPOINTS, type EndpointName } from '../../core/records/endpoints.ts';
import { publicPart } from '../../core/client-authentication/client-keys.ts';
import { namesIssuer } from '../../core/shape/address.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { ProviderError } from './provider-error.ts';
import {
  bodyOf,
  type Connecting,
  MAX_ANSWER_BYTES,
  requestOf,
  tooLong,
} from './provider-request.ts';
import { isLoopback } from './addresses.ts';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FetchDocument } from '../../core/model/ports.ts';
import { parseJsonText } from '../../core/records/json-text.ts';

export interface ProviderDocuments {
  /** The issuer as in the metadata. */
  readonly issuer: string;
  readonly metadata: JsonObject;
  /** The keys of its JWK Set; empty if it names none. */
  readonly keys: readonly JsonObject[];
}

export interface ReadOptions extends Connecting {
  /** Asks the user whether a JWK Set on another host may be requested. */
  readonly confirmHost: (host: string) => Promise<boolean>;
}

/** Returns the URL of a metadata document: OpenID Connect Discovery 4 puts its name last, RFC 8414 3.1 first. */
export function wellKnown(issuer: URL, name: EndpointName): URL {
  const path = baseOf(issuer.pathname);
  const document = ENDPOINTS[name].path;
  const isLast = name === 'openid_configuration';
  return new URL(`${issuer.origin}${isLast ? path + document : document + path}`);
}

/** Returns the OpenID document, or else that of RFC 8414. Only a missing document leads to the other one. */
async function readMetadata(issuer: URL, options: Connecting) {
  const openid = wellKnown(issuer, 'openid_configuration');
  try {
    return { url: openid, metadata: await getJson(openid, options) };
  } catch (error) {
    if (!(error instanceof ProviderError && error.status === 404)) throw error;
    const oauth = wellKnown(issuer, 'oauth_authorization_server');
    return { url: oauth, metadata: await getJson(oauth, options) };
  }
}

/** RFC 8414 3.3: the issuer in the metadata must be this one. */
function checkIssuer(issuer: URL, url: URL, metadata: JsonObject): string {
  const { issuer: named } = metadata;
  if (typeof named !== 'string') throw new ProviderError(url.href, 'has no issuer');
  // A URL always has a path, at least a slash.
  if (namesIssuer(named, issuer.href)) return named;
  const shown = named.slice(0, 200);
  throw new ProviderError(url.href, `has another issuer, ${shown}; use that issuer instead`);
}

/** Returns the keys of a JWK Set. @throws ProviderError */
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

/** Reads the metadata of an issuer, without its keys. @throws ProviderError naming the URL and the rule */
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

const TIMEOUT_MS = 10_000;
const MOST_KEYS = 100;

/** @throws ProviderError if the text is not a URL of this machine */
function loopbackUrl(text: string): URL {
  const url = checkedUrl(text);
  if (isLoopback(url)) return url;
  throw new ProviderError(text, 'is not on this machine: use localhost, 127.0.0.1 or [::1]');
}

/** @throws ProviderError if the text is not a URL of an app on this machine */
export function appUrl(text: string, ownPorts: readonly number[]): URL {
  const url = loopbackUrl(text);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (ownPorts.includes(port)) throw new ProviderError(text, 'is on a port of this sandbox');
  return url;
}

/** @throws ProviderError naming the URL and the rule, or the reason of `cancelled` */
export async function readLoopbackKeys(
  text: string,
  cancelled: AbortSignal,
): Promise<readonly JsonObject[]> {
  const url = loopbackUrl(text);
  const keys = keysOf(url, await getJson(url, { named: [], timeout_ms: TIMEOUT_MS, cancelled }));
  if (keys.length > MOST_KEYS) {
    throw new ProviderError(url.href, `has ${keys.length} keys, more than ${MOST_KEYS}`);
  }
  return keys.filter(({ kty }) => kty !== 'oct').map(publicPart);
}

/** Documents for core that are read at once. */
const MOST_READ = 8;

/** A response counts as current for a day at most, and without headers for a minute. */
const LONGEST_FRESH_S = 86_400;
const FRESH_S = 60;

/** Returns how long a response may be used without another request, in ms (RFC 9111 4.2.1). */
function freshnessOf({ 'cache-control': control = '', age = '0' }: IncomingHttpHeaders): number {
  if (/\bno-(store|cache)\b/i.test(control)) return 0;
  const [, given] = /\bmax-age=(\d{1,9})\b/i.exec(control) ?? [];
  const seconds = given === undefined ? FRESH_S : Number(given) - Number(age);
  return Math.max(0, Math.min(seconds || 0, LONGEST_FRESH_S)) * 1000;
}

/**
 * Returns the port of core that fetches public documents of apps on this machine.
 * @param ownPorts the ports of this process, which are never requested
 */
export function createDocumentFetcher(ownPorts: () => readonly number[]): FetchDocument {
  let reading = 0;
  return async (text, { most_bytes, timeout_ms }) => {
    if (reading >= MOST_READ)
      return { problem: `${text} was not read: ${MOST_READ} others are being read.` };
    reading += 1;
    try {
      const url = appUrl(text, ownPorts());
      const { value, headers } = await getDocument(url, { named: [], timeout_ms, most_bytes });
      return { value, fresh_ms: freshnessOf(headers) };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return { problem: error.plain };
    } finally {
      reading -= 1;
    }
  };
}

/** @throws ProviderError if the text is not a URL of a provider */
export function checkedUrl(text: string): URL {
  if (!URL.canParse(text)) throw new ProviderError(text, 'is not a URL');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new ProviderError(
      `${url.protocol}//${url.host}`,
      'must not have a user name or password',
    );
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    throw new ProviderError(text, 'must begin with https://, or http:// and a loopback address');
  }
  return url;
}

/** Rejects an unexpected response without reading its body. */
function checkHead(url: URL, { statusCode = 0, headers }: IncomingMessage, most: number): void {
  const { location, 'content-length': length, 'content-encoding': encoding = 'identity' } = headers;
  if (statusCode >= 300 && statusCode < 400) {
    const to = location === undefined ? '' : ` to ${location.slice(0, 200)}`;
    throw new ProviderError(url.href, `redirects${to}; redirects are not followed`);
  }
  if (statusCode !== 200) {
    const rule = `responds with status ${statusCode}, not 200`;
    throw new ProviderError(url.href, rule, { status: statusCode });
  }
  if (/\bhtml\b/i.test(headers['content-type'] ?? '')) {
    throw new ProviderError(url.href, 'responds with HTML, not JSON');
  }
  if (encoding !== 'identity') {
    throw new ProviderError(url.href, 'responds with compressed data that was not asked for');
  }
  if (Number(length ?? 0) > most) throw tooLong(url, most);
}

async function readText(url: URL, response: IncomingMessage, most: number): Promise<string> {
  checkHead(url, response, most);
  const bytes = await bodyOf(url, response, most);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ProviderError(url.href, 'responds with text that is not UTF-8', { cause });
  }
}

/** Returns the JSON object at a URL. @throws ProviderError naming the URL and the rule */
const getJson = async (url: URL, connecting: Connecting): Promise<JsonObject> =>
  (await getDocument(url, connecting)).value;

async function getDocument(url: URL, connecting: Connecting) {
  const { most_bytes = MAX_ANSWER_BYTES } = connecting;
  const outgoing = { method: 'GET', headers: { Accept: 'application/json' } };
  const { text, headers } = await requestOf(url, outgoing, connecting, async (response) => ({
    text: await readText(url, response, most_bytes),
    headers: response.headers,
  }));
  if (text.trimStart().startsWith('<')) {
    throw new ProviderError(url.href, 'responds with HTML, not JSON');
  }
  const parsed = parseJsonText(text);
  if ('problems' in parsed) {
    const { path = '', message = '' } = parsed.problems[0] ?? {};
    throw new ProviderError(
      url.href,
      `responds with text of which ${path || 'the whole'} ${message}`,
    );
  }
  if (isJsonObject(parsed.value)) return { value: parsed.value, headers };
  throw new ProviderError(url.href, 'responds with JSON that is not an object');
}
