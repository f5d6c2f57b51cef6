// The domain for one request that must not change anything, and the effects that the request would have. A request changes state only through parts of the domain,
// and each of these parts has a stand-in here that returns the same and records the effect. Grants receive copies of
// records, so that their changes are discarded with the forecast.

import { instant } from './checks/refusals/refusal.ts';
import {
  createDeviceAuthorizations,
  type DeviceAuthorization,
  type DeviceAuthorizations,
} from './device-authorization/device-authorizations.ts';
import type { UserAuthorization } from './authorization/endpoints.ts';
import type { Sessions } from './authorization/sessions.ts';
import type { UsedOnce } from './collections/used-once.ts';
import {
  type AccessTokenRecord,
  type CodeRecord,
  credentialId,
  lineageId,
  type RefreshTokenRecord,
  stateOf,
} from './model/credentials.ts';
import type { Domain } from './model/domain.ts';
import type { CredentialStore, Ports } from './model/ports.ts';
import type { Throttle } from './throttle/throttle.ts';

export type Effect =
  /** The counter with this id counts the request. */
  | {
      readonly kind: 'count';
      readonly id: string;
      readonly used: number;
      readonly limit: number;
      readonly exceeded: boolean;
    }
  /** An assertion or a DPoP proof is remembered until then (in ms of the sandbox clock) and cannot be used again. */
  | { readonly kind: 'use_once'; readonly id: null; readonly until: number }
  /** A code is redeemed, a refresh token replaced or a credential revoked; `id` identifies it. */
  | { readonly kind: 'redeem' | 'rotate' | 'revoke'; readonly id: string }
  /** The idle time of a refresh token is extended. */
  | { readonly kind: 'extend'; readonly id: string; readonly until: number }
  /** A lineage is revoked with all its live credentials. */
  | { readonly kind: 'revoke_lineage'; readonly id: string }
  /** A device, identified by its user code. */
  | { readonly kind: 'poll_device'; readonly id: string; readonly interval: number }
  | { readonly kind: 'redeem_device'; readonly id: string }
  | { readonly kind: 'open_device' | 'push_request'; readonly id: null };

export function describeEffect(effect: Effect): string {
  switch (effect.kind) {
    case 'count':
      return effect.exceeded
        ? `The request is throttled: the limit of ${effect.limit} is exceeded.`
        : `The request is number ${effect.used} of ${effect.limit} in this window.`;
    case 'use_once':
      return `The signed JWT is remembered until ${instant(effect.until)} and cannot be used again.`;
    case 'redeem':
      return `Code ${effect.id} is redeemed.`;
    case 'rotate':
      return `Refresh token ${effect.id} is replaced.`;
    case 'revoke':
      return `Token ${effect.id} is revoked.`;
    case 'extend':
      return `Refresh token ${effect.id} then expires at ${instant(effect.until)}.`;
    case 'revoke_lineage':
      return `Lineage ${effect.id} is revoked with all its credentials.`;
    case 'poll_device':
      return `The poll of device ${effect.id} is counted; its interval is then ${effect.interval} s.`;
    case 'redeem_device':
      return `The device code of ${effect.id} is redeemed.`;
    case 'open_device':
      return 'A device authorization is opened.';
    case 'push_request':
      return 'The pushed request is stored until the browser sends its request_uri.';
  }
}

type Redeemable = CodeRecord | RefreshTokenRecord;

/** The effects that one request would have. */
export interface ForecastRecord {
  /** In the order in which they would occur. */
  readonly effects: Effect[];
  /** The tokens that would be issued, without their values. */
  readonly issued: (AccessTokenRecord | RefreshTokenRecord)[];
}

/** Copies a record and its lineage; the copy is the newest member if the record was. */
function copyOf<T extends Redeemable>(record: T): T {
  const copy = { ...record, lineage: { ...record.lineage } };
  if (record.lineage.newest === record) copy.lineage.newest = copy;
  return copy;
}

/** For operations that no request performs. */
function unsupported(): never {
  throw new Error('a forecast has reached an operation that no forecast covers');
}

function storesWithoutEffects(
  stores: CredentialStore,
  { effects, issued }: ForecastRecord,
): CredentialStore {
  const end = (record: Redeemable, now: number, kind: 'redeem' | 'rotate' | 'revoke') => {
    const state = stateOf(record, now);
    if (state !== 'issued' && state !== 'active') return false;
    effects.push({ kind, id: credentialId(record) });
    return true;
  };
  return {
    insertCode: unsupported,
    findCode: async (value, now) => {
      const found = await stores.findCode(value, now);
      return found === undefined ? undefined : copyOf(found);
    },
    consumeCode: (code, now) => end(code, now, 'redeem'),
    insertRefreshToken: (token) => {
      token.lineage.newest = token;
      issued.push(token);
    },
    findRefreshToken: async (value, now) => {
      const found = await stores.findRefreshToken(value, now);
      return found === undefined ? undefined : copyOf(found);
    },
    rotateRefreshToken: (token, now) => end(token, now, 'rotate'),
    extendRefreshToken: (token, until) => {
      if (token.state !== 'active') return;
      token.expires_at = until;
      effects.push({ kind: 'extend', id: credentialId(token), until });
    },
    recordAccessToken: (token) => void issued.push(token),
    findOpaqueToken: (value) => stores.findOpaqueToken(value),
    endAccessToken: ({ lineage, n }) =>
      void effects.push({ kind: 'revoke', id: `${lineage}.${n}` }),
    findDenial: (id, client) => stores.findDenial(id, client),
    revokeLineage: (lineage, now) => {
      if (lineage.revoked_at !== null) return false;
      lineage.revoked_at = now;
      effects.push({ kind: 'revoke_lineage', id: lineageId(lineage) });
      return true;
    },
    end: (credential, _state, now) => {
      if (credential.kind === 'access_token') unsupported();
      else end(credential, now, 'revoke');
    },
    denyClient: unsupported,
    endDeleted: unsupported,
    expireAll: unsupported,
    denyEnded: unsupported,
    list: unsupported,
    findById: unsupported,
    findLineage: unsupported,
    liveCount: unsupported,
    liveByClient: unsupported,
    liveAccessTokenCount: unsupported,
    clear: unsupported,
  };
}

function throttleWithoutEffects(throttle: Throttle, { effects }: ForecastRecord): Throttle {
  return {
    ...throttle,
    count: (key, settings, now) => {
      const decision = throttle.foresee(key, settings, now);
      if (decision !== null) {
        const { used, limit, exceeded } = decision;
        effects.push({ kind: 'count', id: key.id, used, limit, exceeded });
      }
      return decision;
    },
  };
}

/** A request may contain the same assertion twice: to authenticate its client, and as its grant. */
function usedOnceWithoutEffects(usedOnce: UsedOnce, { effects }: ForecastRecord): UsedOnce {
  const now = new Map<string, Parameters<UsedOnce['use']>[1]>();
  return {
    ...usedOnce,
    use: (key, use) => {
      const before = usedOnce.find(key, use.at) ?? now.get(key) ?? null;
      if (before !== null) return before;
      now.set(key, use);
      effects.push({ kind: 'use_once', id: null, until: use.until });
      return null;
    },
  };
}

/** Transitions mutate the device record, so they run on a copy in an otherwise empty collection. */
function devicesWithoutEffects(
  devices: DeviceAuthorizations,
  { effects }: ForecastRecord,
): DeviceAuthorizations {
  const empty = createDeviceAuthorizations(() => undefined);
  const copy = (found: DeviceAuthorization | undefined) =>
    found === undefined ? undefined : { ...found };
  return {
    ...empty,
    findByDeviceCode: (device_code) => copy(devices.findByDeviceCode(device_code)),
    findByUserCode: (typed) => copy(devices.findByUserCode(typed)),
    add: (device) => {
      empty.add(device);
      effects.push({ kind: 'open_device', id: null });
    },
    poll: (device, now) => {
      const seconds = empty.poll(device, now);
      effects.push({ kind: 'poll_device', id: device.user_code, interval: device.interval });
      return seconds;
    },
    redeem: (device, now, exchange) => {
      const redeemed = empty.redeem(device, now, exchange);
      if (redeemed) effects.push({ kind: 'redeem_device', id: device.user_code });
      return redeemed;
    },
  };
}

/** Sessions of browsers, which no covered endpoint changes. */
export const sessionsWithoutEffects = (sessions: Sessions): Sessions => ({
  ...sessions,
  begin: unsupported,
  agree: unsupported,
  enter: unsupported,
  end: unsupported,
  endOfUser: unsupported,
  forgetClients: unsupported,
  expireAll: unsupported,
  clear: unsupported,
});

/** Pushed requests are stored in a collection that is discarded with the forecast. */
export const pushesWithoutEffects = (
  users: UserAuthorization,
  { effects }: ForecastRecord,
): UserAuthorization => ({
  ...users,
  push: async (request, evaluation) => {
    const pushed = await users.push(request, evaluation);
    effects.push({ kind: 'push_request', id: null });
    return pushed;
  },
});

/** Replaces every signature. */
const UNSIGNED = 'not-issued';

/** Returns the domain with stand-ins for all parts that change state, and the effects that they record. */
export function withoutEffects(domain: Domain): { domain: Domain; foreseen: ForecastRecord } {
  const foreseen: ForecastRecord = { effects: [], issued: [] };
  const stores = storesWithoutEffects(domain.ports.stores, foreseen);
  const ports: Ports = { ...domain.ports, stores, emit: () => undefined };
  const keyring = { ...domain.keyring, sign: () => Promise.resolve(UNSIGNED) };
  return {
    foreseen,
    domain: {
      ...domain,
      ports,
      keyring,
      epoch: domain.epoch.fork(),
      throttle: throttleWithoutEffects(domain.throttle, foreseen),
      overFetch: { ...domain.overFetch, watch: domain.overFetch.foresee },
      clientDocuments: { ...domain.clientDocuments, fetch: () => Promise.resolve() },
      usedOnce: usedOnceWithoutEffects(domain.usedOnce, foreseen),
      dpopNonces: { ...domain.dpopNonces, issue: () => UNSIGNED },
      devices: devicesWithoutEffects(domain.devices, foreseen),
    },
  };
}
