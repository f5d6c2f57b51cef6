// The checks that all requests of authenticating clients share: 5 to 8 of the evaluation (behaviour 3).

import { authenticateClient, claimedClient } from './authenticate.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import { checkLengths, safeParameterName } from '../checks/parameters.ts';
import type { MaybePromise } from '../model/ports.ts';
import { PROFILE_RULES, type ProfileRules } from '../checks/profiles.ts';
import { MEDIA_TYPES, type TokenRequest } from '../model/request.ts';
import type { Client } from '../records/schemas.ts';
import { type Evaluation, note, pass } from '../checks/trace.ts';

/** Parameters that contain secrets, which leak from a query string (RFC 6749 2.3.1). */
export const SECRET_PARAMETERS = [
  'client_secret',
  'client_id',
  'code',
  'refresh_token',
  'access_token',
  'subject_token',
  'actor_token',
  'assertion',
  'code_verifier',
  'device_code',
  'password',
  'client_assertion',
  'token',
];

/** @param documented the body format that the endpoint or grant is documented with */
export function checkContentType(
  request: Pick<TokenRequest, 'content_type'>,
  documented: TokenRequest['content_type'],
  rules: ProfileRules,
  evaluation: Evaluation,
): void {
  const got = MEDIA_TYPES[request.content_type];
  const expected = MEDIA_TYPES[documented];
  if (got !== expected) {
    if (rules.other_content_type === 'reject') {
      const field = evaluation.grant_type === null ? 'endpoint' : 'grant_type';
      throw new OAuthError('content_type_not_documented', { field, expected, got });
    }
    note(evaluation, 'other_content_type', request.content_type === 'json' ? 'JSON' : 'a form');
  }
  pass(evaluation, 'grant_content_type');
}

/** @throws OAuthError `invalid_request` if the profile rejects credentials in the query string */
export function checkQuery(
  request: Pick<TokenRequest, 'query'>,
  rules: ProfileRules,
  evaluation: Evaluation,
): void {
  const leaked = request.query.filter((name) => SECRET_PARAMETERS.includes(name));
  if (leaked.length > 0) {
    const got = leaked.join(', ');
    if (rules.query_credentials === 'reject') throw new OAuthError('query_credentials', { got });
    note(evaluation, 'query_credentials', got);
  }
  pass(evaluation, 'query');
}

/** Returns the rules for this request: those of the client that it claims to be from. */
export function rulesFor(
  request: TokenRequest,
  domain: Domain,
  evaluation: Evaluation,
): ProfileRules {
  const { settings } = domain;
  const claimed = claimedClient(request, domain);
  evaluation.client_id = claimed?.client_id ?? null;
  evaluation.profile = claimed?.profile ?? settings().profile;
  return PROFILE_RULES[evaluation.profile];
}

/** @throws OAuthError `invalid_request` naming the parameter that is missing, empty or too long */
export function checkRequired(
  request: TokenRequest,
  required: readonly string[],
  evaluation: Evaluation,
): void {
  for (const field of required) {
    const value = request.parameters.get(field);
    if (value === undefined) throw new OAuthError('parameter_missing', { field });
    if (value === '') throw new OAuthError('parameter_empty', { field });
  }
  checkLengths(request);
  pass(evaluation, 'parameters');
}

/** Notes unknown parameters, if the profile notes them (RFC 6749 3.2). */
export function noteUnknown(
  request: TokenRequest,
  known: readonly string[],
  rules: ProfileRules,
  evaluation: Evaluation,
): void {
  if (rules.unknown_parameters !== 'note') return;
  const unknown: string[] = [];
  for (const name of request.parameters.keys()) {
    if (!known.includes(name)) unknown.push(name);
  }
  if (unknown.length > 0) {
    note(evaluation, 'unknown_parameters', [...new Set(unknown.map(safeParameterName))].join(', '));
  }
}

/**
 * Checks the body format, the query and the client, in this order. Returns a promise only for a client that signs
 * assertions.
 * @param documented the body format that the endpoint or grant is documented with
 * @throws OAuthError for each of them
 */
export function checkClient(
  request: TokenRequest,
  documented: TokenRequest['content_type'],
  rules: ProfileRules,
  domain: Domain,
  evaluation: Evaluation,
): MaybePromise<Client> {
  checkContentType(request, documented, rules, evaluation);
  checkQuery(request, rules, evaluation);
  return authenticateClient(request, rules, domain, evaluation);
}
