// Refusals of presented access tokens: missing, sent twice, or invalid (RFC 6750 3.1).

import { durationInWords } from '../../../words.ts';
import { done, expired, failing, owner, revoked } from './refusal.ts';

export const ACCESS_TOKEN_REFUSALS = {
  ...failing('authorization_header', 'invalid_token', {
    access_token_missing: {
      description:
        'an access token is required in the Authorization header, as Bearer (RFC 6750 2.1)',
      summary: 'The request has no access token.',
      detail: (facts) => facts.got ?? 'neither the Authorization header nor the body contains one',
      advice:
        'Send the access_token from the token response in the Authorization header, as Bearer, or as DPoP if it is bound to a key.',
    },
  }),
  ...failing('authorization_header', 'invalid_request', {
    access_token_twice: {
      description: 'the access token must be sent in one way only (RFC 6750 2)',
      summary: 'The request has more than one access token.',
      detail: ({ got }) => got,
      advice: 'Send it in the Authorization header only.',
    },
  }),
  ...failing('credential_known', 'invalid_token', {
    access_token_malformed: {
      description: 'the access token is not valid',
      summary: 'This service did not issue this access token or no longer stores it.',
      detail: (facts) => facts.got ?? 'no access token matches it',
      advice:
        'Check that the complete token is sent, without quotes or line breaks. Opaque tokens are lost when the sandbox is reset or restarted.',
    },
    access_token_is_other_credential: {
      description: 'the access token is not valid',
      summary: 'The value sent as the access token is another kind of credential.',
      advice: 'Send the access_token from the token response, not the id_token or refresh_token.',
    },
    access_token_key_unknown: {
      description: 'the access token is not valid',
      summary:
        'The token was signed with a key that this service does not have or that was retired.',
      detail: ({ got }) => got,
      advice: 'Get a new token. A restart creates new signing keys unless they are kept in a file.',
    },
    access_token_signature_wrong: {
      description: 'the access token is not valid',
      summary: 'The signature of the token is invalid.',
      detail: ({ got }) => got,
      advice: 'Check whether the token was modified or truncated.',
    },
    access_token_not_issued: {
      description: 'the access token is not valid',
      summary: 'The token was built and signed for a test; it was never issued.',
      advice:
        'Only tokens that this service issued are accepted here. Request one, or issue one directly.',
    },
    access_token_of_other_issuer: {
      description: 'the access token is not valid',
      summary: 'The token was issued by another issuer.',
      detail: (facts) => `iss is ${facts.got || 'missing'}, this issuer is ${facts.expected ?? ''}`,
      advice: 'Get a new token. The issuer may have changed after this one was issued.',
    },
    access_token_of_other_epoch: {
      description: 'the access token is not valid',
      summary: 'The token was issued before the last restart or reset.',
      advice: 'Get a new token, or keep signing keys and revocations across restarts.',
    },
  }),
  ...failing('credential_live', 'invalid_token', {
    access_token_revoked: {
      description: 'the access token was revoked',
      summary: 'The access token or its whole lineage was revoked.',
      detail: revoked,
      advice: 'Get a new token. If the lineage was revoked, its refresh token was revoked, too.',
    },
    access_token_expired: {
      description: 'the access token has expired',
      summary: 'The access token has expired.',
      detail: expired,
      advice: 'Get a new access token, with the refresh token if there is one.',
    },
  }),
  ...failing('user', 'insufficient_scope', {
    access_token_of_client: {
      description:
        'the access token was issued with client_credentials and does not represent a user',
      summary: 'The token was issued with client_credentials: it represents a client, not a user.',
      advice: 'Use an access token that a user authorized.',
    },
  }),
  ...failing('user', 'invalid_token', {
    access_token_of_former_user: {
      description: 'the access token was issued for a user who is no longer registered',
      summary: 'The user that the token was issued for is no longer registered.',
      advice: 'Register the user again, or authorize as another user.',
    },
  }),
  ...failing('audience', 'invalid_token', {
    access_token_for_other_api: {
      description: 'the access token is not for this issuer',
      summary:
        'The token was issued for another API, and the setting userinfo_audience does not accept it here.',
      detail: ({ expected = '?', got = '?' }) =>
        `its audience is ${got}, the issuer is ${expected}`,
      advice: 'Request a token without an audience, or with the issuer as its audience.',
    },
  }),
  ...failing('scope', 'insufficient_scope', {
    openid_missing: {
      description: 'the access token must have the scope openid (OpenID Connect Core 5.3)',
      summary: 'The strict profile returns user claims only for a token with the scope openid.',
      advice: 'Request the scope openid in the authorization request.',
      accepted_by: 'documented',
    },
  }),
};

/** Refusals of protected APIs only (behaviour 19). */
export const API_REFUSALS = {
  ...failing('path', 'not_found', {
    api_path_without_rule: {
      description: 'no rule of the API is for this path',
      summary: 'The path belongs to a protected API, but no rule of the API covers it.',
      detail: ({ got }) => `the API is ${got ?? '?'}`,
      advice: ({ expected }) =>
        expected === undefined
          ? 'Add a rule for the path to the API, or call another path.'
          : `Send messages to exactly ${expected}: the rules of an MCP server are about its tools.`,
    },
  }),
  ...failing('authorization_header', 'invalid_request', {
    access_token_in_query: {
      description: 'the access token must not be in the query string (RFC 9700 4.3.2)',
      summary: 'The request has an access token in the query string, where it ends up in logs.',
      advice: 'Send Authorization: Bearer with the token instead.',
    },
  }),
  ...failing('typ', 'invalid_token', {
    access_token_typ_wrong: {
      description: 'the typ of the token must be that of an access token (RFC 9068 4)',
      summary: 'The header of the token has the typ of another kind of token.',
      advice: 'Send an access token. Without this check, an ID token could pass for one.',
    },
  }),
  ...failing('audience', 'invalid_token', {
    access_token_of_other_audience: {
      description: 'the access token is not for this API',
      summary: 'The token was issued for another audience, not for this API.',
      advice:
        'Request a token with the audience of the API, as audience or resource. Its metadata names it, if it has any.',
    },
  }),
  ...failing('not_before', 'invalid_token', {
    access_token_too_early: {
      description: 'the access token is not valid yet',
      summary: 'The nbf of the token is in the future.',
      detail: ({ seconds = 0 }) => `valid in ${durationInWords(seconds)}`,
      advice: 'Compare the clocks. The sandbox clock may have been set back.',
    },
  }),
  ...failing('token_type', 'invalid_token', {
    api_requires_dpop: {
      description: 'this API accepts only DPoP-bound access tokens (RFC 9449 7)',
      summary: 'The rule accepts only tokens that are bound to a key, but this is a bearer token.',
      advice:
        'Request the token with a DPoP proof. The authorization server supports DPoP in the interop profile.',
    },
    api_requires_bearer: {
      description: 'this API accepts only bearer tokens (RFC 6750)',
      summary: 'The rule accepts only bearer tokens, but the token is bound to a key.',
      advice: 'Request the token without a DPoP proof.',
    },
  }),
  ...failing('scope', 'insufficient_scope', {
    api_scope_missing: {
      description: 'the access token does not have all scopes that this request needs',
      summary: 'The token does not have all scopes that the rule requires.',
      advice: 'Authorize again with all scopes that the challenge names.',
    },
  }),
  ...failing('max_age', 'insufficient_user_authentication', {
    api_sign_in_unknown: {
      description:
        'this request needs a recent sign-in, and the access token has no auth_time (RFC 9470 6.1)',
      summary:
        'The rule requires a recent sign-in, but the token does not say when a user signed in.',
      advice: 'Use a token that a user authorized, with the audience of this API.',
    },
    api_sign_in_old: {
      description: 'this request needs a more recent sign-in of the user (RFC 9470 3)',
      summary: 'The user signed in longer ago than the rule allows.',
      detail: ({ seconds = 0, expected }) =>
        `signed in ${durationInWords(seconds)} ago, at most ${durationInWords(Number(expected))}`,
      advice: 'Authorize again with the max_age of the challenge.',
    },
  }),
  ...failing('acr', 'insufficient_user_authentication', {
    api_acr_differs: {
      description: 'this request needs another authentication context class (RFC 9470 3)',
      summary: 'The acr of the token is not one that the rule requires.',
      advice:
        'Authorize again with the acr_values of the challenge, as a user whose acr_values, if any, include one of them.',
    },
  }),
  ...failing('origin', 'access_denied', {
    mcp_origin_foreign: {
      description:
        'a page must have the origin of this server or of this machine (MCP 2026-07-28, Streamable HTTP)',
      summary:
        'The request comes from a page of another site, which could reach this machine by DNS rebinding.',
      detail: ({ got }) => `Origin: ${got ?? ''}`,
      advice: 'Call the MCP server from a program, or from a page on localhost.',
    },
  }),
  ...failing('message', 'invalid_request', {
    mcp_message_malformed: {
      description:
        'the body must be one JSON-RPC 2.0 request or notification, with the metadata of its MCP version',
      summary: 'The body is not an MCP message.',
      detail: ({ got }) => got,
    },
    mcp_header_differs: {
      description: ({ field: name = 'a header' }) => `${name} must say the same as the body`,
      summary: 'An MCP header is missing or differs from the body.',
      advice: ({ field: name = 'the header' }) => `Send ${name} with the value from the body.`,
    },
    mcp_version_unsupported: {
      description: 'the MCP version is not supported; see data.supported',
      summary: 'The client uses a version of MCP that is not supported.',
      advice: 'Use a version that data.supported of the response lists.',
    },
  }),
  ...failing('message', 'not_found', {
    mcp_method_unknown: {
      description: 'the MCP server does not have this method',
      summary: 'The MCP server does not have this method in the version that the client uses.',
      advice: 'Use only what the capabilities of the server list: tools.',
    },
  }),
  ...failing('message', 'invalid_request', {
    mcp_tool_unknown: {
      description: 'the MCP server does not have this tool; see tools/list',
      summary: 'The MCP server does not have this tool.',
      advice: 'Call a tool that tools/list lists, or add a rule for it to the API.',
    },
  }),
};

export const PRESENTED_TOKEN_REFUSALS = {
  ...failing('client_secret', 'invalid_client', {
    client_not_authenticated: {
      description: 'a client without a secret or key may not introspect tokens (RFC 7662 2.1)',
      summary: 'The client is public and cannot authenticate.',
      advice: 'Use a client that has a secret or a key.',
    },
  }),
  ...failing('credential_known', 'invalid_token', {
    token_unknown: {
      description: 'the token is not valid',
      summary: 'This service did not issue this token or no longer stores it.',
      advice: 'Check that the token is complete, and URL-encoded once in a form.',
    },
    token_is_code: {
      description: 'the token is not valid',
      summary: 'The value sent as token is an authorization code.',
      advice: 'Send an access token or a refresh token. An unused code expires by itself.',
    },
  }),
  ...failing('credential_client', 'invalid_grant', {
    token_of_other_client: {
      description: 'the token was not issued to this client',
      summary: 'The token was issued to another client. Only that client may revoke it.',
      detail: owner,
      advice: 'Authenticate as the client that the token was issued to.',
    },
  }),
  ...failing('credential_live', 'invalid_token', {
    token_rotated: {
      description: 'the refresh token is no longer valid: it was replaced',
      summary: 'The refresh token was replaced by a newer one.',
      detail: done('replaced'),
      advice: 'Use the newest refresh_token.',
    },
  }),
};
