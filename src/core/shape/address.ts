// The addresses of the service: its issuer identifier, which may end with a slash, and its endpoints.

import { baseOf, ENDPOINT_NAMES, type EndpointName, ENDPOINTS } from '../records/endpoints.ts';
import type { ResolvedShape } from './resolve.ts';

/** Whether a URI is the issuer identifier, with or without the trailing slash. */
export const namesIssuer = (uri: string, issuer: string): boolean => baseOf(uri) === baseOf(issuer);

/** Returns the path of the issuer without a trailing slash; usually empty. */
export function pathOfIssuer(issuer: string): string {
  const slash = issuer.indexOf('/', issuer.indexOf('://') + 3);
  return slash < 0 ? '' : issuer.slice(slash).replace(/\/$/, '');
}

/**
 * Returns the URL below which the endpoints are: the issuer, or its origin if the shape decides its path.
 * @param given the issuer in the settings; null for the address of the server
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

/** Returns the issuer identifier. A path in the settings takes precedence over that of the shape. */
export function issuerOf(
  given: string | null,
  server: string,
  shape: ResolvedShape | null,
): string {
  const path = shape?.issuer_path ?? '';
  if (path === '' || (given !== null && pathOfIssuer(given) !== '')) return given ?? server;
  return `${baseOf(given ?? server)}${path}`;
}

/** Returns the address in the metadata; null if the provider does not have the endpoint. */
export function addressOf(
  name: EndpointName,
  base: string,
  shape: ResolvedShape | null,
): string | null {
  const own = shape?.named.get(name);
  if (own === null) return null;
  return `${base}${own ?? ENDPOINTS[name].path}`;
}

/** Returns the address of each endpoint. An endpoint that the provider does not have is at its usual path. */
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
