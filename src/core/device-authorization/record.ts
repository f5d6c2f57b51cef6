// One device authorization (RFC 8628 3.2): what was asked for, how often its device has polled, and what
// the person decided. Times are milliseconds of the sandbox clock.

import { textBytes } from '../collections/weight.ts';
import type { DECIDED_ON, DEVICE_STATES } from '../records/enumerations.ts';

export type DeviceState = (typeof DEVICE_STATES)[number];

export interface DeviceDecision {
  readonly at: number;
  readonly on: (typeof DECIDED_ON)[number];
  /** Number of the exchange that brought it; null over control. */
  readonly exchange: number | null;
}

/** What was granted, and by whom. */
export interface DeviceApproval {
  readonly sub: string;
  /** Joined by spaces. */
  readonly scope: string;
  readonly auth_time: number;
}

export interface DeviceAuthorization {
  readonly device_code: string;
  /** As it is shown: grouped. */
  readonly user_code: string;
  readonly client_id: string;
  readonly audience: string;
  /** As it was sent. */
  readonly asked_scope: string;
  /** What of it can be granted, joined by spaces. */
  readonly scope: string;
  readonly issued_at: number;
  /** Earlier than at first when it was expired over control. */
  expires_at: number;
  /** Number of the exchange that it was asked for in; null over control. */
  readonly issued_by: number | null;
  /** What was decided; expiry is not written down, @see deviceState */
  state: DeviceState;
  /** Seconds between two polls; each one that came too soon adds five. */
  interval: number;
  /** Polls so far, and when the last one came; null before the first. */
  polls: number;
  polled_at: number | null;
  decision: DeviceDecision | null;
  /** null unless it was approved. */
  approval: DeviceApproval | null;
  /** When its code was redeemed, and in which exchange. */
  redeemed: { readonly at: number; readonly exchange: number } | null;
}

/** The state it is in now. What was denied or redeemed stays so; the rest expires. */
export function deviceState({ state, expires_at }: DeviceAuthorization, now: number): DeviceState {
  const open = state === 'pending' || state === 'approved';
  return open && expires_at <= now ? 'expired' : state;
}

/** A record with its places in two maps, a decision and an approval, as measured. */
const DEVICE_BYTES = 900;

/** The same from beginning to end: an approval grants at most what was asked for. */
export function deviceBytes({ client_id, audience, asked_scope, scope }: DeviceAuthorization) {
  return [client_id, audience, asked_scope, scope, scope].reduce(
    (bytes, text) => bytes + textBytes(text),
    DEVICE_BYTES,
  );
}
