// The device authorization grant (RFC 8628 3.4 and 3.5): a device polls with its code until the user has decided on
// another device. A code is redeemed once; polls that come too soon make the interval longer.

import { durationInWords } from '../../../words.ts';
import {
  type DeviceApproval,
  type DeviceAuthorization,
  deviceState,
} from '../../device-authorization/device-authorizations.ts';
import { OAuthError } from '../../checks/errors.ts';
import { checkSentAudience } from '../../registry/audiences.ts';
import { knownScope, scopesOf } from '../../registry/scopes.ts';
import { checkOwner } from '../../registry/lists.ts';
import { pass } from '../../checks/trace.ts';
import { DEVICE_CODE_GRANT } from '../../records/enumerations.ts';
import { countRequest } from '../count-request.ts';
import type { Grant, GrantContext } from './grant.ts';
import { checkIdToken } from '../../issuing/id-token.ts';
import { issueForUser, openOwnLineage } from './issue.ts';

export const deviceCode: Grant = {
  grant_type: DEVICE_CODE_GRANT,
  content_type: 'form',
  parameters: ['device_code', 'audience', 'resource'],
  required: () => ['device_code'],
  redeem: async (context) => {
    const device = checkDeviceKnown(context);
    checkLive(context, device);
    const approval = checkDecision(context, device);
    const { audience } = device;
    // The request may repeat the audience of the device authorization request.
    checkSentAudience(context.request, audience, context.issuer);
    pass(context.evaluation, 'audience', { got: audience });
    const scope = knownScope(context, scopesOf(approval.scope), audience);
    checkIdToken(context, scope);
    consume(context, device);
    const { sub, auth_time } = approval;
    const lineage = openOwnLineage(context, { user_sub: sub, audience, scope, auth_time });
    const { requested_scope } = device;
    const order = { lineage, audience, scope, requested_scope, expires_in: null, nonce: null };
    return issueForUser(context, order);
  },
};

function checkDeviceKnown(context: GrantContext): DeviceAuthorization {
  const { request, evaluation, client, registry, devices } = context;
  const value = request.parameters.get('device_code') ?? '';
  const device = devices.findByDeviceCode(value);
  countRequest(context, value, device === undefined ? 'unknown' : 'device_code');
  if (device === undefined) {
    const isUserCode = devices.findByUserCode(value) !== undefined;
    throw new OAuthError(isUserCode ? 'device_code_is_user_code' : 'device_code_unknown');
  }
  pass(evaluation, 'credential_known');
  checkOwner(device.client_id, client, registry, 'device_code_of_other_client');
  pass(evaluation, 'credential_client');
  return device;
}

function checkLive({ ports, evaluation }: GrantContext, device: DeviceAuthorization): void {
  const now = ports.clock.now();
  const state = deviceState(device, now);
  if (state === 'redeemed') throw new OAuthError('device_code_redeemed', device.redeemed ?? {});
  if (state === 'expired') {
    const seconds = Math.floor((now - device.expires_at) / 1000);
    throw new OAuthError('device_code_expired', { seconds });
  }
  const left = Math.ceil((device.expires_at - now) / 1000);
  pass(
    evaluation,
    'credential_live',
    left > 0 ? { note: `expires in ${durationInWords(left)}` } : {},
  );
}

/** Returns what was approved. @throws OAuthError if the user has not decided yet or denied the device */
function checkDecision(
  { ports, evaluation, devices }: GrantContext,
  device: DeviceAuthorization,
): DeviceApproval {
  const now = ports.clock.now();
  const { approval, decision, interval, polls } = device;
  if (decision === null) {
    const seconds = devices.poll(device, now);
    if (seconds > 0) {
      throw new OAuthError('device_polled_too_soon', {
        expected: `${interval} s`,
        got: String(device.interval),
        seconds,
      });
    }
    pass(evaluation, 'polling', { note: `poll ${polls + 1}, interval ${interval} s` });
    throw new OAuthError('device_pending', { seconds: interval });
  }
  pass(evaluation, 'polling', { note: 'the user has decided' });
  const { at, exchange, on } = decision;
  if (approval === null) {
    const by = exchange === null ? {} : { exchange };
    throw new OAuthError('device_denied', { at, got: on, ...by });
  }
  pass(evaluation, 'consent', { got: approval.sub, note: `approved on: ${on}` });
  return approval;
}

function consume(context: GrantContext, device: DeviceAuthorization): void {
  const { ports, evaluation, devices } = context;
  if (!devices.redeem(device, ports.clock.now(), evaluation.exchange)) checkLive(context, device);
  pass(evaluation, 'consume');
}
