// The responses that a deliberate mistake can meet, in each error dialect.

import type { Dialect } from '../../../../control/schemas.ts';
import { statusWords } from '../../../ui/status.ts';

/** Kinds of responses, independent of the dialect. */
export type AnswerKind =
  | 'tokens'
  | 'malformed'
  | 'method'
  | 'grant_unknown'
  | 'bad_client'
  | 'bad_code'
  | 'bad_refresh_token'
  | 'bad_redirect'
  | 'bad_pkce'
  | 'bad_audience'
  | 'bad_scope'
  | 'device'
  | 'device_pending'
  | 'device_slow_down'
  | 'device_expired'
  | 'device_denied'
  | 'bad_device_code'
  | 'bad_password'
  | 'bad_assertion'
  | 'bad_grant'
  | 'code'
  | 'claims'
  | 'page'
  | 'page_unknown_client'
  | 'page_request_uri'
  | 'redirect_malformed'
  | 'redirect_type'
  | 'redirect_audience'
  | 'redirect_scope'
  | 'redirect_login'
  | 'sign_in_page'
  | 'denied'
  | 'denied_by_setting'
  | 'bad_token'
  | 'bad_proof'
  | 'bad_proof_at_api'
  | 'no_openid';

export interface Answer {
  status: number;
  error: string | null;
  /** What a response without an error contains: "tokens". */
  brings?: string;
}

const RFC_6749: Record<AnswerKind, Answer> = {
  tokens: { status: 200, error: null, brings: 'tokens' },
  malformed: { status: 400, error: 'invalid_request' },
  method: { status: 405, error: 'method_not_allowed' },
  grant_unknown: { status: 400, error: 'unsupported_grant_type' },
  bad_client: { status: 401, error: 'invalid_client' },
  bad_code: { status: 400, error: 'invalid_grant' },
  bad_refresh_token: { status: 400, error: 'invalid_grant' },
  bad_redirect: { status: 400, error: 'invalid_grant' },
  bad_pkce: { status: 400, error: 'invalid_grant' },
  bad_audience: { status: 400, error: 'invalid_target' },
  bad_scope: { status: 400, error: 'invalid_scope' },
  device: { status: 200, error: null, brings: 'a device code' },
  device_pending: { status: 400, error: 'authorization_pending' },
  device_slow_down: { status: 400, error: 'slow_down' },
  device_expired: { status: 400, error: 'expired_token' },
  device_denied: { status: 400, error: 'access_denied' },
  bad_device_code: { status: 400, error: 'invalid_grant' },
  bad_password: { status: 400, error: 'invalid_grant' },
  bad_assertion: { status: 400, error: 'invalid_grant' },
  bad_grant: { status: 400, error: 'unauthorized_client' },
  code: { status: 302, error: null, brings: 'a code' },
  claims: { status: 200, error: null, brings: 'claims' },
  page: { status: 400, error: 'invalid_request' },
  page_unknown_client: { status: 400, error: 'invalid_client' },
  page_request_uri: { status: 400, error: 'invalid_request_uri' },
  redirect_malformed: { status: 302, error: 'invalid_request' },
  redirect_type: { status: 302, error: 'unsupported_response_type' },
  redirect_audience: { status: 302, error: 'invalid_target' },
  redirect_scope: { status: 302, error: 'invalid_scope' },
  redirect_login: { status: 302, error: 'login_required' },
  sign_in_page: { status: 200, error: null, brings: 'the sign-in page' },
  denied: { status: 303, error: 'access_denied' },
  denied_by_setting: { status: 302, error: 'access_denied' },
  bad_token: { status: 401, error: 'invalid_token' },
  bad_proof: { status: 400, error: 'invalid_dpop_proof' },
  bad_proof_at_api: { status: 401, error: 'invalid_dpop_proof' },
  no_openid: { status: 403, error: 'insufficient_scope' },
};

const AUTH0: Partial<Record<AnswerKind, Answer>> = {
  bad_client: { status: 401, error: 'access_denied' },
  bad_code: { status: 403, error: 'invalid_grant' },
  bad_refresh_token: { status: 403, error: 'invalid_grant' },
  bad_redirect: { status: 403, error: 'unauthorized_client' },
  bad_pkce: { status: 403, error: 'invalid_grant' },
  device_pending: { status: 403, error: 'authorization_pending' },
  device_slow_down: { status: 429, error: 'slow_down' },
  device_expired: { status: 403, error: 'expired_token' },
  device_denied: { status: 403, error: 'access_denied' },
  bad_device_code: { status: 403, error: 'invalid_grant' },
  bad_password: { status: 403, error: 'invalid_grant' },
  bad_assertion: { status: 403, error: 'invalid_grant' },
};

export function answerOf(kind: AnswerKind, dialect: Dialect): Answer {
  const ofAuth0 = dialect === 'auth0' ? AUTH0[kind] : undefined;
  return ofAuth0 ?? RFC_6749[kind];
}

export function answerInWords({ status, error, brings }: Answer): string {
  if (error !== null) return `${status} ${error}`;
  return brings === undefined ? statusWords(status) : `${status} with ${brings}`;
}
