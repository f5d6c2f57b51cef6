// Device authorizations.

import {
  type DeviceAuthorization,
  deviceState,
} from '../../core/device-authorization/device-authorizations.ts';
import { DEVICE_CODE_GRANT } from '../../core/records/enumerations.ts';
import type { Client } from '../../core/records/schemas.ts';
import type { EngineParts } from '../parts.ts';
import { conflict, existing } from './control-error.ts';
import { os } from './implementer.ts';
import { pageOf } from './page.ts';
import type { Device } from '../../control/schemas.ts';
import { verificationUris } from '../../core/device-authorization/device-request.ts';
import { timeText, timeTextOrNull } from '../format.ts';

/** @throws ORPCError `conflict` if the client is not registered for the grant */
function checkGrant(client: Client | undefined): void {
  if (client === undefined || client.grant_types.includes(DEVICE_CODE_GRANT)) return;
  const { client_id } = client;
  throw conflict(`the client "${client_id}" may not use ${DEVICE_CODE_GRANT}`, 'client_id');
}

export function deviceHandlers({ service }: EngineParts) {
  const { devices, ports } = service;
  const now = () => ports.clock.now();
  const view = (device: DeviceAuthorization, secrets = false) =>
    deviceView(device, service.base(), now(), secrets);
  const find = (id: string) => existing(devices.findByUserCode(id), 'device authorization', id);
  /** @param decide returns false if there was nothing to decide */
  const decided = (id: string, decide: (device: DeviceAuthorization) => boolean) => {
    const device = find(id);
    if (decide(device)) return view(device);
    const state = deviceState(device, now());
    throw conflict(`the device authorization "${device.user_code}" is ${state}, no longer pending`);
  };
  return {
    list: os.devices.list.handler(({ input: { secrets, state, client_id, ...request } }) => {
      const wanted = devices
        .list()
        .filter((device) => state === undefined || deviceState(device, now()) === state)
        .filter((device) => client_id === undefined || device.client_id === client_id);
      const page = pageOf(wanted, request, ({ user_code }) => user_code);
      return { ...page, items: page.items.map((device) => view(device, secrets)) };
    }),
    create: os.devices.create.handler(({ input }) => {
      checkGrant(service.registry.clients.get(input.client_id));
      return view(service.openDevice(input), true);
    }),
    get: os.devices.get.handler(({ input }) => view(find(input.id), input.secrets)),
    approve: os.devices.approve.handler(({ input: { id, ...order } }) =>
      decided(id, (device) => service.approveDevice(device, order)),
    ),
    deny: os.devices.deny.handler(({ input }) => decided(input.id, service.denyDevice)),
    expire: os.devices.expire.handler(({ input }) => decided(input.id, service.expireDevice)),
  };
}

function deviceView(
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
    polled_at: timeTextOrNull(device.polled_at),
    issued_at: timeText(device.issued_at),
    expires_at: timeText(device.expires_at),
    issued_by: device.issued_by,
    decided_at: timeTextOrNull(decision?.at ?? null),
    decided_on: decision?.on ?? null,
    decided_by: decision?.exchange ?? null,
    redeemed_at: timeTextOrNull(redeemed?.at ?? null),
    redeemed_by: redeemed?.exchange ?? null,
  };
}
