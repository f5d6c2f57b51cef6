// Every device authorization that is kept, by its device code and by its user code, and the only place
// where one changes. What happens to a code happens once: each change says whether it did.

import { textBytes } from '../collections/weight.ts';
import type { DECIDED_ON, DEVICE_STATES } from '../records/enumerations.ts';
import { type Bounds, createBoundedMap } from '../collections/bounded-map.ts';
import type { DomainEvent } from '../model/ports.ts';
import { plainUserCode } from './user-code.ts';

type DeviceState = (typeof DEVICE_STATES)[number];

interface DeviceDecision {
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
function deviceBytes({ client_id, audience, asked_scope, scope }: DeviceAuthorization) {
  return [client_id, audience, asked_scope, scope, scope].reduce(
    (bytes, text) => bytes + textBytes(text),
    DEVICE_BYTES,
  );
}

const MIB = 1024 * 1024;

/** The oldest goes first. */
export const DEVICE_BOUNDS = { entries: 1000, bytes: 1.5 * MIB } as const;

/** What a poll that came too soon adds to the interval, in seconds (RFC 8628 3.5). */
const SLOW_DOWN_SECONDS = 5;

export interface DeviceAuthorizations {
  add(device: DeviceAuthorization): void;
  /** In any state still kept. */
  findByDeviceCode(device_code: string): DeviceAuthorization | undefined;
  /** The same by its user code, whatever its grouping and case. */
  findByUserCode(typed: string): DeviceAuthorization | undefined;
  /** Newest first. */
  list(): DeviceAuthorization[];
  /**
   * Writes down a poll of a pending authorization. Answers the seconds by which it came too soon, 0 when it
   * did not; one that did makes the interval longer.
   */
  poll(device: DeviceAuthorization, now: number): number;
  /** @param approval null to deny. Answers false when it is no longer pending */
  decide(
    device: DeviceAuthorization,
    decision: DeviceDecision,
    approval: DeviceApproval | null,
  ): boolean;
  /** Answers true to exactly one caller. */
  redeem(device: DeviceAuthorization, now: number, exchange: number): boolean;
  /** Ends both codes. Answers false when it is neither pending nor approved. */
  expire(device: DeviceAuthorization, now: number): boolean;
  /** Writes down what has expired, so that a clock set back brings none to life. */
  expireAll(now: number): void;
  forgetClients(client_ids: ReadonlySet<string>): void;
  clear(): void;
  readonly size: number;
  readonly bytes: number;
}

/** The seconds, counted up, that were missing to a whole interval since the last poll. */
function secondsTooSoon({ polled_at, interval }: DeviceAuthorization, now: number): number {
  // A clock that was set back says nothing about how long the device waited.
  if (polled_at === null || now < polled_at) return 0;
  return Math.max(0, Math.ceil((polled_at + interval * 1000 - now) / 1000));
}

export function createDeviceAuthorizations(
  emit: (event: DomainEvent) => void,
  bounds: Bounds = DEVICE_BOUNDS,
): DeviceAuthorizations {
  const byUserCode = new Map<string, DeviceAuthorization>();
  const forget = (device: DeviceAuthorization) => {
    byUserCode.delete(plainUserCode(device.user_code));
  };
  const devices = createBoundedMap<string, DeviceAuthorization>(bounds, deviceBytes, forget);
  const changed = () => {
    emit({ type: 'devices' });
  };

  return {
    add: (device) => {
      byUserCode.set(plainUserCode(device.user_code), device);
      devices.set(device.device_code, device);
      changed();
    },
    findByDeviceCode: devices.get,
    findByUserCode: (typed) => byUserCode.get(plainUserCode(typed)),
    list: () => [...devices.values()].reverse(),
    poll: (device, now) => {
      const seconds = secondsTooSoon(device, now);
      if (seconds > 0) device.interval += SLOW_DOWN_SECONDS;
      device.polls += 1;
      device.polled_at = now;
      changed();
      return seconds;
    },
    decide: (device, decision, approval) => {
      if (deviceState(device, decision.at) !== 'pending') return false;
      device.state = approval === null ? 'denied' : 'approved';
      device.decision = decision;
      device.approval = approval;
      changed();
      return true;
    },
    redeem: (device, now, exchange) => {
      if (deviceState(device, now) !== 'approved') return false;
      device.state = 'redeemed';
      device.redeemed = { at: now, exchange };
      changed();
      return true;
    },
    expire: (device, now) => {
      const state = deviceState(device, now);
      if (state !== 'pending' && state !== 'approved') return false;
      device.state = 'expired';
      device.expires_at = now;
      changed();
      return true;
    },
    expireAll: (now) => {
      for (const device of devices.values()) device.state = deviceState(device, now);
    },
    forgetClients: (client_ids) => {
      for (const device of [...devices.values()]) {
        if (!client_ids.has(device.client_id)) continue;
        devices.delete(device.device_code);
        forget(device);
      }
      changed();
    },
    clear: () => {
      devices.clear();
      byUserCode.clear();
    },
    get size() {
      return devices.size;
    },
    get bytes() {
      return devices.bytes;
    },
  };
}
