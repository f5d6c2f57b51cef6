// Determines who sent a request (behaviour 13), and the address that throttling counts (behaviour 5): that of the
// socket, or the one a trusted proxy names. Grantbench names itself in a header of its own requests. The header
// grants nothing, is only trusted from this machine, and is not captured. All other requests are the app's.

import type { IncomingMessage } from 'node:http';
import type { Sender } from '../core/records/schemas.ts';
import { SENDER_HEADER, SENDERS } from '../core/records/enumerations.ts';
import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/** The addresses of a request: both ends of its socket, and the address that throttling counts. */
interface Addresses {
  readonly remote: string | undefined;
  readonly local: string | undefined;
  /** The address of the socket, or the one a trusted proxy names. */
  readonly counted: string;
}

/** A service that listens on one address of this machine gets local requests from that address. */
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
  return SENDERS.find((sender) => sender === named && sender !== 'server') ?? 'app';
}

const STATE = /[?&]state=([\w-]{22})(?:&|$)/;

/** Whether the URI belongs to a sign-in that ends at a callback of the control API. */
export function isOwnSignIn(uri: string | undefined, ownStates: ReadonlySet<string>): boolean {
  if (ownStates.size === 0 || uri === undefined) return false;
  return ownStates.has(STATE.exec(uri)?.[1] ?? '');
}

/** Returns headers as pairs of name and value. @param headers names and values in turn */
export function headerPairs(headers: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    pairs.push([headers[at] ?? '', headers[at + 1] ?? '']);
  }
  return pairs;
}

/** Returns the first value of a header; undefined without it. @param headers names and values in turn */
export function headerIn(headers: readonly string[], wanted: string): string | undefined {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === wanted);
  return at < 0 ? undefined : headers[at + 1];
}

/** The headers to capture, names and values in turn. */
export function capturedHeaders({ headers, rawHeaders }: IncomingMessage): readonly string[] {
  if (headers[SENDER_HEADER] === undefined) return rawHeaders;
  return headerPairs(rawHeaders)
    .filter(([name]) => name.toLowerCase() !== SENDER_HEADER)
    .flat();
}

/** Returns the address as throttling counts it: IPv4-mapped IPv6 becomes IPv4, every loopback address 127.0.0.1. */
export function canonicalIp(address: string): string {
  if (address === '127.0.0.1') return address;
  const ip = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  return ip === '::1' || ip.startsWith('127.') ? '127.0.0.1' : ip;
}

/** Parses an address as proxies write it: with or without a port, IPv6 with or without brackets; null if it is none. */
function parseForwarded(entry: string): string | null {
  const bare = entry.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  if (isIPv4(bare)) return bare;
  // Each address needs one spelling, that of sockets, so that it is not counted twice.
  return isIPv6(bare) ? new SocketAddress({ address: bare, family: 'ipv6' }).address : null;
}

/** Only the last entry is from the trusted proxy; anyone can invent those before it. */
function forwardedIp(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const entries = String(header)
    .split(',')
    .map((entry) => entry.trim());
  return parseForwarded(entries.findLast((entry) => entry !== '') ?? '');
}

/** @param trustProxy whether to use the last `X-Forwarded-For` entry, if it is an address */
export function clientIp(
  request: Pick<IncomingMessage, 'headers'> & {
    readonly socket: { readonly remoteAddress?: string | undefined };
  },
  trustProxy: boolean,
): string {
  const forwarded = trustProxy ? forwardedIp(request.headers['x-forwarded-for']) : null;
  return canonicalIp(forwarded ?? request.socket.remoteAddress ?? 'unknown');
}
