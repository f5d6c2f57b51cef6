// Who sent a request (behaviour 13), and whose address it is counted under (behaviour 5): the socket's, or what a
// trusted proxy says. Grantbench names itself in a header of what it sends; the header grants nothing, is believed
// from this machine alone, and is not captured. Everything else is the app's.

import type { IncomingMessage } from 'node:http';
import type { Sender } from '../core/records/schemas.ts';
import { SENDER_HEADER, SENDERS } from '../core/records/enumerations.ts';
import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/** The addresses of a request: both ends of its socket, and the one that throttling counts. */
interface Addresses {
  readonly remote: string | undefined;
  readonly local: string | undefined;
  /** That of the socket, or what a trusted proxy says. */
  readonly counted: string;
}

/** A service that listens on one address of this machine is reached from that address. */
export function isThisMachine({ remote, local, counted }: Addresses): boolean {
  if (remote === undefined || counted !== canonicalIp(remote)) return false;
  return counted === '127.0.0.1' || remote === local;
}

/** @param counted the address that throttling counts */
export function senderOf(
  { headers, socket, url }: IncomingMessage,
  counted: string,
  ownStates: ReadonlySet<string>,
): Sender {
  const named = headers[SENDER_HEADER];
  if (named === undefined) return isOwnSignIn(url, ownStates) ? 'workbench' : 'app';
  const { remoteAddress: remote, localAddress: local } = socket;
  if (!isThisMachine({ remote, local, counted })) return 'app';
  return SENDERS.find((sender) => sender === named) ?? 'app';
}

const STATE = /[?&]state=([\w-]{22})(?:&|$)/;

/** Whether it is the request or the redirect of a sign-in that a callback of our own awaits. */
export function isOwnSignIn(uri: string | undefined, ownStates: ReadonlySet<string>): boolean {
  if (ownStates.size === 0 || uri === undefined) return false;
  return ownStates.has(STATE.exec(uri)?.[1] ?? '');
}

/** Where it sends the browser: headers are name, value, name, value. */
export const locationIn = (headers: readonly string[]): string | undefined =>
  headers.find((_, index) => index % 2 === 1 && headers[index - 1] === 'Location');

/** The headers that are captured: name, value, name, value. */
export function capturedHeaders({ headers, rawHeaders }: IncomingMessage): readonly string[] {
  if (headers[SENDER_HEADER] === undefined) return rawHeaders;
  const nameOf = (index: number) => rawHeaders[index - (index % 2)]?.toLowerCase();
  return rawHeaders.filter((_, index) => nameOf(index) !== SENDER_HEADER);
}

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
