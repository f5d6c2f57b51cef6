// A request to a protected API (behaviour 19), evaluated as a careful resource server does (RFC 6750, RFC 9068 4, RFC
// 9449 7, RFC 9470): the token is for this API, is valid now, and has what the rule for the path requires.

import { decodeJwt, decodeProtectedHeader } from 'jose';
import { durationInWords } from '../../words.ts';
import type { AccessTokenFacts } from './access-tokens.ts';
import { OAuthError } from '../checks/errors.ts';
import { type Evaluation, pass } from '../checks/trace.ts';
import { checkPossession } from '../dpop/bound-key.ts';
import { accessTokenTyp } from '../issuing/access-tokens.ts';
import type { Domain } from '../model/domain.ts';
import type { DpopHeader } from '../model/request.ts';
import type { Api, ApiRule } from '../records/schemas.ts';
import { audienceOfApi } from '../records/api-address.ts';
import { isSameAudience } from '../registry/audiences.ts';
import { beyond } from '../registry/scopes.ts';
import { missingToken, readSentToken, sentToken } from './sent-token.ts';

export interface ApiRequest {
  readonly api: Api;
  readonly rule: ApiRule;
  readonly method: string;
  /** Names of the parameters in the query string. */
  readonly query: readonly string[];
  /** Every Authorization header, as sent. */
  readonly authorization: readonly string[];
  /** Every access_token in a form body. */
  readonly in_body: readonly string[];
  readonly dpop: DpopHeader | null;
}

/** What the API returns: its name and the claims of the token, by which an app sees what an API would know. */
export interface ApiAnswer {
  readonly api: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** @throws OAuthError `invalid_request` for a token in the query or for more than one (RFC 6750 2) */
function checkTokenSent({ query, authorization, in_body }: ApiRequest, evaluation: Evaluation) {
  if (query.includes('access_token')) throw new OAuthError('access_token_in_query');
  if (authorization.length > 1) {
    throw new OAuthError('access_token_twice', { got: 'in two Authorization headers' });
  }
  if (in_body.length > 1) throw new OAuthError('access_token_twice', { got: 'twice in the body' });
  const parameters = new Map(in_body.map((value) => ['access_token', value]));
  const request = { parameters, query, authorization: authorization[0] ?? null };
  const sent = sentToken(request, evaluation);
  if (sent === undefined) throw missingToken(request);
  return sent;
}

type Claims = Readonly<Record<string, unknown>>;

const headerTyp = (value: string): string => decodeProtectedHeader(value).typ ?? 'none';

function checkNotBefore({ nbf }: Claims, now: number): void {
  if (typeof nbf !== 'number' || nbf <= now) return;
  throw new OAuthError('access_token_too_early', { seconds: Math.ceil(nbf - now) });
}

function checkAudience({ aud }: Claims, audience: string, issuer: string): void {
  const own = (typeof aud === 'string' ? [aud] : Array.isArray(aud) ? aud : []).map(String);
  if (own.some((one) => isSameAudience(one, audience, issuer))) return;
  const got = own.join(' ') || 'none';
  throw new OAuthError('access_token_of_other_audience', { expected: audience, got });
}

/**
 * Checks a token that was built for a test (behaviour 14) for the mistakes that only a resource server looks for. Its
 * signature, issuer and expiry have been checked.
 * @throws OAuthError naming the mistake
 */
function checkBuilt(domain: Domain, value: string, audience: string): void {
  const { registry, settings, shape, issuer, ports } = domain;
  const claims: Claims = decodeJwt(value);
  const client = registry.clients.get(String(claims['client_id'] ?? claims['azp']));
  const format = client?.access_token_format ?? settings().access_token_format;
  const expected = accessTokenTyp(format, shape());
  const typ = headerTyp(value);
  if (typ.toLowerCase().replace(/^application\//, '') !== expected.toLowerCase()) {
    throw new OAuthError('access_token_typ_wrong', { expected, got: typ });
  }
  checkAudience(claims, audience, issuer());
  checkNotBefore(claims, ports.clock.now() / 1000);
}

async function readToken(
  domain: Domain,
  value: string,
  audience: string,
  evaluation: Evaluation,
): Promise<AccessTokenFacts> {
  try {
    const facts = await readSentToken(domain, value, evaluation);
    const isJwt = value.includes('.');
    const how = isJwt ? 'signed with a key of this issuer' : 'an opaque token of this issuer';
    pass(evaluation, 'credential_known', { got: `${how}, ${domain.issuer()}` });
    if (isJwt) pass(evaluation, 'typ', { got: headerTyp(value) });
    return facts;
  } catch (error) {
    if (error instanceof OAuthError && error.reason === 'access_token_not_issued') {
      checkBuilt(domain, value, audience);
    }
    throw error;
  }
}

/** The audience, and the time from which and until which it is valid. */
async function checkToken(
  domain: Domain,
  facts: AccessTokenFacts,
  audience: string,
  evaluation: Evaluation,
): Promise<void> {
  const claims = facts.claims();
  const now = domain.ports.clock.now() / 1000;
  checkAudience(claims, audience, domain.issuer());
  pass(evaluation, 'audience', { expected: audience, got: facts.audience });
  if (claims['nbf'] !== undefined) {
    checkNotBefore(claims, now);
    pass(evaluation, 'not_before');
  }
  await domain.accessTokens.checkLive(facts);
  const left = durationInWords(Math.max(0, Math.floor(facts.expires_at - now)));
  pass(evaluation, 'credential_live', { note: `expires in ${left}` });
}

/** @throws OAuthError `invalid_token` for the kind of token that the rule does not accept */
function checkKind({ token_type }: ApiRule, jkt: string | null, evaluation: Evaluation): void {
  if (token_type === 'any') return;
  const got = jkt === null ? 'Bearer' : 'DPoP';
  if (token_type !== got) {
    throw new OAuthError(got === 'Bearer' ? 'api_requires_dpop' : 'api_requires_bearer');
  }
  pass(evaluation, 'token_type', { expected: token_type, got });
}

/** @throws OAuthError `insufficient_scope` (RFC 6750 3.1) */
function checkScopes({ scopes }: ApiRule, scope: string, evaluation: Evaluation): void {
  const operands = { expected: scopes.join(' ') || 'none', got: scope || 'none' };
  if (beyond(scopes, scope.split(' ')).length > 0) {
    throw new OAuthError('api_scope_missing', operands);
  }
  pass(evaluation, 'scope', operands);
}

/** @throws OAuthError `insufficient_user_authentication` (RFC 9470 3) */
function checkAuthentication(
  { max_age, acr_values }: ApiRule,
  { auth_time, acr }: Claims,
  now: number,
  evaluation: Evaluation,
): void {
  if (max_age !== null) {
    const seconds = typeof auth_time === 'number' ? Math.floor(now - auth_time) : null;
    const expected = String(max_age);
    if (seconds === null) throw new OAuthError('api_sign_in_unknown', { expected });
    if (seconds > max_age) throw new OAuthError('api_sign_in_old', { expected, seconds });
    pass(evaluation, 'max_age', { note: `signed in ${durationInWords(Math.max(0, seconds))} ago` });
  }
  if (acr_values.length > 0) {
    const operands = {
      expected: acr_values.join(' or '),
      got: typeof acr === 'string' ? acr : 'none',
    };
    if (!acr_values.includes(operands.got)) throw new OAuthError('api_acr_differs', operands);
    pass(evaluation, 'acr', operands);
  }
}

/**
 * Evaluates a request to a protected API and returns the claims of its token.
 * @throws OAuthError `invalid_token`, `insufficient_scope` or `invalid_request` (RFC 6750 3.1),
 * `insufficient_user_authentication` (RFC 9470 3), `invalid_dpop_proof` or `use_dpop_nonce` (RFC 9449 7)
 */
export async function callApi(
  domain: Domain,
  request: ApiRequest,
  evaluation: Evaluation,
): Promise<ApiAnswer> {
  const { api, rule, method, dpop } = request;
  evaluation.endpoint = 'api';
  evaluation.profile = domain.settings().profile;
  const at = api.rules.indexOf(rule) + 1;
  const which = at === 0 ? `no rule of ${api.name}` : `rule ${at} of ${api.name}`;
  pass(evaluation, 'path', { expected: rule.path, got: which });
  pass(evaluation, 'method', { got: method });
  const audience = audienceOfApi(api, domain.issuer());
  const sent = checkTokenSent(request, evaluation);
  const facts = await readToken(domain, sent.value, audience, evaluation);
  await checkToken(domain, facts, audience, evaluation);
  checkKind(rule, facts.jkt, evaluation);
  await checkPossession({ ...sent, dpop, jkt: facts.jkt }, domain, evaluation);
  checkScopes(rule, facts.scope, evaluation);
  const claims = facts.claims();
  checkAuthentication(rule, claims, domain.ports.clock.now() / 1000, evaluation);
  return { api: api.name, claims };
}
