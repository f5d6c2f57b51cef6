// Refusals about hints, sign-in and consent at the authorization endpoint, and refusals of the logout endpoint, which
// are never redirected.

import { CLIENT_UNKNOWN, differsFromNearest } from './of-authorization.ts';
import { failing } from './refusal.ts';

/** Hints are read at both endpoints. Refusals are sent to the client by the one, and shown on a page by the other. */
export const OF_HINTS = failing('id_token_hint', 'invalid_request', {
  id_token_hint_malformed: {
    description: 'id_token_hint must be an id_token',
    summary: 'The value sent as id_token_hint is not an ID token.',
    detail: ({ got }) => got,
    advice: 'Send the complete ID token from the token response.',
  },
  id_token_hint_signature_wrong: {
    description: 'id_token_hint must be an id_token of this issuer, unchanged',
    summary: 'The signature of the id_token_hint is invalid.',
    advice: 'Check whether the token was modified or truncated.',
  },
  id_token_hint_of_other_issuer: {
    description: 'id_token_hint must be an id_token of this issuer',
    summary: 'The id_token_hint was issued by another issuer.',
    detail: (facts) => `iss is ${facts.got ?? 'missing'}, this issuer is ${facts.expected ?? ''}`,
    advice: 'Send an ID token of this issuer, or no hint.',
  },
});

/** Mistakes that the page tells, so that the user can try again. The client learns nothing of them. */
export const OF_CREDENTIALS = failing('user', 'access_denied', {
  sign_in_password_wrong: {
    description: 'the password is wrong',
    summary: 'The password is wrong.',
    advice: 'Try again, or set another password in the workbench, under Users.',
  },
  sign_in_code_wrong: {
    description: 'the code is wrong',
    summary: 'The code is wrong.',
    advice: 'Enter the six digits that the page shows. Each form has its own code.',
  },
});

/** Refusals that are sent to the client because the user cannot be asked, or has denied the request. */
export const OF_THE_PERSON = {
  ...failing('user', 'login_required', {
    sign_in_missing: {
      description: 'no user is signed in, and prompt=none does not allow a sign-in page',
      summary:
        'No user is signed in at this browser, and prompt=none does not allow a sign-in page.',
      advice: 'Send the request without prompt=none.',
    },
    sign_in_too_old: {
      description: 'the sign-in is older than max_age allows',
      summary: 'The sign-in is older than max_age allows.',
      advice: 'Send the request without prompt=none.',
    },
    sign_in_of_other_user: {
      description: 'the signed-in user is not the one that the request names',
      summary: 'The signed-in user is not the one that the request is for.',
      advice: 'Send the request without prompt=none, or without its hint or the sub in claims.',
    },
    sign_in_sub_differs: {
      description:
        'the user who signed in is not the one whom id_token_hint or the claims parameter names (OpenID Connect Core 3.1.2.2)',
      summary:
        'The user who signed in is not the one whom id_token_hint or the claims parameter names.',
      compared_with: 'expected',
      detail: ({ expected = '?', got = '?' }) => `requested ${expected}, signed in ${got}`,
      advice: 'Sign in as that user, or send neither id_token_hint nor a sub in claims.',
    },
    sign_in_acr: {
      description:
        'the sign-in does not have the requested acr, and prompt=none does not allow another',
      summary:
        'The sign-in does not have the authentication context class (acr) that the request is for.',
      advice: 'Send the request without prompt=none.',
    },
    sign_in_hint_unknown: {
      description: 'the request names a user who is not registered',
      summary: 'The request is for a user who is not registered.',
      advice:
        'Send the sub or the email of a registered user as login_hint, or an id_token_hint or a sub in claims of one.',
    },
    sign_in_without_users: {
      description: 'there is no registered user who could sign in',
      summary: 'There is no registered user who could sign in.',
      advice: 'Register a user in the workbench, under Users.',
    },
  }),
  ...failing('user', 'access_denied', {
    sign_in_user_locked: {
      description: 'the account of the user is locked',
      summary: 'The account of the user is locked.',
      advice: 'Sign in as another user, or unlock this one in the workbench, under Users.',
    },
  }),
  ...failing('acr', 'unmet_authentication_requirements', {
    acr_unmet: {
      description: 'no sign-in can have the acr that the request requires',
      summary:
        'The claims parameter requires an acr that is not supported, or that the user does not have.',
      detail: ({ expected = '?', got = 'none' }) => `requires ${expected}, got ${got}`,
      advice:
        'Add the acr to the setting acr_values_supported, and to acr_values of the user if there are any; or request it without essential.',
    },
  }),
  ...failing('consent', 'consent_required', {
    consent_missing: {
      description:
        'the user has not given consent yet, and prompt=none does not allow a consent page',
      summary:
        'The user has not consented to all requested scopes yet, and prompt=none does not allow a consent page.',
      advice: 'Send the request once without prompt=none.',
    },
  }),
  ...failing('consent', 'access_denied', {
    authorization_denied_by_setting: {
      description: 'the request was denied',
      summary: 'Every authorization is denied, because the setting authorize is deny.',
      advice: 'Set authorize to consent or auto.',
    },
    authorization_denied_by_person: {
      description: 'the request was denied by the user',
      summary: 'The user chose Deny.',
      advice: 'This is a normal response that an app must handle.',
    },
  }),
  ...failing('consent', 'login_required', {
    sign_in_failed_by_person: {
      description: 'login_required was chosen on the sign-in page',
      summary: 'A tester chose login_required on the sign-in page.',
      advice: 'The app should offer to sign the user in again.',
    },
  }),
  ...failing('consent', 'server_error', {
    server_error_by_person: {
      description: 'server_error was chosen on the sign-in page',
      summary: 'A tester chose server_error on the sign-in page.',
      advice: 'The app should tell the user that the sign-in failed, and offer to try again.',
    },
  }),
  ...failing('consent', 'temporarily_unavailable', {
    unavailable_by_person: {
      description: 'temporarily_unavailable was chosen on the sign-in page',
      summary: 'A tester chose temporarily_unavailable on the sign-in page.',
      advice: 'The app should ask the user to try again later, and not repeat the request itself.',
    },
  }),
};

const notRegistered = {
  ...differsFromNearest('the URI'),
  advice: "Add exactly this value to the client's post_logout_redirect_uris.",
};

export const OF_LOGOUT = {
  ...failing('client_id', 'invalid_request', {
    logout_client_differs: {
      description: 'client_id must be the one that the id_token_hint was issued to',
      summary: 'The id_token_hint was issued to a client other than client_id.',
      compared_with: 'expected',
      detail: (facts) => `issued to ${facts.expected ?? '?'}, sent with ${facts.got ?? '?'}`,
      advice: 'Omit client_id, or send an ID token of that client.',
    },
  }),
  ...failing('client_id', 'invalid_client', { logout_client_unknown: CLIENT_UNKNOWN }),
  ...failing('redirect_uri', 'invalid_request', {
    logout_client_missing: {
      description:
        'client_id or id_token_hint is required: several clients have registered post_logout_redirect_uri',
      summary:
        'Several clients have registered this post-logout redirect URI, and the request does not identify one.',
      advice: 'Send client_id or id_token_hint.',
    },
    logout_uri_of_no_client: {
      description: 'post_logout_redirect_uri must be registered for a client',
      summary: 'No client has registered this post-logout redirect URI.',
      ...notRegistered,
    },
    logout_uri_none_registered: {
      description: 'the client has no post_logout_redirect_uris registered',
      summary: 'The client has no registered post-logout redirect URI.',
      advice: "Add the URI to the client's post_logout_redirect_uris.",
    },
    logout_uri_unregistered: {
      description: 'post_logout_redirect_uri must be one of those registered for the client',
      summary: 'The post-logout redirect URI is not registered for the client.',
      ...notRegistered,
    },
  }),
};

export const SIGN_IN_REFUSALS = {
  ...OF_HINTS,
  ...OF_CREDENTIALS,
  ...OF_THE_PERSON,
  ...OF_LOGOUT,
};
