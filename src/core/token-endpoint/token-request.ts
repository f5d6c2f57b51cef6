// Evaluates a request at the token endpoint: checks 4 to 8 (behaviour 3), and then the checks of the grant.

import {
  checkClient,
  checkRequired,
  noteUnknown,
  rulesFor,
} from '../client-authentication/client-request.ts';
import { isConfidential } from '../client-authentication/authenticate.ts';
import { type Domain, issuingNow } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import { involvesDpop, checkTokenProof } from '../dpop/check-proof.ts';
import type { ProfileRules } from '../checks/profiles.ts';
import type { Grant } from './grants/grant.ts';
import { GRANTS, grantsServed } from './grants/index.ts';
import type { TokenRequest, TokenResponse } from '../model/request.ts';
import { type Evaluation, noteShape, pass } from '../checks/trace.ts';
import type { ResolvedShape } from '../shape/resolve.ts';

function readGrant(
  request: TokenRequest,
  rules: ProfileRules,
  shape: ResolvedShape | null,
  evaluation: Evaluation,
): Grant {
  const named = request.parameters.get('grant_type');
  const served = () => grantsServed(rules).join(', ');
  if (named === undefined || named === '') {
    throw new OAuthError('grant_type_missing', { expected: served() });
  }
  const standard = shape?.grant_types.get(named);
  if (shape !== null && standard !== undefined) {
    noteShape(evaluation, shape.name, `${standard} under the name ${named}`);
  }
  const grant = GRANTS.get(standard ?? named);
  if (grant === undefined) {
    throw new OAuthError('grant_type_unsupported', {
      expected: served(),
      got: safeGrantType(named),
    });
  }
  evaluation.grant_type = grant.grant_type;
  pass(evaluation, 'grant_type');
  return grant;
}

const OF_EVERY_GRANT = ['grant_type', 'client_id', 'client_secret'];

/**
 * Evaluates one request at the token endpoint, filling in the evaluation as it goes.
 * @throws OAuthError for every refusal (behaviour 3)
 */
export async function evaluateTokenRequest(
  domain: Domain,
  request: TokenRequest,
  evaluation: Evaluation,
): Promise<TokenResponse> {
  evaluation.endpoint = 'token';
  const rules = rulesFor(request, domain, evaluation);
  const grant = readGrant(request, rules, domain.shape(), evaluation);
  const format = grant.content_type;
  const client = await checkClient(request, format, rules, domain, evaluation);
  if (!client.grant_types.includes(grant.grant_type)) throw new OAuthError('grant_not_allowed');
  if (grant.confidential_only && !isConfidential(client)) {
    throw new OAuthError('grant_not_for_public_client');
  }
  if (grant.rejectedBy?.(rules)) throw new OAuthError('grant_not_in_profile');
  pass(evaluation, 'grant_allowed');
  checkRequired(request, grant.required(rules), evaluation);
  noteUnknown(request, [...OF_EVERY_GRANT, ...grant.parameters], rules, evaluation);
  if (involvesDpop(request, client)) {
    await checkTokenProof(request, client, rules, domain, evaluation);
  }
  return grant.redeem({ ...domain, ...issuingNow(domain), request, evaluation, client, rules });
}

/** Values that may be shown: those of supported grants, names of RFCs, OpenID and providers, and common mistakes. */
const KNOWN_GRANT_TYPES: readonly string[] = [
  ...GRANTS.keys(),
  'implicit',
  'code',
  'token',
  'device_code',
  'token_exchange',
  'jwt-bearer',
  'urn:ietf:params:oauth:grant-type:saml2-bearer',
  'urn:ietf:params:oauth:grant-type:pre-authorized_code',
  'urn:ietf:params:oauth:grant-type:uma-ticket',
  'urn:openid:params:grant-type:ciba',
  'http://auth0.com/oauth/grant-type/password-realm',
  'http://auth0.com/oauth/grant-type/passwordless/otp',
  'http://auth0.com/oauth/grant-type/mfa-otp',
  'http://auth0.com/oauth/grant-type/mfa-oob',
];

/**
 * Returns the value if it is the name of a known grant, regardless of case and spaces. Any other value may be a
 * secret in the wrong place and is replaced.
 */
function safeGrantType(named: string): string {
  const plain = named.trim().toLowerCase();
  return KNOWN_GRANT_TYPES.includes(plain)
    ? JSON.stringify(named.slice(0, 100))
    : 'an unknown grant_type';
}
