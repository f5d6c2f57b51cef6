// The words of client checks: the parts of a login, what an app can do, and what is found.

/** By the part of the login that a case is about. */
export const CASE_GROUPS = {
  discovery: 'Discovery',
  authorization_response: 'Authorization response',
  id_token: 'ID token',
  token_response: 'Token response',
  refresh: 'Refresh',
  keys: 'Keys',
  userinfo: 'UserInfo',
  logout: 'Logout',
  transport: 'Transport',
} as const;
export type CaseGroup = keyof typeof CASE_GROUPS;

/**
 * The requests by which an app shows that it went on, although it should have stopped: with the authorization (a request to
 * authorize or at the token endpoint), with the code, with the tokens (userinfo, introspection, refresh, exchange), with
 * the same refresh token once more, with a token request before Retry-After, with the request again and again, or with
 * the logout.
 */
export const PROGRESS = [
  'authorization',
  'code',
  'tokens',
  'same_refresh_token',
  'early_retry',
  'retry_loop',
  'logout',
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

/** A login without misbehaviour. It confirms what the app refused before. */
export const GOOD_LOGIN = {
  id: 'good-login',
  title: 'Good login',
  text: 'The server does nothing wrong. If this login succeeds, earlier failures were caused by the misbehaviour, and Grantbench learns what your app does in a good login.',
  expected: 'accept',
  level: 'must',
  section: 'OpenID Connect Core 3.1',
  advice: 'Look at the newest rejected request.',
  libraries: [] as { library: string; text: string }[],
  unreached: 'The app sent no request.',
  by_traffic: false,
  look_for: null,
} as const;
