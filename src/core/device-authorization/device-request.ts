// The device authorization request (RFC 8628 3.1) and its response (3.2). The client authenticates as at the token
// endpoint, and the request is checked before the user sees it.

import { decideAudience } from '../registry/audiences.ts';
import {
  checkClient,
  checkRequired,
  noteUnknown,
  rulesFor,
} from '../client-authentication/client-request.ts';
import { keptText } from '../collections/kept-text.ts';
import type { Domain } from '../model/domain.ts';
import { knownScope, readScope } from '../registry/scopes.ts';
import { OAuthError } from '../checks/errors.ts';
import type { ProfileRules } from '../checks/profiles.ts';
import type { Client, User } from '../records/schemas.ts';
import { DEVICE_CODE_GRANT } from '../records/enumerations.ts';
import { type Evaluation, pass } from '../checks/trace.ts';
import { findHinted } from '../registry/lists.ts';
import { type TokenRequest, valueOf } from '../model/request.ts';
import { encodeRandom } from '../issuing/random-text.ts';
import type { DeviceAuthorization } from './device-authorizations.ts';
import { shaped } from '../shape/shaped.ts';
import { createUserCode } from './user-code.ts';

/** The device authorization response (RFC 8628 3.2). */
export interface DeviceAuthorizationResponse {
  device_code: string;
  user_code: string;
  verification_uri: string;
  /** Absent where the shape of a provider omits it. */
  verification_uri_complete?: string;
  /** Lifetime of both codes in seconds. */
  expires_in: number;
  /** Seconds that the device must wait between two polls. */
  interval: number;
}

/**
 * Returns the URI of the page, without and with the code filled in (RFC 8628 3.3.1). @param base URL below which the
 * endpoints are
 */
export function verificationUris(base: string, user_code: string) {
  const verification_uri = `${base}/device`;
  return {
    verification_uri,
    verification_uri_complete: `${verification_uri}?user_code=${user_code}`,
  };
}

const PARAMETERS = [
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'scope',
  'audience',
  'resource',
  'login_hint',
];

function readRequested(
  request: TokenRequest,
  client: Client,
  rules: ProfileRules,
  { registry, issuer }: Domain,
  evaluation: Evaluation,
): RequestedByDevice {
  const of = { request, evaluation, client, registry, issuer: issuer() };
  const audience = decideAudience(of);
  const requested_scope = valueOf(request, 'scope') ?? '';
  const scopes = readScope(requested_scope, rules, evaluation);
  const scope = knownScope({ evaluation, rules, registry }, scopes, audience);
  return {
    client_id: client.client_id,
    audience: keptText(audience),
    requested_scope: keptText(requested_scope),
    scope: keptText(scope),
  };
}

/**
 * Evaluates one device authorization request, filling in the evaluation as it goes.
 * @throws OAuthError for every refusal, as at the token endpoint
 */
export async function authorizeDevice(
  domain: Domain,
  request: TokenRequest,
  evaluation: Evaluation,
): Promise<DeviceAuthorizationResponse> {
  evaluation.endpoint = 'device_authorization';
  const rules = rulesFor(request, domain, evaluation);
  const client = await checkClient(request, 'form', rules, domain, evaluation);
  if (!client.grant_types.includes(DEVICE_CODE_GRANT)) throw new OAuthError('grant_not_allowed');
  pass(evaluation, 'grant_allowed');
  checkRequired(request, [], evaluation);
  noteUnknown(request, PARAMETERS, rules, evaluation);
  const asked = readRequested(request, client, rules, domain, evaluation);
  const hint = valueOf(request, 'login_hint');
  const user =
    hint === undefined ? domain.registry.users.first() : findHinted(hint, domain.registry);
  const device = issueDeviceCode(domain, asked, user, evaluation.exchange);
  const { device_code, user_code, interval } = device;
  const uris = verificationUris(domain.base(), user_code);
  const expires_in = (device.expires_at - device.issued_at) / 1000;
  const response = { device_code, user_code, ...uris, expires_in, interval };
  return shapedResponse(domain, response, evaluation);
}

function shapedResponse(
  { ports, issuer, shape }: Domain,
  response: DeviceAuthorizationResponse,
  evaluation: Evaluation,
): DeviceAuthorizationResponse {
  const { user_code, verification_uri } = response;
  const { sha256, clock } = ports;
  const facts = { user_code, verification_uri, issuer: issuer(), sha256, now: clock.now() };
  const all = shaped({ ...response }, 'device_response', shape(), facts, evaluation);
  return all as unknown as DeviceAuthorizationResponse;
}

/** The validated request of a device. */
type RequestedByDevice = Pick<
  DeviceAuthorization,
  'client_id' | 'audience' | 'requested_scope' | 'scope'
>;

function unusedUserCode({ ports, devices, settings }: Domain): string {
  for (;;) {
    const code = createUserCode(settings().device_authorization.user_code, ports.random);
    if (devices.findByUserCode(code) === undefined) return code;
  }
}

/** Decides the request immediately, without a page, if the setting `authorize` says so. */
function decideBySetting(
  { ports, devices, settings }: Domain,
  device: DeviceAuthorization,
  user: User | undefined,
  exchange: number | null,
): void {
  const { authorize } = settings();
  const at = ports.clock.now();
  const decision = { at, on: 'setting' as const, exchange };
  const isLocked = authorize === 'auto' && user?.locked === true;
  if (authorize === 'deny' || isLocked) devices.decide(device, decision, null);
  else if (authorize === 'auto' && user !== undefined)
    devices.decide(device, decision, { sub: user.sub, scope: device.scope, auth_time: at });
}

/**
 * Opens a device authorization. The caller has checked everything.
 * @param user for whom it is approved immediately if the setting says so; undefined if there is none
 * @param exchange number of the exchange that opens it; null for the control API
 */
export function issueDeviceCode(
  domain: Domain,
  asked: RequestedByDevice,
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
