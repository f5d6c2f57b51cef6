// A request in progress: its exchange number, its time on both clocks, and its sender. It becomes the captured
// exchange once it is answered.

import type { IncomingMessage } from 'node:http';
import type { TokenService } from '../core/service.ts';
import { createEvaluation, type Evaluation } from '../core/checks/trace.ts';
import type { CapturedExchange, Capture } from './capture.ts';
import { canonicalIp, clientIp, capturedHeaders, senderOf } from './sender.ts';

/** An unfinished exchange, without the members of the response. */
export type PendingExchange = {
  -readonly [Member in keyof CapturedExchange]: CapturedExchange[Member];
};

/** The service, the capture, and the stopwatch (monotonic machine time in ms). */
export interface CaptureContext {
  readonly service: TokenService;
  readonly capture: Capture;
  readonly stopwatch: () => number;
  /**
   * The states of sign-ins that end at a callback of the control API; they tell who sent the request (behaviour
   * 13.1).
   */
  readonly ownStates: ReadonlySet<string>;
}

const NO_BYTES = Buffer.alloc(0);
const NO_HEADERS: readonly string[] = [];

/** Opens an exchange for a request, or for bytes that are not an HTTP request. */
export function createPendingExchange(
  request: IncomingMessage | null,
  remote: string | undefined,
  {
    service,
    capture,
    stopwatch,
    ownStates,
  }: Omit<CaptureContext, 'capture'> & { readonly capture: Pick<Capture, 'nextNumber'> },
): PendingExchange {
  const { clock } = service.ports;
  const ip =
    request === null
      ? canonicalIp(remote ?? 'unknown')
      : clientIp(request, service.settings().throttle.trust_proxy);
  return {
    number: capture.nextNumber(),
    endpoint: null,
    at: clock.now(),
    clock_frozen: clock.isFrozen(),
    clock_offset: clock.offset(),
    started: stopwatch(),
    duration_ms: 0,
    method: request?.method ?? '-',
    target: request?.url ?? '-',
    http_version: request?.httpVersion ?? '1.1',
    ip,
    sent_by: request === null ? 'app' : senderOf(request, ip, ownStates),
    request_headers: request === null ? NO_HEADERS : capturedHeaders(request),
    request_body: NO_BYTES,
    request_bytes: 0,
    status: 0,
    response_headers: NO_HEADERS,
    response_body: '',
    error: null,
    evaluation: null,
    claimed: null,
    retry_of: null,
    login: null,
    fault: null,
    held: null,
  };
}

export function evaluationOf(pending: PendingExchange): Evaluation {
  pending.evaluation ??= createEvaluation(pending.number, pending.sent_by);
  return pending.evaluation;
}
