// Mistakes in the device authorization grant (RFC 8628), token exchange (RFC 8693) and JWT bearer (RFC 7523).

import { FORM_TYPE } from '../../oauth/fields.ts';
import {
  DEVICE_CODE_GRANT,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
  TOKEN_TYPES,
} from '../../oauth/token-request.ts';
import type { ScenarioStep } from '../schema.ts';
import type { MistakeGroup, Place } from './mistake.ts';
import { WRONG_ASSERTIONS } from './of-assertions.ts';
import { TOKEN_PROOFS } from './of-proofs.ts';
import {
  CLIENT,
  FORM_BODY,
  missing,
  OTHER_CLIENTS_CREDENTIALS,
  UNKNOWN_AUDIENCE,
  UNKNOWN_SCOPE,
} from './of-token-requests.ts';

const REQUESTED: ScenarioStep = { authorize_device: {} };
const APPROVED: readonly ScenarioStep[] = [REQUESTED, { approve_device: {} }];
const POLLED: ScenarioStep = { token: { grant: DEVICE_CODE_GRANT } };

/** The step cannot set query parameters. */
const DEVICE_CLIENT: MistakeGroup = {
  ...CLIENT,
  mistakes: CLIENT.mistakes.map((mistake) => {
    if (mistake.id !== 'secret_in_query') return mistake;
    const { change: _change, ...rest } = mistake;
    return { ...rest, request: { fields_in_query: 'as_well' } };
  }),
};

const DEVICE: Place = {
  id: 'device',
  title: 'Request the codes',
  grants: ['device_code'],
  prepare: [],
  step: REQUESTED,
  groups: [
    DEVICE_CLIENT,
    {
      name: 'Request',
      mistakes: [
        { ...UNKNOWN_AUDIENCE, section: 'behaviour 9.1, RFC 8707 2' },
        { ...UNKNOWN_SCOPE, section: 'behaviour 9.1, behaviour 1.11' },
        {
          id: 'malformed_scope',
          title: 'Malformed scope',
          sends: 'a scope with quotation marks',
          section: 'behaviour 3.7, RFC 6749 3.3',
          change: { fields: { scope: '"openid"' } },
          expects: 'scope_malformed',
        },
        {
          id: 'get',
          title: 'GET instead of POST',
          sends: 'the fields in the query string of a GET',
          section: 'behaviour 3.8, RFC 8628 3.1',
          request: { method: 'GET', fields_in_query: 'instead' },
          expects: 'method_not_allowed',
        },
      ],
    },
  ],
};

/** The form of the first page of /device. */
const entered = (user_code: string): ScenarioStep => ({
  request: {
    path: '/device',
    headers: { Accept: 'text/html', 'Content-Type': FORM_TYPE },
    form: { user_code },
  },
});

const DECIDE: Place = {
  id: 'decide',
  title: 'Approve or deny',
  grants: ['device_code'],
  prepare: [REQUESTED],
  step: entered('{{user_code}}'),
  groups: [
    {
      name: 'At the page',
      mistakes: [
        {
          id: 'mistyped',
          title: 'Mistyped user code',
          sends: 'the user code with another last character',
          section: 'behaviour 9.2, RFC 8628 5.1',
          change: { form: { user_code: '{{user_code|mistyped}}' } },
          expects: 'user_code_unknown',
        },
        {
          id: 'empty',
          title: 'No user code',
          sends: 'the form of the page, left empty',
          section: 'behaviour 9.3',
          change: { form: { user_code: '' } },
          expects: 'user_code_missing',
        },
        {
          id: 'expired',
          title: 'Expired user code',
          sends: 'the user code of a device that was expired over the control API',
          section: 'behaviour 9.3, RFC 8628 3.2',
          needs: ['sign_in_page'],
          before: [{ expire: '{{user_code}}' }],
          expects: 'user_code_expired',
        },
        {
          id: 'decided',
          title: 'Already decided',
          sends: 'the user code of a device that was approved just before',
          section: 'behaviour 9.3',
          needs: ['sign_in_page'],
          before: [{ approve_device: {} }],
          expects: 'user_code_decided',
        },
      ],
    },
  ],
};

const POLL: Place = {
  id: 'poll',
  title: 'Poll for the tokens',
  grants: ['device_code'],
  prepare: APPROVED,
  step: POLLED,
  groups: [
    CLIENT,
    {
      name: 'Device code',
      mistakes: [
        {
          id: 'before_decision',
          title: 'Before the decision',
          sends: 'a first poll, while the user has not decided',
          section: 'behaviour 9.4, RFC 8628 3.5',
          needs: ['sign_in_page'],
          before: [REQUESTED],
          expects: 'device_pending',
        },
        {
          id: 'too_fast',
          title: 'Polled too fast',
          sends: 'a second poll right after the first',
          section: 'behaviour 9.4, RFC 8628 3.5',
          needs: ['sign_in_page'],
          before: [REQUESTED, POLLED],
          expects: 'device_polled_too_soon',
        },
        {
          id: 'denied',
          title: 'After the user denied',
          sends: 'the device code of a device that was denied',
          section: 'behaviour 9.4, RFC 8628 3.5',
          needs: ['sign_in_page'],
          before: [REQUESTED, { deny_device: {} }],
          expects: 'device_denied',
        },
        {
          id: 'expired',
          title: 'After expiry',
          sends: 'a device code that was expired over the control API',
          section: 'behaviour 9.4, RFC 8628 3.5',
          needs: ['approval'],
          before: [{ expire: '{{user_code}}' }],
          expects: 'device_code_expired',
        },
        {
          id: 'twice',
          title: 'Redeemed twice',
          sends: 'a device code that was redeemed just before',
          section: 'behaviour 9.5',
          needs: ['approval'],
          before: [POLLED],
          expects: 'device_code_redeemed',
        },
        {
          id: 'other_client',
          title: 'Device code of another client',
          sends: 'this device code with another client’s credentials',
          section: 'behaviour 9.5, RFC 8628 3.4',
          ...OTHER_CLIENTS_CREDENTIALS,
          expects: 'device_code_of_other_client',
        },
        {
          id: 'user_code',
          title: 'User code instead',
          sends: 'the user code as device_code',
          section: 'behaviour 9.5, RFC 8628 3.4',
          change: { fields: { device_code: '{{user_code}}' } },
          expects: 'device_code_is_user_code',
        },
        {
          id: 'unknown',
          title: 'Unknown device code',
          sends: 'a device code that was never issued',
          section: 'behaviour 3.6, RFC 8628 3.5',
          change: { fields: { device_code: 'a-code-never-issued' } },
          expects: 'device_code_unknown',
        },
        missing('device_code', 'missing', 'behaviour 3.3, RFC 8628 3.4'),
      ],
    },
    { name: 'Body and method', mistakes: FORM_BODY },
    TOKEN_PROOFS,
  ],
};

const SWAP: Place = {
  id: 'swap',
  title: 'Exchange the token',
  grants: ['token-exchange'],
  prepare: [{ issue_tokens: { scope: 'openid' } }],
  step: { token: { grant: TOKEN_EXCHANGE_GRANT } },
  groups: [
    CLIENT,
    {
      name: 'Subject token',
      mistakes: [
        {
          id: 'unknown_token',
          title: 'Unknown subject token',
          sends: 'a subject token that was never issued',
          section: 'behaviour 7.19, RFC 8693 2.2.2',
          change: { fields: { subject_token: 'a-token-never-issued' } },
          expects: 'subject_token_unknown',
        },
        {
          id: 'expired_token',
          title: 'Expired subject token',
          sends: 'a token that was expired over the control API',
          section: 'behaviour 7.19, RFC 8693 2.2.2',
          before: [{ expire: '{{access_token}}' }],
          expects: 'subject_token_expired',
        },
        {
          id: 'revoked_token',
          title: 'Revoked subject token',
          sends: 'a token that was revoked just before',
          section: 'behaviour 7.19, RFC 8693 2.2.2',
          before: [{ revoke: '{{access_token}}' }],
          expects: 'subject_token_revoked',
        },
        missing('subject_token', 'missing_token', 'behaviour 3.3, RFC 8693 2.1'),
        missing('subject_token_type', 'missing_type', 'behaviour 3.3, RFC 8693 2.1'),
        {
          id: 'other_type',
          title: 'Wrong token type',
          sends: 'the access token as a refresh token',
          section: 'behaviour 7.19, RFC 8693 3',
          change: { fields: { subject_token_type: TOKEN_TYPES.refresh_token } },
          expects: 'subject_token_unknown',
        },
        {
          id: 'unknown_type',
          title: 'Unknown token type',
          sends: 'the subject token as a SAML assertion',
          section: 'behaviour 7.19, RFC 8693 3',
          change: {
            fields: { subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' },
          },
          expects: 'token_type_unsupported',
        },
      ],
    },
    {
      name: 'Request',
      mistakes: [
        {
          id: 'actor_type_alone',
          title: 'Actor type without actor',
          sends: 'actor_token_type, but no actor_token',
          section: 'behaviour 7.19, RFC 8693 2.1',
          change: { fields: { actor_token_type: TOKEN_TYPES.access_token } },
          expects: 'actor_token_incomplete',
        },
        {
          id: 'unknown_actor',
          title: 'Unknown actor token',
          sends: 'an actor token that was never issued',
          section: 'behaviour 7.19, RFC 8693 2.2.2',
          change: {
            fields: {
              actor_token: 'a-token-never-issued',
              actor_token_type: TOKEN_TYPES.access_token,
            },
          },
          expects: 'actor_token_not_valid',
        },
        {
          id: 'refresh_token_wanted',
          title: 'Refresh token requested',
          sends: 'requested_token_type for a refresh token',
          section: 'behaviour 7.19, RFC 8693 2.1',
          change: { fields: { requested_token_type: TOKEN_TYPES.refresh_token } },
          expects: 'token_type_unsupported',
        },
        { ...UNKNOWN_AUDIENCE, section: 'behaviour 7.19, RFC 8693 2.2.2' },
        { ...UNKNOWN_SCOPE, section: 'behaviour 7.19, RFC 6749 3.3' },
      ],
    },
    { name: 'Body and method', mistakes: FORM_BODY },
    TOKEN_PROOFS,
  ],
};

const BEARER: Place = {
  id: 'bearer',
  title: 'Send the assertion',
  grants: ['jwt-bearer'],
  prepare: [{ sign_assertion: {} }],
  step: { token: { grant: JWT_BEARER_GRANT } },
  groups: [
    CLIENT,
    {
      name: 'Assertion',
      mistakes: [
        ...WRONG_ASSERTIONS,
        {
          id: 'unknown_sub',
          title: 'Unknown user',
          sends: 'sub of an unregistered user',
          section: 'behaviour 7.20, RFC 7523 3',
          before: [{ sign_assertion: { claims: { sub: 'an-unregistered-user' } } }],
          expects: 'assertion_user_unknown',
        },
        {
          id: 'used_assertion',
          title: 'Used assertion',
          sends: 'an assertion whose jti was accepted just before',
          section: 'behaviour 7.20, RFC 7523 3',
          before: [{ token: { grant: JWT_BEARER_GRANT } }],
          expects: 'assertion_replayed',
        },
        {
          id: 'no_jwt',
          title: 'Not a JWT',
          sends: 'an assertion that is not a JWT',
          section: 'behaviour 7.20, RFC 7523 3',
          change: { fields: { assertion: 'not-a-jwt' } },
          expects: 'assertion_malformed',
        },
        missing('assertion', 'missing_assertion', 'behaviour 3.3, RFC 7521 4.1'),
      ],
    },
    {
      name: 'Request',
      mistakes: [
        { ...UNKNOWN_AUDIENCE, section: 'behaviour 7.16, RFC 8707 2' },
        { ...UNKNOWN_SCOPE, section: 'behaviour 7.20, RFC 6749 3.3' },
      ],
    },
    { name: 'Body and method', mistakes: FORM_BODY },
    TOKEN_PROOFS,
  ],
};

export const OTHER_PLACES = [DEVICE, DECIDE, POLL, SWAP, BEARER] as const;
