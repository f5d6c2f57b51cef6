// Device authorizations as control shows them.

import type { Device } from '../../control/schemas.ts';
import type { DeviceAuthorization } from '../../core/device-authorization/record.ts';
import { deviceState } from '../../core/device-authorization/record.ts';
import { verificationUris } from '../../core/device-authorization/request.ts';
import { timeText } from './records.ts';

const timeOrNull = (ms: number | null | undefined) =>
  typeof ms === 'number' ? timeText(ms) : null;

export function deviceView(
  device: DeviceAuthorization,
  base: string,
  now: number,
  secrets: boolean,
): Device {
  const { user_code, approval, decision, redeemed } = device;
  return {
    id: user_code,
    state: deviceState(device, now),
    user_code,
    device_code: secrets ? device.device_code : null,
    ...verificationUris(base, user_code),
    client_id: device.client_id,
    audience: device.audience,
    scope: device.scope,
    sub: approval?.sub ?? null,
    granted_scope: approval?.scope ?? null,
    interval: device.interval,
    polls: device.polls,
    polled_at: timeOrNull(device.polled_at),
    issued_at: timeText(device.issued_at),
    expires_at: timeText(device.expires_at),
    issued_by: device.issued_by,
    decided_at: timeOrNull(decision?.at),
    decided_on: decision?.on ?? null,
    decided_by: decision?.exchange ?? null,
    redeemed_at: timeOrNull(redeemed?.at),
    redeemed_by: redeemed?.exchange ?? null,
  };
}
