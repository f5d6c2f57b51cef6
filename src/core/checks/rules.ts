// The checks of each endpoint in the order of evaluation, as rules in words with their sections. What
// came of them is told by explain.ts.

import type { CheckId } from './refusals/index.ts';
import type { GrantType } from '../records/schemas.ts';
import type { Endpoint, Evaluation } from './trace.ts';

export interface Rule {
  readonly rule: string;
  readonly section: string;
  /** Told only where its check was made: not every request has a body. */
  readonly sometimes?: true;
}

type RuleList = readonly (readonly [CheckId, Rule])[];

const rule = (text: string, section: string): Rule => ({ rule: text, section });

/** @param section where the endpoint is told to be one of POST */
const reading = (section: string): RuleList => [
  ['method', rule('The method is POST', section)],
  ['content_type', rule('The content type is JSON or a form, in UTF-8', section)],
  ['body', rule('The body is well formed: each parameter once, each a string', 'RFC 6749 3.2')],
];

const BEFORE_GRANT: RuleList = [
  ...reading('spec 4.1'),
  ['grant_type', rule('grant_type is one this service knows', 'spec 4.1')],
];

/** Checks 5 to 8, which all that authenticates a client shares. @param format where the body format is told */
const authenticated = (format: string): RuleList => [
  ['grant_content_type', rule('The body format is allowed', format)],
  ['query', rule('No credentials in the query string', 'RFC 6749 2.3.1')],
  ['authorization_header', rule('The client authentication method is allowed', 'spec 5.1')],
  ['client_id', rule('The client is known', 'spec 5.1')],
  ['client_secret', rule('Client authentication succeeds', 'spec 5.1')],
];

const required = (section: string): RuleList => [
  ['parameters', rule('All required parameters are present and not empty', section)],
];

const grantAllowed: RuleList = [
  ['grant_allowed', rule('The client may use this grant', 'RFC 6749 5.2')],
];

const OF_GRANT: Readonly<Record<GrantType, RuleList>> = {
  authorization_code: [
    ...authenticated('spec 4.1.1'),
    ...grantAllowed,
    ...required('spec 4.1.1'),
    ['throttle', rule('The request limit for this code and address is not exceeded', 'spec 8.1')],
    ['credential_known', rule('The code is known', 'RFC 6749 4.1.3')],
    ['credential_client', rule('The code was issued to this client', 'RFC 6749 4.1.3')],
    ['credential_live', rule('The code is not used, revoked or expired', 'RFC 6749 4.1.2')],
    ['redirect_uri', rule('redirect_uri is identical to that of the authorization', 'spec 4.1.1')],
    ['pkce', rule('The code_verifier matches the code_challenge', 'RFC 7636 4.6')],
    ['audience', rule('The audience is registered and was authorized', 'spec 4.1.1')],
    ['scope', rule('Every scope is defined for the audience', 'behaviour 2.5')],
    ['consume', rule('The code is redeemed by this request only', 'RFC 6749 4.1.2')],
  ],
  refresh_token: [
    ...authenticated('spec 4.1.2'),
    ...grantAllowed,
    ...required('spec 4.1.2'),
    [
      'throttle',
      rule('The request limit for this refresh token and address is not exceeded', 'spec 8.1'),
    ],
    ['credential_known', rule('The refresh token is known', 'spec 5.4')],
    ['credential_client', rule('The refresh token was issued to this client', 'RFC 6749 6')],
    ['credential_live', rule('The refresh token is not revoked or expired', 'RFC 6749 6')],
    ['audience', rule('The audience is that of the lineage', 'behaviour 2.4')],
    ['scope', rule('The scope does not exceed what was granted', 'RFC 6749 6')],
    ['consume', rule('The refresh token is replaced by this request only', 'RFC 9700 4.14.2')],
  ],
  client_credentials: [
    ...authenticated('RFC 6749 4.4.2'),
    ...grantAllowed,
    ...required('RFC 6749 4.4.2'),
    ['throttle', rule('The request limit for this client and address is not exceeded', 'spec 8.1')],
    ['audience', rule('The audience is registered', 'RFC 8707 2')],
    ['scope', rule('Every scope is defined for the audience', 'RFC 6749 3.3')],
  ],
};

const sometimes = (text: string, section: string): Rule => ({
  ...rule(text, section),
  sometimes: true,
});

/** A client presents a token, to have something done about it. */
const presenting = (section: string): RuleList => [
  ...reading(section),
  ...authenticated(section),
  ...required(section),
];

const OF_ENDPOINT: Readonly<Partial<Record<Endpoint, RuleList>>> = {
  revoke: [
    ...presenting('RFC 7009 2.1'),
    [
      'credential_known',
      rule('The token is known; an unknown one is not an error', 'RFC 7009 2.2'),
    ],
    ['credential_client', rule('The token was issued to this client', 'RFC 7009 2.1')],
    [
      'credential_live',
      rule('The token was valid; an invalid one is not an error', 'RFC 7009 2.2'),
    ],
    ['consume', rule('The token is revoked', 'RFC 7009 2')],
  ],
  introspect: [
    ...presenting('RFC 7662 2.1'),
    ['credential_known', rule('The token is known; an unknown one is inactive', 'RFC 7662 2.2')],
    ['credential_client', rule('This client may introspect the token', 'behaviour 7.8')],
    ['credential_live', rule('The token is not revoked or expired', 'RFC 7662 2.2')],
  ],
  userinfo: [
    ['method', rule('The method is GET or POST', 'OpenID Connect Core 5.3.1')],
    ['content_type', sometimes('The content type of the body is supported', 'RFC 6750 2.2')],
    ['body', sometimes('The body is well formed: each parameter once', 'RFC 6749 3.2')],
    ['authorization_header', rule('An access token is sent, in one way only', 'RFC 6750 2')],
    ['credential_known', rule('The access token was issued by this issuer', 'RFC 6750 3.1')],
    ['grant_content_type', sometimes('The body is a form', 'RFC 6750 2.2')],
    ['query', rule('No credentials in the query string', 'RFC 6750 5.3')],
    ['credential_live', rule('The access token is not revoked or expired', 'RFC 6750 3.1')],
    ['user', rule('The token represents a registered user', 'OpenID Connect Core 5.3.2')],
    ['scope', rule('The token has the scope openid', 'OpenID Connect Core 5.3')],
  ],
  authorize: [
    ['method', rule('The method is GET or POST', 'OpenID Connect Core 3.1.2.1')],
    ['content_type', sometimes('A POST body is a form', 'OpenID Connect Core 3.1.2.1')],
    [
      'body',
      rule('Parameters are UTF-8; client_id and redirect_uri are not repeated', 'RFC 6749 3.1'),
    ],
    [
      'form',
      sometimes(
        'The form is not expired or already submitted, and belongs to this browser',
        'RFC 6749 10.12',
      ),
    ],
    ['client_id', rule('The client is known', 'RFC 6749 4.1.1')],
    ['redirect_uri', rule('redirect_uri is one that the client registered', 'RFC 9700 2.1')],
    ['parameters', rule('No other parameter is repeated', 'RFC 6749 3.1')],
    ['response_mode', rule('response_mode is query or form_post', 'OpenID Connect Core 3.1.2.1')],
    [
      'request_object',
      rule('The request uses plain parameters, not a request object', 'OpenID Connect Core 6'),
    ],
    ['response_type', rule('response_type is code', 'RFC 6749 4.1.1')],
    ...grantAllowed,
    ['pkce', rule('A code_challenge is well formed; a public client has one', 'RFC 7636 4.3')],
    ['audience', rule('The audience, if there is one, is registered', 'RFC 8707 2')],
    ['scope', rule('Every scope is defined for the audience', 'RFC 6749 3.3')],
    ['prompt', rule('prompt and max_age can be satisfied', 'OpenID Connect Core 3.1.2.1')],
    [
      'id_token_hint',
      rule('An id_token_hint was issued by this issuer', 'OpenID Connect Core 3.1.2.2'),
    ],
    ['user', rule('A registered user is signed in', 'OpenID Connect Core 3.1.2.3')],
    ['consent', rule('The user consents', 'OpenID Connect Core 3.1.2.4')],
  ],
  logout: [
    ['method', rule('The method is GET or POST', 'RP-Initiated Logout 2')],
    ['content_type', sometimes('A POST body is a form', 'RP-Initiated Logout 2')],
    ['body', rule('Parameters are UTF-8 and not repeated', 'RFC 6749 3.1')],
    ['id_token_hint', rule('An id_token_hint was issued by this issuer', 'RP-Initiated Logout 2')],
    ['client_id', rule('The client, if one is given, is known', 'RP-Initiated Logout 2')],
    ['redirect_uri', rule('The post-logout redirect URI is registered', 'RP-Initiated Logout 3')],
    ['user', rule('The session ends', 'RP-Initiated Logout 2')],
  ],
  register: [
    ['method', rule('The method is POST', 'RFC 7591 3.1')],
    ['content_type', rule('The content type is JSON, in UTF-8', 'RFC 7591 3.1')],
    ['body', rule('The body is a JSON object, each member once', 'RFC 7591 3.1')],
    ['authorization_header', rule('The client may register', 'RFC 7591 3')],
    ['metadata', rule('Every member of the metadata is valid', 'RFC 7591 2')],
    ['capacity', rule('The limit of registered clients is not reached', 'RFC 7591 3.2')],
  ],
};

const OUTSIDE: Partial<Record<CheckId, Rule>> = {
  http: rule('The request is well-formed HTTP within the limits', 'RFC 9112'),
  path: rule('There is an endpoint at the path', 'behaviour 7.1'),
  service: rule('No internal error occurs', 'behaviour 3.9'),
};

/** A rule that is told only where its check was made. */
export const outsideRule = (id: CheckId): Rule | undefined => OUTSIDE[id];

/** The rules a request at this endpoint, and under this grant, is judged by. */
export function rulesOf({ endpoint, grant_type }: Evaluation): RuleList {
  const list = endpoint === null ? undefined : OF_ENDPOINT[endpoint];
  if (list !== undefined) return list;
  return grant_type === null ? BEFORE_GRANT : [...BEFORE_GRANT, ...OF_GRANT[grant_type]];
}
