// Decides to which addresses of a provider connections are allowed: public ones, loopback by its usual names, and
// others only if the user names them.

import { BlockList, isIP, isIPv6 } from 'node:net';
import { ProviderError } from './provider-error.ts';

type Subnet = readonly [network: string, prefix: number];

function listOf(ipv4: readonly Subnet[], ipv6: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ipv4) list.addSubnet(network, prefix, 'ipv4');
  for (const [network, prefix] of ipv6) list.addSubnet(network, prefix, 'ipv6');
  return list;
}

const LOOPBACK = listOf([['127.0.0.0', 8]], [['::1', 128]]);
const LINK_LOCAL = listOf([['169.254.0.0', 16]], [['fe80::', 10]]);

/** Private and special-purpose networks (RFC 6890 2.2.2, RFC 6890 2.2.3). */
const PRIVATE = listOf(
  [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['224.0.0.0', 3],
  ],
  [
    ['::', 128],
    ['64:ff9b::', 96],
    ['64:ff9b:1::', 48],
    ['2002::', 16],
    ['fc00::', 7],
    ['fec0::', 10],
    ['ff00::', 8],
  ],
);

const KINDS = [
  ['loopback', LOOPBACK],
  ['link-local', LINK_LOCAL],
  ['private', PRIVATE],
] as const;

type AddressKind = (typeof KINDS)[number][0] | 'public';

/** IPv4-mapped IPv6 addresses (::ffff:10.0.0.1) have the kind of their IPv4 address. */
export function kindOf(address: string): AddressKind {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  return KINDS.find(([, list]) => list.check(address, family))?.[0] ?? 'public';
}

/** Returns the host of a URL, without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Whether the URL names this machine. */
export function isLoopback(url: URL): boolean {
  const host = hostOf(url);
  return host === 'localhost' || (isIP(host) !== 0 && kindOf(host) === 'loopback');
}

/** @param named addresses that the user allowed @throws ProviderError for a forbidden address */
export function checkAddress(url: URL, address: string, named: readonly string[]): void {
  const kind = kindOf(address);
  if (url.protocol === 'http:' && kind !== 'loopback') {
    throw new ProviderError(
      url.href,
      `resolves to ${address}, but http is only allowed for loopback addresses`,
    );
  }
  if (isLoopback(url) ? kind === 'loopback' : kind === 'public') return;
  if (named.includes(address)) return;
  throw new ProviderError(url.href, `resolves to ${address}, a ${kind} address`, {
    flag: `allow it with --allow-address ${address}`,
    address,
  });
}
