// The domain for one request that must change nothing: whatever a request changes, it changes through a part of the
// domain, and each of these parts has a stand-in here that answers the same and writes the effect down. Records are
// handed out as copies, so that what a grant writes on them is gone with the forecast.

import {
  createDeviceAuthorizations,
  type DeviceAuthorization,
  type DeviceAuthorizations,
} from '../device-authorization/device-authorizations.ts';
import type { UserAuthorization } from '../authorization/endpoints.ts';
import type { UsedOnce } from '../collections/used-once.ts';
import {
  type AccessTokenRecord,
  type CodeRecord,
  credentialId,
  lineageId,
  type RefreshTokenRecord,
  stateOf,
} from '../model/credentials.ts';
import type { Domain } from '../model/domain.ts';
import type { CredentialStore, Ports } from '../model/ports.ts';
import type { Throttle } from '../throttle/throttle.ts';
import type { Effect } from './effects.ts';

type Redeemable = CodeRecord | RefreshTokenRecord;

/** What one request would leave behind. */
export interface Foreseen {
  /** In the order in which they would happen. */
  readonly effects: Effect[];
  /** The tokens that would be issued; their values are none. */
  readonly issued: (AccessTokenRecord | RefreshTokenRecord)[];
}

/** With a lineage of its own, of which it is the newest member if the record was. */
function copyOf<T extends Redeemable>(record: T): T {
  const copy = { ...record, lineage: { ...record.lineage } };
  if (record.lineage.newest === record) copy.lineage.newest = copy;
  return copy;
}

/** No request does this: a forecast that got here would not be one. */
function unforeseen(): never {
  throw new Error('a forecast has reached an operation that no forecast covers');
}

function storesWithoutEffects(
  stores: CredentialStore,
  { effects, issued }: Foreseen,
): CredentialStore {
  const isLive = (record: Redeemable, now: number) => {
    const state = stateOf(record, now);
    return state === 'issued' || state === 'active';
  };
  const end = (record: Redeemable, now: number, kind: 'redeem' | 'rotate' | 'revoke') => {
    if (!isLive(record, now)) return false;
    effects.push({ kind, id: credentialId(record) });
    return true;
  };
  return {
    insertCode: unforeseen,
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
    end: (credential, _state, now) =>
      credential.kind === 'access_token' ? unforeseen() : end(credential, now, 'revoke'),
    denyClient: unforeseen,
    endDeleted: unforeseen,
    expireAll: unforeseen,
    denyEnded: unforeseen,
    list: unforeseen,
    findById: unforeseen,
    findLineage: unforeseen,
    liveCount: unforeseen,
    liveByClient: unforeseen,
    liveAccessTokenCount: unforeseen,
    clear: unforeseen,
  };
}

function throttleWithoutEffects(throttle: Throttle, { effects }: Foreseen): Throttle {
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

/** A request may bring the same twice: as the assertion of its client and as that of the grant. */
function usedOnceWithoutEffects(usedOnce: UsedOnce, { effects }: Foreseen): UsedOnce {
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

/** A device is written on where it lies, so that the transitions themselves are those of an empty collection. */
function devicesWithoutEffects(
  devices: DeviceAuthorizations,
  { effects }: Foreseen,
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
      const won = empty.redeem(device, now, exchange);
      if (won) effects.push({ kind: 'redeem_device', id: device.user_code });
      return won;
    },
  };
}

/** What is pushed is kept in a collection that goes with the forecast. */
export const pushesWithoutEffects = (
  users: UserAuthorization,
  { effects }: Foreseen,
): UserAuthorization => ({
  ...users,
  push: async (request, evaluation) => {
    const pushed = await users.push(request, evaluation);
    effects.push({ kind: 'push_request', id: null });
    return pushed;
  },
});

/** In the place of every signature. */
const UNSIGNED = 'not-issued';

/** The domain with stand-ins for all that changes something, and what they write down. */
export function withoutEffects(domain: Domain): { domain: Domain; foreseen: Foreseen } {
  const foreseen: Foreseen = { effects: [], issued: [] };
  const stores = storesWithoutEffects(domain.ports.stores, foreseen);
  const ports: Ports = { ...domain.ports, stores, emit: () => undefined };
  const keyring = { ...domain.keyring, sign: () => Promise.resolve(UNSIGNED) };
  return {
    foreseen,
    domain: {
      ...domain,
      ports,
      keyring,
      tokens: domain.tokens.fork(ports, keyring),
      throttle: throttleWithoutEffects(domain.throttle, foreseen),
      overFetch: { ...domain.overFetch, watch: domain.overFetch.foresee },
      usedOnce: usedOnceWithoutEffects(domain.usedOnce, foreseen),
      dpopNonces: { ...domain.dpopNonces, issue: () => UNSIGNED },
      devices: devicesWithoutEffects(domain.devices, foreseen),
    },
  };
}
