// The words of client checks: the parts of a login, what an app can do, and what is found.

import { described, z } from './zod.ts';
import { text } from './members.ts';

/** By the part of the login that a case is about. */
export const CASE_GROUPS = {
  discovery: 'Discovery',
  authorization_response: 'Authorization response',
  id_token: 'ID token',
  token_response: 'Token response',
  refresh: 'Refresh',
  keys: 'Keys',
  userinfo: 'UserInfo',
  transport: 'Transport',
} as const;
export type CaseGroup = keyof typeof CASE_GROUPS;

/**
 * The requests by which an app shows that it went on, although it should have stopped: with the authorization (a request to
 * authorize or at the token endpoint), with the code, with the tokens (userinfo, introspection, refresh, exchange), with
 * the same refresh token once more, with a token request before Retry-After, or with the request again and again.
 */
export const PROGRESS = [
  'authorization',
  'code',
  'tokens',
  'same_refresh_token',
  'early_retry',
  'retry_loop',
] as const;
export type Progress = (typeof PROGRESS)[number];

/** How a login ended, as far as its caller knows. */
export const LOGINS = ['succeeded', 'failed', 'unknown'] as const;
export type Login = (typeof LOGINS)[number];

export const RESULTS = [
  'passed',
  'refused',
  'accepted',
  'not_reached',
  'unclear',
  'skipped',
] as const;
export type CheckResult = (typeof RESULTS)[number];

const known = z.nullable(z.boolean('must be true, false or null'));

/** What a run of a case showed, as it is kept in the workspace. The result follows from it. */
export const checkRecordSchema = z.strictObject(
  {
    case: described(text(100), 'Identifier of the case.'),
    client_id: described(z.nullable(text(200)), 'The client that was checked; null for any.'),
    reached: described(z.boolean(), 'Whether the misbehaviour was sent to the app.'),
    went_on: described(
      z.boolean(),
      'Whether the app then sent the request that shows that it went on.',
    ),
    login: described(z.enum(LOGINS), 'How the login ended.'),
    login_tells: described(
      z.boolean(),
      'Whether that says anything: false if a login that cannot succeed was reported as successful.',
    ),
    good_after: described(
      known,
      'Whether a good login succeeded afterwards; null where none was tried.',
    ),
    goes_on_when_good: described(
      known,
      'Whether the app goes on in the same way in a good login; null where that is not known.',
    ),
    ended_at: described(
      z.iso.datetime('must be a time in UTC, as 2026-01-31T12:00:00Z (RFC 3339)'),
      'When it ended, on the sandbox clock.',
    ),
  },
  'must be a JSON object',
);
export type CheckRecord = z.infer<typeof checkRecordSchema>;
