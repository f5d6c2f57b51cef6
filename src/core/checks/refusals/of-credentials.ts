// Checks 9 to 13: the code or refresh token, and the requested audience and scope.

import { durationInWords } from '../../../words.ts';
import { done, failing, owner, type RefusalFacts, since } from './refusal.ts';

/** The first place where two texts differ, zero-based. */
export function differsAt(expected: string, got: string): number {
  let index = 0;
  while (index < expected.length && expected[index] === got[index]) index += 1;
  return index;
}

/** Says where the actual value differs from the expected one. */
export const differs = (name: string) => ({
  compared_with: 'expected' as const,
  detail: (facts: RefusalFacts) =>
    `${name} differs at character ${differsAt(facts.expected ?? '', facts.got ?? '') + 1}`,
});

/** The only problem of a scope that just strict rejects. */
export const EXTRA_BLANKS = 'extra blanks';

const isOnlyBlanks = ({ field }: RefusalFacts) => field === EXTRA_BLANKS;

export const CREDENTIAL_REFUSALS = {
  // 9
  ...failing('throttle', 'too_many_requests', {
    throttled: {
      description: (facts) =>
        `too many requests with this ${facts.field ?? 'token'} from this address; retry in ${facts.seconds ?? 1} s`,
      summary: (facts) =>
        `Throttled: too many requests with this ${facts.field ?? 'token'} from this address.`,
      detail: (facts) =>
        `${facts.expected ?? ''}; resets in ${durationInWords(facts.seconds ?? 1)}`,
      advice:
        'Request a new access token only when the old one has expired, and wait as long as Retry-After says.',
    },
  }),

  // 10: the credential
  ...failing('credential_known', 'invalid_grant', {
    code_unknown: {
      description: 'the code is not valid',
      summary: 'This service did not issue this code or no longer stores it.',
      advice: 'Check that the code is complete, URL-decoded once, and sent to the right server.',
    },
    code_is_other_credential: {
      description: 'the code is not valid',
      summary: 'The value sent as code is another kind of credential.',
      detail: (facts) => `it is ${facts.got ?? 'another credential'}`,
      advice: 'Send the code from the authorization response.',
    },
  }),
  ...failing('credential_client', 'invalid_grant', {
    code_of_other_client: {
      description: 'the code was not issued to this client',
      summary: 'The code was issued to another client.',
      detail: owner,
      advice: 'Use the client_id of the authorization request.',
    },
  }),
  ...failing('credential_live', 'invalid_grant', {
    code_redeemed: {
      description: 'the code is no longer valid: it can be used only once',
      summary: 'The code was already used; its tokens are now revoked.',
      detail: done('used'),
      advice: 'Exchange each code once. A double submit or a retry often sends it twice.',
    },
    code_revoked: {
      description: 'the code is no longer valid: it was revoked',
      summary: 'The code was revoked.',
      detail: done('revoked'),
      advice: 'Send the user to the authorization endpoint again.',
    },
    code_expired: {
      description: 'the code is no longer valid: it has expired',
      summary: 'The code has expired.',
      detail: since,
      advice:
        'Exchange the code right after the redirect, or increase the code lifetime in the settings.',
    },
  }),
  ...failing('credential_known', 'invalid_grant', {
    refresh_token_unknown: {
      description: 'the refresh_token is not valid',
      summary: 'This service did not issue this refresh token or no longer stores it.',
      advice: 'Tokens are lost when the sandbox is reset or restarted: authorize again.',
    },
    refresh_token_is_other_credential: {
      description: 'the refresh_token is not valid',
      summary: 'The value sent as refresh_token is another kind of credential.',
      detail: (facts) => `it is ${facts.got ?? 'another credential'}`,
      advice: 'Send the refresh_token from the token response.',
    },
  }),
  ...failing('credential_client', 'invalid_grant', {
    refresh_token_of_other_client: {
      description: 'the refresh_token was not issued to this client',
      summary: 'The refresh token was issued to another client.',
      detail: owner,
      advice: 'Refresh with the client that exchanged the code.',
    },
  }),
  ...failing('credential_live', 'invalid_grant', {
    refresh_token_rotated: {
      description: 'the refresh_token is no longer valid: it was replaced',
      summary: 'The refresh token was already replaced; all tokens of its lineage are now revoked.',
      detail: done('replaced'),
      advice: 'Store the refresh_token of each response, and do not refresh in parallel.',
    },
    refresh_token_revoked: {
      description: 'the refresh_token is no longer valid: it was revoked',
      summary: 'The refresh token was revoked.',
      detail: done('revoked'),
      advice: 'Send the user to the authorization endpoint again.',
    },
    refresh_token_expired: {
      description: 'the refresh_token is no longer valid: it has expired',
      summary: 'The refresh token has expired.',
      detail: since,
      advice: 'Send the user to the authorization endpoint again.',
    },
  }),

  // 11
  ...failing('redirect_uri', 'invalid_grant', {
    redirect_uri_differs: {
      description:
        'redirect_uri must be identical to the one the code was issued for (RFC 6749 4.1.3)',
      summary: 'The redirect URI is not the one the code was issued for.',
      ...differs('redirect_uri'),
      advice: 'Send exactly the value from the authorization request. The code can still be used.',
    },
  }),
  ...failing('pkce', 'invalid_grant', {
    code_verifier_missing: {
      description: 'code_verifier is required: the code was issued with a code_challenge',
      summary: 'The code was issued with a code_challenge, but no code_verifier was sent.',
      advice: 'Send the code_verifier that the challenge was derived from (RFC 7636 4.5).',
    },
    code_verifier_unexpected: {
      description: 'code_verifier must not be sent: the code was issued without a code_challenge',
      summary: 'A code_verifier was sent, but the code was issued without a code_challenge.',
      advice: 'Send code_challenge in the authorization request, or omit code_verifier.',
    },
    code_verifier_malformed: {
      description: 'code_verifier must be 43 to 128 unreserved characters (RFC 7636 4.1)',
      summary: 'The code_verifier has a length or characters that RFC 7636 does not allow.',
      detail: ({ got = 'it is malformed' }) => got,
      advice: 'Create the verifier as base64url of 32 random bytes, without padding.',
    },
    code_verifier_wrong: {
      description: 'code_verifier does not match the code_challenge (RFC 7636 4.6)',
      summary: 'The code_verifier does not match the code_challenge.',
      detail: (facts) => `challenge method ${facts.expected ?? ''}`,
      advice: 'Send the code_verifier of the authorization request that this code was issued for.',
    },
    challenge_required: {
      description: 'a client without a secret must use a code_challenge (RFC 7636)',
      summary: 'A public client redeems a code that was issued without a code_challenge.',
      advice: 'Send code_challenge and code_challenge_method=S256 in the authorization request.',
    },
  }),

  // 12
  ...failing('audience', 'invalid_target', {
    audience_unknown: {
      description: ({ field = 'audience' }) =>
        `${field} must be the URI of a registered API (RFC 8707)`,
      summary: 'No audience is registered under this URI.',
      compared_with: 'nearest',
      detail: ({ field = 'audience', expected, got = '' }) =>
        expected && `${field} is ${got}; the nearest registered audience is ${expected}`,
      advice: 'Compare it with the list of audiences. The issuer itself is always one.',
    },
    audience_differs: {
      description: ({ field = 'audience' }) => `${field} must be the one that was authorized`,
      summary: 'The audience is not the one that was authorized.',
      compared_with: 'expected',
      detail: (facts) => differs(facts.field ?? 'audience').detail(facts),
      advice: ({ field = 'audience' }) => `Send the same ${field} in both requests.`,
    },
    resource_repeated: {
      description: 'resource must be sent once: a token is for one API here (RFC 8707 2)',
      summary: 'The request has resource more than once.',
      advice: 'Request a separate token for each API.',
    },
    resource_differs: {
      description: 'audience and resource must agree (RFC 8707)',
      summary: 'The audience and the resource of the request are different APIs.',
      advice: 'Send one of the two, or the same value in both.',
    },
  }),
  ...failing('scope', 'invalid_scope', {
    scope_unknown: {
      description: 'scope must contain only scopes that are defined for the audience',
      summary: 'One of the scopes is not defined for the audience.',
      detail: (facts) => `${facts.got ?? 'a scope'} is not a scope of ${facts.expected ?? ''}`,
      advice: 'Add the scope to the audience, or request fewer scopes.',
      accepted_by: 'interop',
    },
    scope_beyond_grant: {
      description: 'scope must not exceed what was granted (RFC 6749 6)',
      summary: 'The refresh request asks for more scope than was granted.',
      detail: (facts) => `${facts.got ?? 'a scope'} was not granted`,
      advice: 'Request at most the granted scope, or omit scope.',
    },
    scope_malformed: {
      description: 'scope must be scope tokens separated by single spaces (RFC 6749 3.3)',
      summary: 'The scope parameter is not a list of scope tokens.',
      detail: (facts) =>
        isOnlyBlanks(facts) ? `it has ${EXTRA_BLANKS}` : 'a character is not allowed',
      advice:
        'Separate the scopes by single spaces, without blanks around them; each has printable ASCII characters without " and \\.',
      accepted_by: (facts) => (isOnlyBlanks(facts) ? 'documented' : null),
    },
  }),
  ...failing('id_token', 'invalid_request', {
    id_token_secret_short: {
      description: ({ expected = 'a longer client_secret', bytes = 0 }) =>
        `an id_token signed with HS256 needs ${expected} (RFC 7518 3.2); this client has ${bytes === 0 ? 'none' : `one of ${bytes}`}`,
      summary: 'The client_secret is too short to sign an ID token with HS256.',
      detail: ({ expected = '', got = '' }) => `HS256 needs ${expected}; the client has ${got}`,
      advice:
        'Give the client a client_secret that is long enough, choose another signing algorithm, or do not request openid.',
    },
  }),
};

const WRONG = 'username or password is wrong';

/**
 * Check 10 of the password grant (RFC 6749 4.3). The response does not say whether the username or the password is
 * wrong; the trace does.
 */
export const PASSWORD_REFUSALS = {
  ...failing('credential_known', 'invalid_grant', {
    username_unknown: {
      description: WRONG,
      summary: 'No registered user has this username.',
      detail: ({ got = 'another name' }) => `username is ${got}`,
      advice: 'Send the sub or the e-mail address of a registered user.',
    },
  }),
  ...failing('user', 'invalid_grant', {
    password_wrong: {
      description: WRONG,
      summary: 'The password of the user is wrong.',
      detail: ({ got = 'the user' }) => `wrong password for ${got}`,
      advice: 'Set the password of the user again: grantbench users set <sub> --password <text>.',
    },
    username_locked: {
      description: WRONG,
      summary: 'The account of the user is locked.',
      detail: ({ got = 'the user' }) => `${got} is locked`,
      advice: 'Unlock the user: grantbench users set <sub> locked=false.',
    },
  }),
};
