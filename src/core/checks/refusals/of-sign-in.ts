// Refusals about hints, sign-in and consent at the authorization endpoint, and refusals of the logout endpoint, which
// are never redirected.

import { CLIENT_UNKNOWN, differsFromNearest } from './of-authorization.ts';
import type { MoreOfRefusal, Refusal } from './refusal.ts';
import { failingAt, refusing } from './refusal.ts';

const invalid = refusing('invalid_request');
const loginRequired = failingAt('user', 'login_required');
const denied = refusing('access_denied');

/** Hints are read at both endpoints. Refusals are sent to the client by the one, and shown on a page by the other. */
export const OF_HINTS = {
  id_token_hint_malformed: invalid(
    'id_token_hint',
    'id_token_hint must be an id_token',
    'The value sent as id_token_hint is not an ID token.',
    { advice: 'Send the complete ID token from the token response.' },
  ),
  id_token_hint_signature_wrong: invalid(
    'id_token_hint',
    'id_token_hint must be an id_token of this issuer, unchanged',
    'The signature of the id_token_hint is invalid.',
    { advice: 'Check whether the token was modified or truncated.' },
  ),
  id_token_hint_of_other_issuer: invalid(
    'id_token_hint',
    'id_token_hint must be an id_token of this issuer',
    'The id_token_hint was issued by another issuer.',
    {
      detail: (facts) => `iss is ${facts.got ?? 'missing'}, this issuer is ${facts.expected ?? ''}`,
    },
  ),
} satisfies Record<string, Refusal>;

/** Mistakes that the page tells, so that the user can try again. The client learns nothing of them. */
export const OF_CREDENTIALS = {
  sign_in_password_wrong: denied('user', 'the password is wrong', 'The password is wrong.', {
    advice: 'Try again, or set another password in the workbench, under Users.',
  }),
  sign_in_code_wrong: denied('user', 'the code is wrong', 'The code is wrong.', {
    advice: 'Enter the six digits that the page shows. Each form has other ones.',
  }),
} satisfies Record<string, Refusal>;

/** Refusals that are sent to the client because the user cannot be asked, or has denied the request. */
export const OF_THE_PERSON = {
  sign_in_missing: loginRequired(
    'no user is signed in, and prompt=none does not allow a sign-in page',
    'No user is signed in at this browser, and prompt=none does not allow a sign-in page.',
    { advice: 'Send the request without prompt=none.' },
  ),
  sign_in_too_old: loginRequired(
    'the sign-in is older than max_age allows',
    'The sign-in is older than max_age allows.',
    { advice: 'Send the request without prompt=none.' },
  ),
  sign_in_of_other_user: loginRequired(
    'the signed-in user is not the one that the hint names',
    'The signed-in user is not the one that the request is for.',
    { advice: 'Send the request without prompt=none, or without its hint.' },
  ),
  sign_in_sub_differs: loginRequired(
    'the user who signed in is not the one whose sub the claims parameter requests (OpenID Connect Core 5.5.1)',
    'The user who signed in is not the one whose sub the claims parameter requests.',
    {
      compared_with: 'expected',
      detail: ({ expected = '?', got = '?' }) => `requested ${expected}, signed in ${got}`,
      advice: 'Sign in as that user, or leave sub out of claims.',
    },
  ),
  sign_in_acr: loginRequired(
    'the sign-in does not have the requested acr, and prompt=none does not allow another',
    'The sign-in does not have the authentication context class (acr) that the request is for.',
    { advice: 'Send the request without prompt=none.' },
  ),
  sign_in_hint_unknown: loginRequired(
    'the hint does not name a registered user',
    'The request is for a user who is not registered.',
    { advice: 'A login_hint is the sub or the email of a registered user.' },
  ),
  sign_in_without_users: loginRequired(
    'there is no registered user who could sign in',
    'There is no registered user who could sign in.',
    { advice: 'Register a user in the workbench, under Users.' },
  ),
  sign_in_user_locked: denied(
    'user',
    'the account of the user is locked',
    'The account of the user is locked.',
    {
      advice: 'Sign in as another user, or unlock this one in the workbench, under Users.',
    },
  ),
  acr_unmet: refusing('unmet_authentication_requirements')(
    'acr',
    'no sign-in can have the acr that the request requires',
    'The claims parameter requires an acr that is not supported, or that the user does not have.',
    {
      detail: ({ expected = '?', got = 'none' }) => `requires ${expected}, got ${got}`,
      advice:
        'Add the acr to the setting acr_values_supported, and to acr_values of the user if there are any; or request it without essential.',
    },
  ),
  consent_missing: refusing('consent_required')(
    'consent',
    'the user has not given consent yet, and prompt=none does not allow a consent page',
    'The user has not consented to all requested scopes yet, and prompt=none does not allow a consent page.',
    { advice: 'Send the request once without prompt=none.' },
  ),
  authorization_denied_by_setting: denied(
    'consent',
    'the request was denied',
    'Every authorization is denied, because the setting authorize is deny.',
    { advice: 'Set authorize to consent or auto.' },
  ),
  authorization_denied_by_person: denied(
    'consent',
    'the request was denied by the user',
    'The user chose Deny.',
    { advice: 'This is a normal response that an app must handle.' },
  ),
  sign_in_failed_by_person: refusing('login_required')(
    'consent',
    'login_required was chosen on the sign-in page',
    'A tester chose login_required on the sign-in page.',
    { advice: 'The app should offer to sign the user in again.' },
  ),
  server_error_by_person: refusing('server_error')(
    'consent',
    'server_error was chosen on the sign-in page',
    'A tester chose server_error on the sign-in page.',
    { advice: 'The app should tell the user that the sign-in failed, and offer to try again.' },
  ),
  unavailable_by_person: refusing('temporarily_unavailable')(
    'consent',
    'temporarily_unavailable was chosen on the sign-in page',
    'A tester chose temporarily_unavailable on the sign-in page.',
    {
      advice: 'The app should ask the user to try again later, and not repeat the request itself.',
    },
  ),
} satisfies Record<string, Refusal>;

const notRegistered: MoreOfRefusal = {
  ...differsFromNearest('post_logout_redirect_uri'),
  advice: "Add exactly this value to the client's post_logout_redirect_uris.",
};

export const OF_LOGOUT = {
  logout_client_differs: invalid(
    'client_id',
    'client_id must be the one that the id_token_hint was issued to',
    'The id_token_hint was issued to a client other than client_id.',
    {
      compared_with: 'expected',
      detail: (facts) => `issued to ${facts.expected ?? '?'}, sent with ${facts.got ?? '?'}`,
      advice: 'Omit client_id, or send an ID token of that client.',
    },
  ),
  logout_client_unknown: CLIENT_UNKNOWN,
  logout_client_missing: invalid(
    'redirect_uri',
    'client_id or id_token_hint is required: several clients have registered post_logout_redirect_uri',
    'Several clients have registered this post-logout redirect URI, and the request does not identify one.',
    { advice: 'Send client_id or id_token_hint.' },
  ),
  logout_uri_of_no_client: invalid(
    'redirect_uri',
    'post_logout_redirect_uri must be registered for a client',
    'No client has registered this post-logout redirect URI.',
    notRegistered,
  ),
  logout_uri_none_registered: invalid(
    'redirect_uri',
    'the client has no post_logout_redirect_uris registered',
    'The client has no registered post-logout redirect URI.',
    { advice: "Add the URI to the client's post_logout_redirect_uris." },
  ),
  logout_uri_unregistered: invalid(
    'redirect_uri',
    'post_logout_redirect_uri must be one of those registered for the client',
    'The post-logout redirect URI is not registered for the client.',
    notRegistered,
  ),
} satisfies Record<string, Refusal>;

export const SIGN_IN_REFUSALS = {
  ...OF_HINTS,
  ...OF_CREDENTIALS,
  ...OF_THE_PERSON,
  ...OF_LOGOUT,
} satisfies Record<string, Refusal>;
