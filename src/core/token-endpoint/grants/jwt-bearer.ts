// The JWT bearer grant (RFC 7523 2.1, RFC 7521 4.1): an access token for the user that the client names in an
// assertion, which it signed itself. There is no refresh token, as the client can sign another assertion. Each
// request opens a lineage.

import { durationInWords } from '../../../words.ts';
import { textOf } from '../../../json.ts';
import {
  checkAudience,
  checkSignature,
  checkTimes,
  checkUnused,
  decodeAssertion,
  requiredText,
  signatureWords,
  type Assertion,
} from '../../client-authentication/signed-assertion.ts';
import { OAuthError } from '../../checks/errors.ts';
import { pass } from '../../checks/trace.ts';
import { valueOf } from '../../model/request.ts';
import { knownScope } from '../../registry/scopes.ts';
import { decideAudience } from '../../registry/audiences.ts';
import { countRequest } from '../count-request.ts';
import type { Grant, GrantContext } from './grant.ts';
import { issueInOwnLineage, requestedScopes } from './issue.ts';

/** Whether it is an on-behalf-of request of Microsoft Entra ID, and that provider is imitated. */
const isOnBehalfOf = ({ request, shape }: GrantContext): boolean =>
  shape?.accepts.has('on_behalf_of') === true &&
  valueOf(request, 'requested_token_use') === 'on_behalf_of';

export const jwtBearer: Grant = {
  grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  content_type: 'form',
  confidential_only: true,
  parameters: ['assertion', 'audience', 'resource', 'scope'],
  required: () => ['assertion'],
  redeem: async (context) => {
    if (isOnBehalfOf(context)) {
      const { redeemOnBehalfOf } = await import('./on-behalf-of.ts');
      return redeemOnBehalfOf(context);
    }
    countRequest(context, context.client.client_id, 'client');
    const assertion = readAssertion(context);
    await checkSigner(context, assertion);
    const claims = checkClaims(context, assertion);
    const user_sub = checkUser(context, claims.sub);
    const audience = decideAudience(context);
    const scope = knownScope(context, requestedScopes(context), audience);
    consume(context, claims);
    return issueInOwnLineage(context, { user_sub, audience, scope });
  },
};

type GrantAssertion = Assertion<'assertion'>;

function readAssertion({ request, evaluation }: GrantContext): GrantAssertion {
  const assertion = decodeAssertion('assertion', valueOf(request, 'assertion') ?? '');
  if (assertion === null) throw new OAuthError('assertion_malformed');
  pass(evaluation, 'credential_known');
  return assertion;
}

/** The client itself must be the issuer of the assertion (RFC 7523 3). */
async function checkSigner(context: GrantContext, assertion: GrantAssertion): Promise<void> {
  const { client, evaluation } = context;
  const { iss } = assertion.claims;
  const { client_id: expected } = client;
  if (iss !== expected) {
    const got = iss === undefined ? 'missing' : textOf(iss);
    throw new OAuthError('assertion_iss_differs', { expected, got });
  }
  await checkSignature(assertion, client, context);
  pass(evaluation, 'credential_client', { got: signatureWords(assertion) });
}

interface Claims {
  readonly sub: string;
  readonly exp: number;
  /** undefined if the assertion can be reused until it expires. */
  readonly jti: string | undefined;
}

/** `jti` is optional here (RFC 7523 3), unlike in the assertion of a client. */
function checkClaims(context: GrantContext, assertion: GrantAssertion): Claims {
  const { evaluation, issuer, base, shape, ports } = context;
  const sub = requiredText(assertion, 'sub');
  checkAudience(assertion, { issuer, base: base(), shape }, evaluation);
  const now = ports.clock.now() / 1000;
  const exp = checkTimes(assertion, now);
  const jti = assertion.claims['jti'] === undefined ? undefined : requiredText(assertion, 'jti');
  pass(evaluation, 'credential_live', {
    note: `expires in ${durationInWords(Math.ceil(exp - now))}`,
  });
  return { sub, exp, jti };
}

function checkUser({ registry, evaluation }: GrantContext, sub: string): string {
  if (registry.users.get(sub) === undefined) {
    throw new OAuthError('assertion_user_unknown', { got: sub });
  }
  pass(evaluation, 'user', { got: sub });
  return sub;
}

function consume(context: GrantContext, { jti, exp }: Claims): void {
  const { client, evaluation } = context;
  if (jti === undefined) {
    pass(evaluation, 'consume', { note: 'no jti: it can be used again until it expires' });
    return;
  }
  checkUnused({ kind: 'assertion', jti, exp }, client, context, evaluation.exchange);
  pass(evaluation, 'consume');
}
