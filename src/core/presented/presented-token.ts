// The token of a revocation or introspection request (RFC 7009 2.1, RFC 7662 2.1): its kind, its client, and whether
// it is still valid. The token itself decides its kind; the hint is only compared with it.

import type { AccessTokenFacts } from './access-tokens.ts';
import {
  checkClient,
  checkRequired,
  noteUnknown,
  rulesFor,
} from '../client-authentication/client-request.ts';
import type { RefreshTokenRecord } from '../model/credentials.ts';
import type { AccessTokenId } from '../model/access-token-id.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import { type TokenRequest, valueOf } from '../model/request.ts';
import type { Client } from '../records/schemas.ts';
import { endOfRefreshToken } from '../token-endpoint/grants/refresh-token.ts';
import { type Evaluation, note, pass } from '../checks/trace.ts';

/**
 * Returns the identifier of an access token for viewers; null for a token of an earlier run, whose numbers would
 * identify a different token now.
 */
export function ofThisEpoch({ epoch }: Domain, { id }: AccessTokenFacts): AccessTokenId | null {
  return id.epoch === epoch.name ? id : null;
}

export type PresentedToken =
  | { readonly kind: 'access_token'; readonly client_id: string; readonly facts: AccessTokenFacts }
  | {
      readonly kind: 'refresh_token';
      readonly client_id: string;
      readonly record: RefreshTokenRecord;
    };

const PARAMETERS = [
  'token',
  'token_type_hint',
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
];

/**
 * Makes checks 5 to 8 of the request: its client by the rules of the token endpoint, then `token`.
 * @throws OAuthError for each of them
 */
export async function checkPresenter(
  domain: Domain,
  request: TokenRequest,
  evaluation: Evaluation,
): Promise<Client> {
  const rules = rulesFor(request, domain, evaluation);
  const client = await checkClient(request, 'form', rules, domain, evaluation);
  checkRequired(request, ['token'], evaluation);
  noteUnknown(request, PARAMETERS, rules, evaluation);
  return client;
}

async function findToken(domain: Domain, value: string): Promise<PresentedToken> {
  const { ports, accessTokens } = domain;
  const { stores, clock } = ports;
  const now = clock.now();
  const record = await stores.findRefreshToken(value, now);
  if (record !== undefined) {
    return { kind: 'refresh_token', client_id: record.lineage.registration.client_id, record };
  }
  if ((await stores.findCode(value, now)) !== undefined) throw new OAuthError('token_is_code');
  const facts = await accessTokens.find(value);
  if (facts === null) throw new OAuthError('token_unknown');
  return { kind: 'access_token', client_id: facts.client_id, facts };
}

const KINDS = { access_token: 'an access token', refresh_token: 'a refresh token' } as const;

/** Notes a wrong or unknown hint, which is not an error: a hint only helps to search (RFC 7009 2.1). */
function compareHint(
  request: TokenRequest,
  { kind }: PresentedToken,
  evaluation: Evaluation,
): void {
  const hint = valueOf(request, 'token_type_hint');
  if (hint === undefined || hint === kind) return;
  if (Object.hasOwn(KINDS, hint)) note(evaluation, 'hint_wrong', KINDS[kind]);
  else note(evaluation, 'hint_unknown');
}

/** @throws OAuthError that says why it is not a token of this service */
export async function identifyToken(
  domain: Domain,
  request: TokenRequest,
  evaluation: Evaluation,
): Promise<PresentedToken> {
  const token = await findToken(domain, request.parameters.get('token') ?? '');
  if (token.kind === 'refresh_token') {
    evaluation.credential = token.record;
    evaluation.lineage = token.record.lineage;
  } else {
    evaluation.access_token = ofThisEpoch(domain, token.facts);
  }
  pass(evaluation, 'credential_known', { got: KINDS[token.kind] });
  compareHint(request, token, evaluation);
  return token;
}

/** @throws OAuthError that says how it ended */
export async function checkTokenLive(
  { ports, accessTokens }: Domain,
  token: PresentedToken,
): Promise<void> {
  if (token.kind === 'access_token') return accessTokens.checkLive(token.facts);
  const end = endOfRefreshToken(token.record, ports.clock.now());
  if (end !== null) throw end;
}
