// Where a service with a shape is: its issuer identifier, and the addresses of its endpoints.

import { baseOf } from '../model/issuer-identifier.ts';
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from '../records/endpoints.ts';
import type { ResolvedShape } from './shape.ts';

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
