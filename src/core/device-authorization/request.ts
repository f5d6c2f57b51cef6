// The device authorization request (RFC 8628 3.1) and its response (3.2). The client authenticates as at
// the token endpoint; what is asked for is checked here, before a person is shown it.

import { decideAudience } from '../registry/asked-audience.ts';
import {
  checkClient,
  checkRequired,
  noteUnknown,
  rulesFor,
} from '../client-authentication/client-request.ts';
import { keptText } from '../collections/kept-text.ts';
import type { Domain } from '../model/domain.ts';
import { knownScope } from '../registry/known-scope.ts';
import { OAuthError } from '../checks/errors.ts';
import { readScope } from '../registry/asked-scope.ts';
import type { Client } from '../records/schemas.ts';
import { DEVICE_CODE_GRANT } from '../records/enumerations.ts';
import type { AskedOfDevice } from './issue.ts';
import { issueDeviceCode } from './issue.ts';
import type { Evaluation } from '../checks/trace.ts';
import { pass } from '../checks/trace.ts';
import { findHinted } from '../registry/hinted-user.ts';
import type { TokenRequest } from '../model/request.ts';
import { valueOf } from '../model/request.ts';

/** RFC 8628 3.2. */
export interface DeviceAuthorizationResponse {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  /** Lifetime of both codes in seconds. */
  expires_in: number;
  /** Seconds that the device must wait between two polls. */
  interval: number;
}

/** The page, and the same with the code filled in (RFC 8628 3.3.1). @param base below which the endpoints are */
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

function readAsked(
  request: TokenRequest,
  client: Client,
  rules: Parameters<typeof noteUnknown>[2],
  { registry, issuer }: Domain,
  evaluation: Evaluation,
): AskedOfDevice {
  const of = { request, evaluation, client, registry, issuer: issuer() };
  const audience = decideAudience(of);
  const asked_scope = valueOf(request, 'scope') ?? '';
  const scopes = readScope(asked_scope, rules, evaluation);
  const scope = knownScope({ evaluation, rules, registry }, scopes, audience);
  return {
    client_id: client.client_id,
    audience: keptText(audience),
    asked_scope: keptText(asked_scope),
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
  const asked = readAsked(request, client, rules, domain, evaluation);
  const hint = valueOf(request, 'login_hint');
  const user =
    hint === undefined ? domain.registry.users.first() : findHinted(hint, domain.registry);
  const device = issueDeviceCode(domain, asked, user, evaluation.exchange);
  return {
    device_code: device.device_code,
    user_code: device.user_code,
    ...verificationUris(domain.base(), device.user_code),
    expires_in: (device.expires_at - device.issued_at) / 1000,
    interval: device.interval,
  };
}
