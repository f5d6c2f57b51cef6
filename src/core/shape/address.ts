// Where a service is: its issuer identifier, which may end with a slash, and the addresses of its endpoints.

import { ENDPOINT_NAMES, type EndpointName, ENDPOINTS } from '../records/endpoints.ts';
import type { ResolvedShape } from './resolve.ts';

/**
 * The issuer without its trailing slash: endpoints and well-known paths are below it (RFC 8414 3.1, OpenID
 * Connect Discovery 4.1).
 */
export const baseOf = (issuer: string): string =>
  issuer.endsWith('/') ? issuer.slice(0, -1) : issuer;

/** Whether a URI names the issuer, with or without the trailing slash. */
export const namesIssuer = (uri: string, issuer: string): boolean => baseOf(uri) === baseOf(issuer);

/** An issuer's own path, without trailing slash: mostly none. */
export function pathOfIssuer(issuer: string): string {
  const slash = issuer.indexOf('/', issuer.indexOf('://') + 3);
  return slash < 0 ? '' : issuer.slice(slash).replace(/\/$/, '');
}

/**
 * Below which the endpoints are: the issuer, unless the shape decides about the issuer's path.
 * @param given the issuer that is set; null for the address of the server
 */
export function endpointBase(
  given: string | null,
  server: string,
  shape: ResolvedShape | null,
): string {
  if (given === null) return server;
  const path = shape === null || shape.issuer_path === '' ? '' : pathOfIssuer(given);
  const base = baseOf(given);
  return path === '' ? base : base.slice(0, -path.length);
}

/** The issuer identifier: a path that is set goes before the shape's. */
export function issuerOf(
  given: string | null,
  server: string,
  shape: ResolvedShape | null,
): string {
  const path = shape?.issuer_path ?? '';
  if (path === '' || (given !== null && pathOfIssuer(given) !== '')) return given ?? server;
  return `${baseOf(given ?? server)}${path}`;
}

/** The address that the metadata names; null where the provider has no such endpoint. */
export function addressOf(
  name: EndpointName,
  base: string,
  shape: ResolvedShape | null,
): string | null {
  const own = shape?.named.get(name);
  if (own === null) return null;
  return `${base}${own ?? ENDPOINTS[name].path}`;
}

/** Where each endpoint is; one that the provider does not have is at the path that it always has here. */
export function allAddresses(
  base: string,
  shape: ResolvedShape | null,
): Readonly<Record<EndpointName, string>> {
  const addresses = ENDPOINT_NAMES.map((name) => [
    name,
    addressOf(name, base, shape) ?? `${base}${ENDPOINTS[name].path}`,
  ]);
  return Object.fromEntries(addresses) as Record<EndpointName, string>;
}
