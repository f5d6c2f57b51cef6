// Whose address a request is counted under (behaviour 5): the socket's, or what a trusted proxy says.

import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/** The address as counted: IPv4-mapped IPv6 is IPv4, every loopback address is 127.0.0.1. */
export function canonicalIp(address: string): string {
  if (address === '127.0.0.1') return address;
  const ip = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  return ip === '::1' || ip.startsWith('127.') ? '127.0.0.1' : ip;
}

/** An address as proxies write it: with a port or without, IPv6 in brackets or not. null: none. */
function parseForwarded(entry: string): string | null {
  const bare = entry.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  if (isIPv4(bare)) return bare;
  // One spelling for each address, as sockets have it: it must not count twice.
  return isIPv6(bare) ? new SocketAddress({ address: bare, family: 'ipv6' }).address : null;
}

/** The last entry is the trusted proxy's own; those before it can be made up by anyone. */
function forwardedIp(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const entries = String(header)
    .split(',')
    .map((entry) => entry.trim());
  return parseForwarded(entries.findLast((entry) => entry !== '') ?? '');
}

/** @param trustProxy whether the last `X-Forwarded-For` entry is believed, if it is an address */
export function clientIp(
  request: Pick<IncomingMessage, 'headers'> & {
    readonly socket: { readonly remoteAddress?: string | undefined };
  },
  trustProxy: boolean,
): string {
  const forwarded = trustProxy ? forwardedIp(request.headers['x-forwarded-for']) : null;
  return canonicalIp(forwarded ?? request.socket.remoteAddress ?? 'unknown');
}
