// Mistakes in a call to the API: the wrong token, or the correct one in the wrong place (RFC 6750).

import type { Place } from './mistake.ts';
import { API_MISTAKES } from './of-apis.ts';
import { API_PROOFS } from './of-proofs.ts';

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

export const USERINFO: Place = {
  id: 'api',
  title: 'Call an API with it',
  grants: ['authorization_code', 'device_code', 'password', 'token-exchange', 'jwt-bearer'],
  prepare: [{ issue_tokens: { scope: 'openid' } }],
  step: { request: { path: '/userinfo', ...bearer('{{access_token}}') } },
  groups: [
    {
      name: 'Token',
      mistakes: [
        {
          id: 'expired',
          title: 'Expired token',
          sends: 'a token that was expired over the control API',
          section: 'behaviour 2.11, RFC 6750 3.1',
          before: [{ expire: '{{access_token}}' }],
          expects: 'access_token_expired',
        },
        {
          id: 'revoked',
          title: 'Revoked token',
          sends: 'a token that was revoked just before',
          section: 'behaviour 7.9, RFC 7009 2',
          before: [{ revoke: '{{access_token}}' }],
          expects: 'access_token_revoked',
        },
        {
          id: 'garbled',
          title: 'Altered token',
          sends: 'the token with one letter changed',
          section: 'behaviour 7.9, RFC 7515 5.2',
          change: bearer('{{access_token|altered}}'),
          expects: 'access_token_signature_wrong',
          needs: ['jwt_access_token'],
        },
        {
          id: 'unsigned',
          title: 'Unsigned token',
          sends: 'its claims with alg none',
          section: 'behaviour 7.9, RFC 8725 3.2',
          change: bearer('{{access_token|unsigned}}'),
          expects: 'access_token_key_unknown',
          needs: ['jwt_access_token'],
        },
        {
          id: 'other_epoch',
          title: 'Token from before a reset',
          sends: 'an access token that was issued before the sandbox was reset',
          section: 'behaviour 2.9',
          change: bearer('{{former_access_token}}'),
          expects: 'access_token_of_other_epoch',
          needs: ['former_token'],
        },
        {
          id: 'refresh_token',
          title: 'Refresh token instead',
          sends: 'the refresh token as Bearer',
          section: 'behaviour 7.9, RFC 6749 1.5',
          change: bearer('{{refresh_token}}'),
          expects: 'access_token_is_other_credential',
          needs: ['refresh_token'],
        },
        {
          id: 'without_openid',
          title: 'Token without openid',
          sends: 'a token with no scope',
          section: 'behaviour 7.10, OpenID Connect Core 5.3',
          before: [{ issue_tokens: {} }],
          expects: { strict: 'openid_missing', otherwise: 'accepted' },
        },
      ],
    },
    {
      name: 'How it is sent',
      mistakes: [
        {
          id: 'no_token',
          title: 'No token',
          sends: 'no Authorization header',
          section: 'behaviour 7.9, RFC 6750 3',
          instead: { request: { path: '/userinfo' } },
          expects: 'access_token_missing',
        },
        {
          id: 'empty_bearer',
          title: 'Bearer without a token',
          sends: 'as if a variable of the app was not set',
          section: 'behaviour 7.9, RFC 6750 2.1',
          change: { headers: { Authorization: 'Bearer' } },
          expects: 'access_token_missing',
        },
        {
          id: 'other_scheme',
          title: 'Other scheme',
          sends: 'the token with the Basic scheme',
          section: 'behaviour 7.9, RFC 6750 2.1',
          change: { headers: { Authorization: 'Basic {{access_token}}' } },
          expects: 'access_token_missing',
        },
        {
          id: 'in_query',
          title: 'Token in the query string',
          sends: 'access_token in the URL, where logs keep it',
          section: 'behaviour 7.9, RFC 6750 2.3',
          instead: { request: { path: '/userinfo', query: { access_token: '{{access_token}}' } } },
          expects: { strict: 'query_credentials', otherwise: 'access_token_missing' },
        },
        {
          id: 'twice',
          title: 'Token in two places',
          sends: 'the token in the header and in a form',
          section: 'RFC 6750 2',
          change: { method: 'POST', form: { access_token: '{{access_token}}' } },
          expects: 'access_token_twice',
        },
        {
          id: 'put',
          title: 'PUT instead of GET',
          sends: 'the correct token with the wrong method',
          section: 'behaviour 3.8',
          change: { method: 'PUT' },
          expects: 'method_not_allowed',
        },
      ],
    },
    API_PROOFS,
    API_MISTAKES,
  ],
};
