// Who is at the browser: hints, sign-in and consent at the authorization endpoint, and the logout
// endpoint, which redirects nobody who is refused.

import { differsFromNearest } from './of-authorization.ts';
import type { Refusal } from './refusal.ts';
import { refusing } from './refusal.ts';

const invalid = refusing('invalid_request');
const loginRequired = refusing('login_required');
const denied = refusing('access_denied');

/** Read at both endpoints: the one tells the client, the other a page. */
const HINT = {
  id_token_hint_malformed: invalid(
    'id_token_hint',
    'id_token_hint must be an id_token',
    'What was sent as id_token_hint is no id_token.',
    { advice: 'Send the id_token of the token response whole.' },
  ),
  id_token_hint_signature_wrong: invalid(
    'id_token_hint',
    'id_token_hint must be an id_token of this issuer, unchanged',
    'The signature of the id_token_hint does not fit its content.',
    { advice: 'The token was changed on its way, or cut.' },
  ),
  id_token_hint_of_other_issuer: invalid(
    'id_token_hint',
    'id_token_hint must be an id_token of this issuer',
    'The id_token_hint names another issuer.',
    {
      detail: (facts) => `iss is ${facts.got ?? 'missing'}, this issuer is ${facts.expected ?? ''}`,
    },
  ),
} satisfies Record<string, Refusal>;

/** The person: told to the client where nobody may be asked. */
const OF_THE_PERSON = {
  sign_in_missing: loginRequired(
    'user',
    'nobody is signed in, and prompt=none allows no asking',
    'Nobody is signed in at this browser, and the request allows no asking.',
    { advice: 'Send the request without prompt=none.' },
  ),
  sign_in_too_old: loginRequired(
    'user',
    'the sign-in is older than max_age allows',
    'The sign-in is older than max_age allows.',
    { advice: 'Send the request without prompt=none.' },
  ),
  sign_in_of_other_user: loginRequired(
    'user',
    'another user is signed in than the hint names',
    'Another user is signed in than the one the request is about.',
    { advice: 'Send the request without prompt=none, or without its hint.' },
  ),
  sign_in_hint_unknown: loginRequired(
    'user',
    'the hint names no registered user',
    'The request is about a user who is not registered here.',
    { advice: 'A login_hint is the sub or the email of a registered user.' },
  ),
  sign_in_without_users: loginRequired(
    'user',
    'no user is registered who could sign in',
    'No user is registered who could authorize anything.',
    { advice: 'Register a user in the workbench, under Users.' },
  ),
  consent_missing: refusing('consent_required')(
    'consent',
    'the user has not agreed to this yet, and prompt=none allows no asking',
    'The user has not agreed to all of this before, and the request allows no asking.',
    { advice: 'Send the request once without prompt=none.' },
  ),
  authorization_denied_by_setting: denied(
    'consent',
    'the request was denied',
    'Every authorization is denied: the setting authorize is deny.',
    { advice: 'Set authorize to consent or auto.' },
  ),
  authorization_denied_by_person: denied(
    'consent',
    'the request was denied by the user',
    'The person at the browser chose Deny.',
    { advice: 'An app must cope with this answer: it is no fault.' },
  ),
} satisfies Record<string, Refusal>;

const OF_LOGOUT = {
  logout_client_differs: invalid(
    'client_id',
    'client_id must be the one that the id_token_hint was issued to',
    'The id_token_hint was issued to another client than client_id names.',
    {
      compared_with: 'expected',
      detail: (facts) => `issued to ${facts.expected ?? '?'}, sent with ${facts.got ?? '?'}`,
      advice: 'Leave client_id out, or send the id_token of that client.',
    },
  ),
  logout_client_unknown: refusing('invalid_client')(
    'client_id',
    'client_id must be that of a registered client',
    'No client is registered under this client_id.',
    { advice: 'Compare client_id with the list of clients, or register it.' },
  ),
  logout_client_missing: invalid(
    'redirect_uri',
    'post_logout_redirect_uri takes a client_id or an id_token_hint beside it',
    'The request wants to return somewhere but does not say which client it comes from.',
    { advice: 'Send client_id or id_token_hint.' },
  ),
  logout_uri_none_registered: invalid(
    'redirect_uri',
    'the client has no post_logout_redirect_uris registered',
    'The client has no address registered to return to after a logout.',
    { advice: "Add the address to the client's post_logout_redirect_uris." },
  ),
  logout_uri_unregistered: invalid(
    'redirect_uri',
    'post_logout_redirect_uri must be one of those registered for the client',
    'The address to return to is not one of those registered for the client.',
    {
      ...differsFromNearest('post_logout_redirect_uri'),
      advice: "Add exactly this value to the client's post_logout_redirect_uris.",
    },
  ),
} satisfies Record<string, Refusal>;

export const SIGN_IN_REFUSALS = {
  ...HINT,
  ...OF_THE_PERSON,
  ...OF_LOGOUT,
} satisfies Record<string, Refusal>;
