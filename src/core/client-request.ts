// What all requests of an authenticating client share: checks 5 to 8 of the judgement (behaviour 3).

import { authenticateClient } from './clients.ts';
import type { Domain } from './domain.ts';
import { OAuthError } from './errors.ts';
import type { MaybePromise } from './ports.ts';
import type { ProfileRules } from './profiles.ts';
import type { TokenRequest } from './request.ts';
import { MEDIA_TYPES } from './request.ts';
import type { Client } from './schemas.ts';
import type { Judgement } from './trace.ts';
import { note, pass } from './trace.ts';

/** Parameters that carry secrets: in a query string they leak (RFC 6749 2.3.1). */
const SECRET_PARAMETERS = [
  'client_secret',
  'client_id',
  'code',
  'refresh_token',
  'access_token',
  'code_verifier',
  'client_assertion',
  'token',
];

function checkContentType(
  request: TokenRequest,
  documented: TokenRequest['content_type'],
  rules: ProfileRules,
  judgement: Judgement,
): void {
  const got = MEDIA_TYPES[request.content_type];
  const expected = MEDIA_TYPES[documented];
  if (got !== expected) {
    if (rules.other_content_type === 'refuse') {
      throw new OAuthError('content_type_not_documented', { expected, got });
    }
    note(judgement, 'other_content_type', request.content_type === 'json' ? 'JSON' : 'a form');
  }
  pass(judgement, 'grant_content_type');
}

function checkQuery(request: TokenRequest, rules: ProfileRules, judgement: Judgement): void {
  const leaked = request.query.filter((name) => SECRET_PARAMETERS.includes(name));
  if (leaked.length > 0) {
    const got = leaked.join(', ');
    if (rules.query_credentials === 'refuse') throw new OAuthError('query_credentials', { got });
    note(judgement, 'query_credentials', got);
  }
  pass(judgement, 'query');
}

/** @throws OAuthError `invalid_request` naming the one that is missing or empty */
export function checkRequired(
  request: TokenRequest,
  required: readonly string[],
  judgement: Judgement,
): void {
  for (const field of required) {
    const value = request.parameters.get(field);
    if (value === undefined) throw new OAuthError('parameter_missing', { field });
    if (value === '') throw new OAuthError('parameter_empty', { field });
  }
  pass(judgement, 'parameters');
}

/**
 * Body format, query and client, in this order. Only a client that signs assertions is waited for.
 * @param documented the body format that the endpoint or grant is documented with
 * @throws OAuthError for each of them
 */
export function checkClient(
  request: TokenRequest,
  documented: TokenRequest['content_type'],
  rules: ProfileRules,
  domain: Domain,
  judgement: Judgement,
): MaybePromise<Client> {
  checkContentType(request, documented, rules, judgement);
  checkQuery(request, rules, judgement);
  return authenticateClient(request, rules, domain, judgement);
}
