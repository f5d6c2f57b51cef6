// Opens, approves, denies and expires device authorizations for the control API, without a request or a page.

import {
  AuthorizationProblem,
  checkedScopes,
  checkGrantable,
  findUserOrFirst,
} from '../authorization/direct-code.ts';
import { issueDeviceCode } from './device-request.ts';
import { type Domain, issuingNow } from '../model/domain.ts';
import { beyond, scopesOf } from '../registry/scopes.ts';
import type { DeviceAuthorization } from './device-authorizations.ts';

/** The user and the scope to approve; by default the first user, and everything that was requested. */
export interface DeviceApprovalOrder {
  readonly sub?: string | undefined;
  readonly scope?: string | undefined;
}

function approvedScope(asked: string, wanted: string | undefined): string {
  if (wanted === undefined) return asked;
  const scopes = checkedScopes(wanted);
  const more = beyond(scopes, scopesOf(asked));
  if (more.length === 0) return scopes.join(' ');
  throw new AuthorizationProblem(
    'scope',
    `contains "${more.join(' ')}", which the device did not ask for`,
  );
}

/**
 * Approves as a user. Returns false if the authorization is no longer pending.
 * @throws AuthorizationProblem naming the member and the rule
 */
export function approveDevice(
  { ports, registry, devices }: Domain,
  device: DeviceAuthorization,
  { sub, scope }: DeviceApprovalOrder,
): boolean {
  const user = findUserOrFirst(sub, registry);
  const at = ports.clock.now();
  const approval = {
    sub: user.sub,
    scope: approvedScope(device.scope, scope),
    auth_time: at,
  };
  return devices.decide(device, { at, on: 'control', exchange: null }, approval);
}

/** Denies the authorization. Returns false if it is no longer pending. */
export function denyDevice({ ports, devices }: Domain, device: DeviceAuthorization): boolean {
  const at = ports.clock.now();
  return devices.decide(device, { at, on: 'control', exchange: null }, null);
}

/** Expires both codes now. Returns false if there is nothing left to expire. */
export const expireDevice = ({ ports, devices }: Domain, device: DeviceAuthorization): boolean =>
  devices.expire(device, ports.clock.now());

/** The authorization to open. Omitted members default as in a request without them. */
export interface DeviceOrder {
  readonly client_id: string;
  readonly audience?: string | undefined;
  readonly scope?: string | undefined;
}

/**
 * Opens a device authorization as a request would.
 * @throws AuthorizationProblem naming the member and the rule
 */
export function openDevice(domain: Domain, order: DeviceOrder): DeviceAuthorization {
  const { client, audience, scope } = checkGrantable(order, issuingNow(domain));
  const asked = {
    client_id: client.client_id,
    audience: audience ?? client.default_audience ?? domain.issuer(),
    requested_scope: order.scope ?? '',
    scope,
  };
  return issueDeviceCode(domain, asked, domain.registry.users.first(), null);
}
