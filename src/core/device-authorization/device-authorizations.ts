// All stored device authorizations, by device code and by user code. They are changed only here. Each transition
// happens once, and returns whether it did.

import { textBytes } from '../collections/weight.ts';
import type { DECIDED_ON, DEVICE_STATES } from '../records/enumerations.ts';
import { type Bounds, createBoundedMap } from '../collections/bounded-map.ts';
import type { DomainEvent } from '../model/ports.ts';
import { plainUserCode } from './user-code.ts';

type DeviceState = (typeof DEVICE_STATES)[number];

interface DeviceDecision {
  readonly at: number;
  readonly on: (typeof DECIDED_ON)[number];
  /** Number of the exchange with the decision; null for the control API. */
  readonly exchange: number | null;
}

/** What was granted, by which user. */
export interface DeviceApproval {
  readonly sub: string;
  /** The granted scopes, separated by spaces. */
  readonly scope: string;
  readonly auth_time: number;
}

export interface DeviceAuthorization {
  readonly device_code: string;
  /** The user code in groups, as it is shown. */
  readonly user_code: string;
  readonly client_id: string;
  readonly audience: string;
  /** The requested scope, unchanged. */
  readonly requested_scope: string;
  /** The requested scopes that can be granted, separated by spaces. */
  readonly scope: string;
  readonly issued_at: number;
  /** Moved forward if the control API expires the authorization. */
  expires_at: number;
  /** Number of the exchange that opened it; null for the control API. */
  readonly issued_by: number | null;
  /** The recorded state, which does not include expiry; @see deviceState */
  state: DeviceState;
  /** Seconds between two polls; each poll that comes too soon adds five. */
  interval: number;
  /** The number of polls so far, and when the last one came; null before the first. */
  polls: number;
  polled_at: number | null;
  decision: DeviceDecision | null;
  /** null unless the device was approved. */
  approval: DeviceApproval | null;
  /** When the device code was redeemed, and in which exchange. */
  redeemed: { readonly at: number; readonly exchange: number } | null;
}

/** Returns the current state. Denied and redeemed are final; other states expire. */
export function deviceState({ state, expires_at }: DeviceAuthorization, now: number): DeviceState {
  const open = state === 'pending' || state === 'approved';
  return open && expires_at <= now ? 'expired' : state;
}

/** Measured: a record with its entries in two maps, a decision and an approval. */
const DEVICE_BYTES = 900;

/** The weight does not change, as an approval grants at most what was requested. */
function deviceBytes({ client_id, audience, requested_scope, scope }: DeviceAuthorization) {
  return [client_id, audience, requested_scope, scope, scope].reduce(
    (bytes, text) => bytes + textBytes(text),
    DEVICE_BYTES,
  );
}

const MIB = 1024 * 1024;

/** The oldest authorization is removed first. */
export const DEVICE_BOUNDS = { entries: 1000, bytes: 1.5 * MIB } as const;

/** Seconds that a poll that comes too soon adds to the interval (RFC 8628 3.5). */
const SLOW_DOWN_SECONDS = 5;

export type DeviceAuthorizations = ReturnType<typeof createDeviceAuthorizations>;

/** Returns the seconds, rounded up, by which the poll came before the interval had passed. */
function secondsTooSoon({ polled_at, interval }: DeviceAuthorization, now: number): number {
  // After the clock was set back, it is unknown how long the device waited.
  if (polled_at === null || now < polled_at) return 0;
  return Math.max(0, Math.ceil((polled_at + interval * 1000 - now) / 1000));
}

export function createDeviceAuthorizations(
  emit: (event: DomainEvent) => void,
  bounds: Bounds = DEVICE_BOUNDS,
) {
  const byUserCode = new Map<string, DeviceAuthorization>();
  const forget = (device: DeviceAuthorization) => {
    byUserCode.delete(plainUserCode(device.user_code));
  };
  const devices = createBoundedMap<string, DeviceAuthorization>(bounds, deviceBytes, forget);
  const changed = () => {
    emit({ type: 'devices' });
  };

  return {
    add: (device: DeviceAuthorization) => {
      byUserCode.set(plainUserCode(device.user_code), device);
      devices.set(device.device_code, device);
      changed();
    },
    /** Finds an authorization that is still stored, in any state. */
    findByDeviceCode: devices.get,
    /** The same by user code, regardless of grouping and case. */
    findByUserCode: (typed: string) => byUserCode.get(plainUserCode(typed)),
    /** Newest first. */
    list: () => [...devices.values()].reverse(),
    /**
     * Records a poll of a pending authorization. Returns the seconds by which it came too soon, or 0. A poll that came
     * too soon makes the interval longer.
     */
    poll: (device: DeviceAuthorization, now: number): number => {
      const seconds = secondsTooSoon(device, now);
      if (seconds > 0) device.interval += SLOW_DOWN_SECONDS;
      device.polls += 1;
      device.polled_at = now;
      changed();
      return seconds;
    },
    /**
     * @param approval null to deny
     * @returns false if the authorization is no longer pending
     */
    decide: (
      device: DeviceAuthorization,
      decision: DeviceDecision,
      approval: DeviceApproval | null,
    ) => {
      if (deviceState(device, decision.at) !== 'pending') return false;
      device.state = approval === null ? 'denied' : 'approved';
      device.decision = decision;
      device.approval = approval;
      changed();
      return true;
    },
    /** Marks the device code as redeemed, and returns true to exactly one caller. */
    redeem: (device: DeviceAuthorization, now: number, exchange: number): boolean => {
      if (deviceState(device, now) !== 'approved') return false;
      device.state = 'redeemed';
      device.redeemed = { at: now, exchange };
      changed();
      return true;
    },
    /** Expires both codes. Returns false if the authorization is neither pending nor approved. */
    expire: (device: DeviceAuthorization, now: number): boolean => {
      const state = deviceState(device, now);
      if (state !== 'pending' && state !== 'approved') return false;
      device.state = 'expired';
      device.expires_at = now;
      changed();
      return true;
    },
    /** Records which authorizations have expired, so that they do not become live again when the clock is set back. */
    expireAll: (now: number) => {
      for (const device of devices.values()) device.state = deviceState(device, now);
    },
    forgetClients: (client_ids: ReadonlySet<string>) => {
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
    fill: devices.fill,
  };
}
