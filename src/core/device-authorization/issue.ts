// Issuing a device code with its user code (RFC 8628 3.2).

import type { Domain } from '../model/domain.ts';
import { encodeRandom } from '../issuing/random-text.ts';
import type { User } from '../records/schemas.ts';
import type { DeviceAuthorization } from './record.ts';
import { createUserCode } from './user-code.ts';

/** What a device asks for, checked. */
export type AskedOfDevice = Pick<
  DeviceAuthorization,
  'client_id' | 'audience' | 'asked_scope' | 'scope'
>;

/** Two devices never show the same code while one of them is kept. */
function unusedUserCode({ ports, devices, settings }: Domain): string {
  for (;;) {
    const code = createUserCode(settings().device_authorization.user_code, ports.random);
    if (devices.findByUserCode(code) === undefined) return code;
  }
}

/** By the setting `authorize` the request may be decided at once, without a page. */
function decideBySetting(
  { ports, devices, settings }: Domain,
  device: DeviceAuthorization,
  user: User | undefined,
  exchange: number | null,
): void {
  const { authorize } = settings();
  const at = ports.clock.now();
  const decision = { at, on: 'setting' as const, exchange };
  if (authorize === 'deny') devices.decide(device, decision, null);
  if (authorize !== 'auto' || user === undefined) return;
  devices.decide(device, decision, { sub: user.sub, scope: device.scope, auth_time: at });
}

/**
 * Opens a device authorization; everything was checked before.
 * @param user for whom it is approved at once where the setting says so; undefined: nobody is known
 * @param exchange that it is asked for in; null over control
 */
export function issueDeviceCode(
  domain: Domain,
  asked: AskedOfDevice,
  user: User | undefined,
  exchange: number | null,
): DeviceAuthorization {
  const { ports, devices, settings } = domain;
  const { lifetimes, device_authorization } = settings();
  const now = ports.clock.now();
  const device: DeviceAuthorization = {
    ...asked,
    device_code: encodeRandom(ports.random(32)),
    user_code: unusedUserCode(domain),
    issued_at: now,
    expires_at: now + lifetimes.device_code * 1000,
    issued_by: exchange,
    state: 'pending',
    interval: device_authorization.interval,
    polls: 0,
    polled_at: null,
    decision: null,
    approval: null,
    redeemed: null,
  };
  devices.add(device);
  decideBySetting(domain, device, user, exchange);
  return device;
}
