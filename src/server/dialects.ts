// The status, error code and description of a refusal in each dialect.

import type { OAuthError } from '../core/checks/errors.ts';
import type { ErrorCode, RefusalReason } from '../core/checks/refusals/index.ts';
import { DEVICE_CODE_GRANT } from '../core/records/enumerations.ts';
import type { Dialect, GrantType } from '../core/records/schemas.ts';

const STATUS: Partial<Record<ErrorCode, number>> = {
  invalid_client: 401,
  access_denied: 403,
  invalid_token: 401,
  insufficient_scope: 403,
  insufficient_user_authentication: 401,
  too_many_requests: 429,
  method_not_allowed: 405,
  not_found: 404,
  server_error: 500,
  temporarily_unavailable: 503,
};

/** Errors with a specific HTTP status. */
const HTTP_STATUS: Partial<Record<RefusalReason, number>> = {
  body_too_large: 413,
  body_stalled: 408,
  request_slow: 408,
  expectation_unknown: 417,
  headers_too_large: 431,
  authorization_client_unknown: 400,
  logout_client_unknown: 400,
  device_denied: 400,
  mcp_tool_unknown: 200,
};

/** Returns the status of an error in the rfc6749 dialect. */
export function statusOf(reason: RefusalReason, error: ErrorCode): number {
  return HTTP_STATUS[reason] ?? STATUS[error] ?? 400;
}

/** What a client receives of a refusal. */
export interface Wire {
  readonly status: number;
  readonly error: string;
  readonly description: string;
}

/** The statuses of Auth0 for devices that poll. */
const AUTH0_POLLS: Partial<Record<ErrorCode, number>> = {
  authorization_pending: 403,
  slow_down: 429,
  expired_token: 403,
  access_denied: 403,
  invalid_grant: 403,
};

/** The descriptions of Auth0 for invalid credentials, by grant; none for grants that Auth0 does not have. */
const AUTH0_INVALID_GRANT: Partial<Record<GrantType, string>> = {
  authorization_code: 'Invalid authorization code',
  refresh_token: 'Unknown or invalid refresh token.',
  password: 'Wrong email or password.',
};

const AUTH0_PKCE = 'Failed to verify code verifier';

/** The differences of the auth0 dialect; the recorded cause stays the same. */
function auth0Wire({ code, reason, check }: OAuthError, grant: GrantType | null): Partial<Wire> {
  if (code === 'invalid_client') return { error: 'access_denied', description: 'Unauthorized' };
  if (reason === 'redirect_uri_differs' || code === 'unauthorized_client') {
    return { status: 403, error: 'unauthorized_client' };
  }
  const polled = grant === DEVICE_CODE_GRANT ? AUTH0_POLLS[code] : undefined;
  if (polled !== undefined) return { status: polled };
  const ofGrant = grant === null ? undefined : AUTH0_INVALID_GRANT[grant];
  const description = check === 'pkce' ? AUTH0_PKCE : ofGrant;
  return code === 'invalid_grant' && description !== undefined ? { status: 403, description } : {};
}

/** Returns what a client receives of a refusal in this dialect (behaviour 3.10). */
export function wireOf(refusal: OAuthError, dialect: Dialect, grant: GrantType | null): Wire {
  const plain = {
    status: statusOf(refusal.reason, refusal.code),
    error: refusal.code,
    description: refusal.description,
  };
  return dialect === 'auth0' ? { ...plain, ...auth0Wire(refusal, grant) } : plain;
}
