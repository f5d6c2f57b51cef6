// Mistakes in requests to the token endpoint: those of all grants, and those of codes, refresh tokens, passwords and
// client credentials.

import { FORM_TYPE } from '../../oauth/fields.ts';
import {
  OTHER_AUDIENCE,
  OTHER_CLIENT,
  type Mistake,
  type MistakeGroup,
  type Place,
} from './mistake.ts';
import { CLIENT_ASSERTION } from './of-assertions.ts';
import { CODE_PROOFS, PASSWORD_PROOFS, REFRESH_PROOFS, TOKEN_PROOFS } from './of-proofs.ts';

const CLIENT: MistakeGroup = {
  name: 'Client',
  mistakes: [
    {
      id: 'wrong_secret',
      title: 'Wrong secret',
      sends: 'client_secret with another value',
      section: 'behaviour 3.4, spec 5.1',
      needs: ['secret'],
      change: { fields: { client_secret: 'not-the-secret' } },
      expects: 'client_secret_wrong',
    },
    {
      id: 'missing_secret',
      title: 'Missing secret',
      sends: 'no client_secret at all',
      section: 'behaviour 3.4, spec 5.1',
      needs: ['secret'],
      change: { fields: { client_secret: null } },
      expects: 'client_secret_missing',
    },
    {
      id: 'unknown_client',
      title: 'Unknown client',
      sends: 'a client_id that is not registered',
      section: 'behaviour 3.4, spec 5.1',
      change: { fields: { client_id: 'an-unregistered-client' } },
      expects: 'client_unknown',
    },
    {
      id: 'missing_client_id',
      title: 'Missing client_id',
      sends: 'no client_id at all',
      section: 'behaviour 3.3, spec 5.1',
      needs: ['client_id'],
      change: { fields: { client_id: null } },
      expects: 'client_id_missing',
    },
    {
      id: 'secret_in_header',
      title: 'Secret in a header',
      sends: 'HTTP Basic instead of body fields',
      section: 'behaviour 1.6, spec 5.1',
      needs: ['secret'],
      change: { client_auth: 'basic' },
      expects: {
        interop: 'accepted',
        strict: 'header_not_allowed',
        otherwise: 'basic_not_allowed',
      },
    },
    {
      id: 'secret_in_query',
      title: 'Secret in the query string',
      sends: 'client_id and client_secret in the URL as well',
      section: 'behaviour 1.10, spec 5.1',
      needs: ['secret'],
      change: {
        query: { client_id: '{{client.client_id}}', client_secret: '{{client.client_secret}}' },
      },
      expects: { strict: 'query_credentials', otherwise: 'accepted' },
    },
  ],
};

const ENVELOPE: readonly Mistake[] = [
  {
    id: 'text_plain',
    title: 'Content type text/plain',
    sends: 'the correct body with an unsupported type',
    section: 'behaviour 3.3',
    change: { headers: { 'Content-Type': 'text/plain' } },
    expects: 'content_type_unreadable',
  },
  {
    id: 'other_charset',
    title: 'Wrong charset',
    sends: 'a form with charset=iso-8859-1',
    section: 'behaviour 3.3',
    change: { format: 'form', headers: { 'Content-Type': `${FORM_TYPE}; charset=iso-8859-1` } },
    expects: 'charset_unsupported',
  },
  {
    id: 'empty_body',
    title: 'No body',
    sends: 'a content type but an empty body',
    section: 'behaviour 3.3',
    request: { without_body: true },
    expects: 'body_missing',
  },
  {
    id: 'get',
    title: 'GET instead of POST',
    sends: 'the fields in the query string of a GET',
    section: 'behaviour 3.8',
    change: { format: 'form' },
    request: { method: 'GET', fields_in_query: 'instead' },
    expects: 'method_not_allowed',
  },
];

const JSON_INSTEAD_OF_FORM: Mistake = {
  id: 'json_body',
  title: 'JSON instead of form',
  sends: 'the same fields as a JSON object',
  section: 'behaviour 1.3',
  change: { format: 'json' },
  expects: { strict: 'content_type_not_documented', otherwise: 'accepted' },
};

const FORM_BODY: readonly Mistake[] = [JSON_INSTEAD_OF_FORM, ...ENVELOPE];

const repeated = (field: string): Mistake => ({
  id: 'repeated_field',
  title: 'Repeated field',
  sends: `${field} twice in the same form`,
  section: 'behaviour 3.3, RFC 6749 3.2',
  request: { around_body: ['', `&${field}=again`] },
  expects: 'parameter_repeated',
});

const missing = (field: string, id: string, section: string): Mistake => ({
  id,
  title: `Missing ${field}`,
  sends: `no ${field} at all`,
  section,
  change: { fields: { [field]: null } },
  expects: 'parameter_missing',
});

const UNKNOWN_AUDIENCE = {
  id: 'unknown_audience',
  title: 'Unknown audience',
  sends: 'an audience that is not registered',
  change: { fields: { audience: 'https://unregistered.example/api' } },
  expects: 'audience_unknown',
} as const;

const UNKNOWN_SCOPE = {
  id: 'unknown_scope',
  title: 'Unknown scope',
  sends: 'a scope that no audience defines',
  change: { fields: { scope: 'never:defined' } },
  expects: { interop: 'accepted', otherwise: 'scope_unknown' },
} as const;

const OTHER_CLIENTS_CREDENTIALS = {
  needs: ['other_client'],
  change: { client: OTHER_CLIENT, client_auth: null },
} as const;

const EXCHANGE: Place = {
  id: 'exchange',
  title: 'Exchange the code',
  grants: ['authorization_code'],
  prepare: [{ issue_code: { scope: 'openid', pkce: 'S256' } }],
  step: { token: { grant: 'authorization_code' } },
  groups: [
    CLIENT,
    {
      name: 'Code and redirect',
      mistakes: [
        {
          id: 'redirect_slash',
          title: 'Redirect URI with a trailing slash',
          sends: 'redirect_uri that differs by one slash',
          section: 'behaviour 3.6, spec 4.1.1, RFC 6749 4.1.3',
          change: { fields: { redirect_uri: '{{redirect_uri|other_slash}}' } },
          expects: 'redirect_uri_differs',
        },
        {
          id: 'redirect_case',
          title: 'Redirect URI with different case',
          sends: 'redirect_uri with one letter in the other case',
          section: 'behaviour 3.6, spec 4.1.1, RFC 6749 4.1.3',
          change: { fields: { redirect_uri: '{{redirect_uri|other_case}}' } },
          expects: 'redirect_uri_differs',
        },
        {
          id: 'used_code',
          title: 'Used code',
          sends: 'a code that was redeemed just before',
          section: 'behaviour 4.7, RFC 6749 4.1.2',
          before: [{ token: { grant: 'authorization_code' } }],
          expects: 'code_redeemed',
        },
        {
          id: 'expired_code',
          title: 'Expired code',
          sends: 'a code that was expired over the control API',
          section: 'behaviour 3.6, RFC 6749 4.1.2',
          before: [{ expire: '{{code}}' }],
          expects: 'code_expired',
        },
        {
          id: 'unknown_code',
          title: 'Unknown code',
          sends: 'a code that was never issued',
          section: 'behaviour 3.6, RFC 6749 5.2',
          change: { fields: { code: 'a-code-never-issued' } },
          expects: 'code_unknown',
        },
        {
          id: 'empty_code',
          title: 'Empty code',
          sends: 'code with an empty value',
          section: 'behaviour 3.3, spec 4.1.1',
          change: { fields: { code: '' } },
          expects: 'parameter_empty',
        },
        {
          id: 'other_client',
          title: 'Code of another client',
          sends: 'this code with another client’s credentials',
          section: 'behaviour 3.6, RFC 6749 4.1.3',
          ...OTHER_CLIENTS_CREDENTIALS,
          expects: 'code_of_other_client',
        },
        {
          id: 'wrong_verifier',
          title: 'Wrong PKCE verifier',
          sends: 'a code_verifier that does not match the challenge',
          section: 'behaviour 3.6, RFC 7636 4.6',
          change: {
            fields: { code_verifier: 'a-verifier-that-belongs-to-no-challenge-at-all' },
          },
          expects: 'code_verifier_wrong',
        },
        {
          id: 'missing_verifier',
          title: 'Missing PKCE verifier',
          sends: 'no code_verifier for a code with a challenge',
          section: 'behaviour 3.6, RFC 7636 4.6',
          change: { fields: { code_verifier: null } },
          expects: 'code_verifier_missing',
        },
      ],
    },
    {
      name: 'Fields',
      mistakes: [
        {
          id: 'other_audience',
          title: 'Wrong audience',
          sends: 'an audience the code was not issued for',
          section: 'behaviour 3.7, RFC 8707 2',
          change: { fields: { audience: OTHER_AUDIENCE } },
          expects: 'audience_differs',
        },
        {
          ...missing('audience', 'missing_audience', 'behaviour 1.4, spec 4.1.1'),
          expects: { interop: 'accepted', otherwise: 'parameter_missing' },
        },
        {
          id: 'wrong_grant_type',
          title: 'Wrong grant_type',
          sends: 'grant_type=authorization-code, with a hyphen',
          section: 'behaviour 3.5, spec 4.1.1',
          change: { fields: { grant_type: 'authorization-code' } },
          expects: 'grant_type_unsupported',
        },
      ],
    },
    {
      name: 'Body and method',
      mistakes: [
        {
          id: 'form_body',
          title: 'Form instead of JSON',
          sends: 'the same fields, form-encoded',
          section: 'behaviour 1.3, spec 4.1.1',
          change: { format: 'form' },
          expects: { strict: 'content_type_not_documented', otherwise: 'accepted' },
        },
        {
          id: 'repeated_field',
          title: 'Repeated field',
          sends: 'code twice in the same JSON object',
          section: 'behaviour 3.3, RFC 6749 3.2',
          request: { cut: 1, around_body: ['', ', "code": "again"}'] },
          expects: 'parameter_repeated',
        },
        {
          id: 'broken_json',
          title: 'Broken JSON',
          sends: 'a body without its closing brace',
          section: 'behaviour 3.3',
          request: { cut: 1 },
          expects: 'json_malformed',
        },
        {
          id: 'json_array',
          title: 'JSON array',
          sends: 'the object wrapped in an array',
          section: 'behaviour 3.3, spec 4.1.1',
          request: { around_body: ['[', ']'] },
          expects: 'json_not_object',
        },
        {
          id: 'number_value',
          title: 'A number for a string',
          sends: 'code as a JSON number',
          section: 'behaviour 3.3',
          change: { fields: { code: 12_345 } },
          expects: 'value_not_string',
        },
        ...ENVELOPE,
      ],
    },
    CLIENT_ASSERTION,
    CODE_PROOFS,
  ],
};

const REFRESH: Place = {
  id: 'refresh',
  title: 'Refresh',
  grants: ['authorization_code', 'device_code', 'password'],
  prepare: [{ issue_tokens: { scope: 'openid' } }],
  step: { token: { grant: 'refresh_token' } },
  groups: [
    CLIENT,
    {
      name: 'Token',
      mistakes: [
        {
          id: 'unknown_token',
          title: 'Unknown token',
          sends: 'a refresh token that was never issued',
          section: 'behaviour 3.6, RFC 6749 5.2',
          change: { fields: { refresh_token: 'a-token-never-issued' } },
          expects: 'refresh_token_unknown',
        },
        {
          id: 'access_token',
          title: 'Access token instead',
          sends: 'the access token as refresh_token',
          section: 'behaviour 3.6, RFC 6749 6',
          change: { fields: { refresh_token: '{{access_token}}' } },
          expects: 'refresh_token_is_other_credential',
          needs: ['jwt_access_token'],
        },
        {
          id: 'revoked_token',
          title: 'Revoked token',
          sends: 'a refresh token that was revoked just before',
          section: 'behaviour 3.6, RFC 7009 2.1',
          before: [{ revoke: '{{refresh_token}}' }],
          expects: 'refresh_token_revoked',
        },
        {
          id: 'expired_token',
          title: 'Expired token',
          sends: 'a refresh token that was expired over the control API',
          section: 'behaviour 3.6, RFC 6749 5.2',
          before: [{ expire: '{{refresh_token}}' }],
          expects: 'refresh_token_expired',
        },
        missing('refresh_token', 'missing_token', 'behaviour 3.3, spec 4.1.2'),
        {
          id: 'empty_token',
          title: 'Empty refresh_token',
          sends: 'refresh_token with an empty value',
          section: 'behaviour 3.3, spec 4.1.2',
          change: { fields: { refresh_token: '' } },
          expects: 'parameter_empty',
        },
        {
          id: 'other_client',
          title: 'Token of another client',
          sends: 'this refresh token with another client’s credentials',
          section: 'behaviour 3.6, RFC 6749 6',
          ...OTHER_CLIENTS_CREDENTIALS,
          expects: 'refresh_token_of_other_client',
        },
        {
          id: 'wide_scope',
          title: 'Scope beyond the grant',
          sends: 'a scope that was never granted',
          section: 'behaviour 3.7, RFC 6749 6',
          change: { fields: { scope: 'never:granted' } },
          expects: { interop: 'accepted', otherwise: 'scope_beyond_grant' },
        },
        {
          id: 'wrong_grant_type',
          title: 'Wrong grant_type',
          sends: 'grant_type=refresh',
          section: 'behaviour 3.5, spec 4.1.2',
          change: { fields: { grant_type: 'refresh' } },
          expects: 'grant_type_unsupported',
        },
      ],
    },
    {
      name: 'Body and method',
      mistakes: [
        { ...JSON_INSTEAD_OF_FORM, section: 'behaviour 1.3, spec 4.1.2' },
        repeated('refresh_token'),
        {
          id: 'bad_escape',
          title: 'Invalid UTF-8',
          sends: 'a form with the escape %FF in it',
          section: 'behaviour 3.3',
          request: { around_body: ['', '&note=%FF'] },
          expects: 'body_not_utf8',
        },
        ...ENVELOPE,
      ],
    },
    REFRESH_PROOFS,
  ],
};

/** The strict profile rejects the grant after client authentication. */
const notInStrict = (expects: Exclude<Mistake['expects'], object>): Mistake['expects'] => ({
  strict: 'grant_not_in_profile',
  otherwise: expects,
});

const PASSWORD: Place = {
  id: 'password',
  title: 'Send the password',
  grants: ['password'],
  prepare: [],
  step: { token: { grant: 'password', fields: { audience: '{{issuer}}' } } },
  groups: [
    CLIENT,
    {
      name: 'User',
      mistakes: [
        {
          id: 'unknown_user',
          title: 'Unknown user',
          sends: 'an unregistered username',
          section: 'behaviour 7.21, RFC 6749 5.2',
          change: { fields: { username: 'an-unregistered-user' } },
          expects: notInStrict('username_unknown'),
        },
        {
          id: 'wrong_password',
          title: 'Wrong password',
          sends: 'a password other than the user’s',
          section: 'behaviour 7.21, RFC 6749 5.2',
          needs: ['user_password'],
          change: { fields: { password: 'not the password' } },
          expects: notInStrict('password_wrong'),
        },
        {
          ...missing('username', 'missing_username', 'behaviour 3.3, RFC 6749 4.3.2'),
          expects: notInStrict('parameter_missing'),
        },
        {
          ...missing('password', 'missing_password', 'behaviour 3.3, RFC 6749 4.3.2'),
          expects: notInStrict('parameter_missing'),
        },
        {
          ...UNKNOWN_AUDIENCE,
          section: 'behaviour 7.16, RFC 8707 2',
          expects: notInStrict('audience_unknown'),
        },
      ],
    },
    {
      name: 'Body and method',
      mistakes: [JSON_INSTEAD_OF_FORM, repeated('username'), ...ENVELOPE],
    },
    PASSWORD_PROOFS,
  ],
};

const CLIENT_CREDENTIALS: Place = {
  id: 'client_credentials',
  title: 'Request a token for the client',
  grants: ['client_credentials'],
  prepare: [],
  step: { token: { grant: 'client_credentials' } },
  groups: [
    CLIENT,
    {
      name: 'Request',
      mistakes: [
        { ...UNKNOWN_AUDIENCE, section: 'behaviour 7.16, RFC 8707 2' },
        { ...UNKNOWN_SCOPE, section: 'behaviour 7.16, RFC 6749 3.3' },
      ],
    },
    { name: 'Body and method', mistakes: FORM_BODY },
    CLIENT_ASSERTION,
    TOKEN_PROOFS,
  ],
};

export const TOKEN_PLACES = [EXCHANGE, REFRESH, PASSWORD, CLIENT_CREDENTIALS] as const;
export { CLIENT, FORM_BODY, missing, OTHER_CLIENTS_CREDENTIALS, UNKNOWN_AUDIENCE, UNKNOWN_SCOPE };
