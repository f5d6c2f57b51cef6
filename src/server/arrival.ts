// One request as it arrived: its number, its moment on both clocks, and who sent it.

import type { IncomingMessage } from 'node:http';
import type { TokenService } from '../core/service.ts';
import type { Judgement } from '../core/trace.ts';
import { createJudgement } from '../core/trace.ts';
import type { Capture } from './capture.ts';

export interface Arrival {
  readonly number: number;
  readonly at: number;
  readonly clock_frozen: boolean;
  readonly clock_offset: number;
  /** Stopwatch reading, in ms. */
  readonly started: number;
  readonly method: string;
  readonly target: string;
  readonly http_version: string;
  readonly headers: IncomingMessage['headers'];
  readonly raw_headers: readonly string[];
  readonly ip: string;
  body: Buffer;
  /** Bytes that came; more than `body` holds when it was too large. */
  body_bytes: number;
  judgement: Judgement | null;
}

/** The address as counted: IPv4-mapped IPv6 is IPv4, every loopback address is 127.0.0.1. */
export function canonicalIp(address: string): string {
  const ip = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  return ip === '::1' || ip.startsWith('127.') ? '127.0.0.1' : ip;
}

function clientIp(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined;
  const last = String(forwarded ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  return canonicalIp(last || (request.socket.remoteAddress ?? 'unknown'));
}

const NO_BYTES = Buffer.alloc(0);

/** The two clocks, where numbers come from, and what the settings say about addresses. */
export interface Reception {
  readonly service: TokenService;
  readonly capture: Capture;
  /** Monotonic machine time in ms. */
  readonly stopwatch: () => number;
}

function arrive({ service, capture, stopwatch }: Reception, sent: Sent): Arrival {
  const { clock } = service.ports;
  return {
    number: capture.nextNumber(),
    at: clock.now(),
    clock_frozen: clock.isFrozen(),
    clock_offset: clock.offset(),
    started: stopwatch(),
    ...sent,
    body: NO_BYTES,
    body_bytes: 0,
    judgement: null,
  };
}

type Sent = Pick<
  Arrival,
  'method' | 'target' | 'http_version' | 'headers' | 'raw_headers' | 'ip'
>;

export function createArrival(request: IncomingMessage, reception: Reception): Arrival {
  return arrive(reception, {
    method: request.method ?? '',
    target: request.url ?? '/',
    http_version: request.httpVersion,
    headers: request.headers,
    raw_headers: request.rawHeaders,
    ip: clientIp(request, reception.service.settings().throttle.trust_proxy),
  });
}

/** What came over a connection that is no request: malformed HTTP, or headers beyond all bounds. */
export function createBrokenArrival(remote: string | undefined, reception: Reception): Arrival {
  return arrive(reception, {
    method: '-',
    target: '-',
    http_version: '1.1',
    headers: {},
    raw_headers: [],
    ip: canonicalIp(remote ?? 'unknown'),
  });
}

/** The arrival's judgement, opened on first use. */
export function judgementOf(arrival: Arrival): Judgement {
  arrival.judgement ??= createJudgement(arrival.number);
  return arrival.judgement;
}
