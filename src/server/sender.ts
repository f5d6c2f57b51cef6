// Who sent a request (behaviour 13). Grantbench names itself in a header of what it sends; the header
// grants nothing, is believed from this machine alone, and is not captured. Everything else is the app's.

import type { IncomingMessage } from 'node:http';
import type { Sender } from '../core/records/schemas.ts';
import { SENDER_HEADER, SENDERS } from '../core/records/enumerations.ts';
import { canonicalIp } from './client-address.ts';

/** The addresses of a request: both ends of its socket, and the one that throttling counts. */
export interface Addresses {
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
