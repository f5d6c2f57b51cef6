// The checks of each endpoint in the order of evaluation, as rules with their sections. describe-checks.ts adds their
// results.

import type { CheckId } from './refusals/index.ts';
import { DEVICE_CODE_GRANT } from '../records/enumerations.ts';
import type { GrantType } from '../records/schemas.ts';
import type { Endpoint, Evaluation } from './trace.ts';

export interface Rule {
  readonly rule: string;
  readonly section: string;
  /** Shown only if its check was made, as not every request has a body. */
  readonly sometimes?: true;
}

/** In the order of evaluation. */
type Rules = Readonly<Partial<Record<CheckId, Rule>>>;

const rule = (text: string, section: string): Rule => ({ rule: text, section });

/** @param section requires that the method is POST */
const reading = (section: string): Rules => ({
  method: rule('The method is POST', section),
  content_type: rule('The content type is JSON or a form, in UTF-8', section),
  body: rule('The body is well formed: each parameter once, each a string', 'RFC 6749 3.2'),
});

const BEFORE_GRANT: Rules = {
  ...reading('spec 4.1'),
  grant_type: rule('grant_type is supported', 'spec 4.1'),
};

/**
 * Checks 5 to 8, which all endpoints with client authentication share. @param format section that specifies the body
 * format
 */
const authenticated = (format: string): Rules => ({
  grant_content_type: rule('The body format is allowed', format),
  query: rule('No credentials in the query string', 'RFC 6749 2.3.1'),
  authorization_header: rule('The client authentication method is allowed', 'spec 5.1'),
  client_id: rule('The client is known', 'spec 5.1'),
  client_secret: rule('Client authentication succeeds', 'spec 5.1'),
});

const required = (section: string): Rule =>
  rule('All required parameters are present and not empty', section);

const GRANT_ALLOWED = rule('The client may use this grant', 'RFC 6749 5.2');

const sometimes = (text: string, section: string): Rule => ({
  ...rule(text, section),
  sometimes: true,
});

/** The DPoP proof, if the request has one or requires one (RFC 9449 4.3). */
const possession: Rules = {
  dpop_proof: sometimes(
    'There is one DPoP proof: a signed JWT with its claims and a public key',
    'RFC 9449 4.2',
  ),
  dpop_signature: sometimes('The proof is signed with the key that it contains', 'RFC 9449 4.3'),
  dpop_target: sometimes('The proof is for this method and URI', 'RFC 9449 4.3'),
  dpop_nonce: sometimes('The proof has a current nonce of this service', 'RFC 9449 8'),
  dpop_time: sometimes('The proof was created within the proof window', 'RFC 9449 11.1'),
  dpop_unused: sometimes('The proof was not used before', 'RFC 9449 11.1'),
};

/** The checks of every grant before those of its own. */
const granting = (section: string): Rules => ({
  ...BEFORE_GRANT,
  ...authenticated(section),
  grant_allowed: GRANT_ALLOWED,
  parameters: required(section),
  ...possession,
});

const boundKey = (section: string): Rule =>
  sometimes('The proof is signed with the key that the credential is bound to', section);

/** The API and the scopes that a request asks for. */
const targeted: Rules = {
  audience: rule('The audience is registered', 'RFC 8707 2'),
  scope: rule('Every scope is defined for the audience', 'RFC 6749 3.3'),
};

/** Made only if an ID token is signed with HS256. */
const ID_TOKEN = sometimes('The client_secret is long enough to sign an ID token', 'RFC 7518 3.2');

const OF_GRANT: Readonly<Record<GrantType, Rules>> = {
  authorization_code: {
    ...granting('spec 4.1.1'),
    throttle: rule('The request limit for this code and address is not exceeded', 'spec 8.1'),
    credential_known: rule('The code is known', 'RFC 6749 4.1.3'),
    credential_client: rule('The code was issued to this client', 'RFC 6749 4.1.3'),
    credential_live: rule('The code is not used, revoked or expired', 'RFC 6749 4.1.2'),
    redirect_uri: rule('redirect_uri is identical to that of the authorization', 'spec 4.1.1'),
    pkce: rule('The code_verifier matches the code_challenge', 'RFC 7636 4.6'),
    dpop_key: boundKey('RFC 9449 10'),
    audience: rule('The audience is registered and was authorized', 'spec 4.1.1'),
    scope: rule('Every scope is defined for the audience', 'behaviour 2.5'),
    id_token: ID_TOKEN,
    consume: rule('The code is redeemed by this request only', 'RFC 6749 4.1.2'),
  },
  refresh_token: {
    ...granting('spec 4.1.2'),
    throttle: rule(
      'The request limit for this refresh token and address is not exceeded',
      'spec 8.1',
    ),
    credential_known: rule('The refresh token is known', 'spec 5.4'),
    credential_client: rule('The refresh token was issued to this client', 'RFC 6749 6'),
    credential_live: rule('The refresh token is not revoked or expired', 'RFC 6749 6'),
    dpop_key: boundKey('RFC 9449 5'),
    audience: rule('The audience is that of the lineage', 'behaviour 2.4'),
    scope: rule('The scope does not exceed what was granted', 'RFC 6749 6'),
    id_token: ID_TOKEN,
    consume: rule('The refresh token is replaced by this request only', 'RFC 9700 4.14.2'),
  },
  client_credentials: {
    ...granting('RFC 6749 4.4.2'),
    throttle: rule('The request limit for this client and address is not exceeded', 'spec 8.1'),
    ...targeted,
  },
  'urn:ietf:params:oauth:grant-type:token-exchange': {
    ...granting('RFC 8693 2.1'),
    token_type: rule('The types of the tokens are supported', 'RFC 8693 3'),
    throttle: rule(
      'The request limit for this subject token and address is not exceeded',
      'spec 8.1',
    ),
    credential_known: rule('The subject token was issued by this issuer', 'RFC 8693 2.1'),
    credential_client: rule(
      'A refresh token or ID token was issued to this client',
      'behaviour 7.19',
    ),
    credential_live: rule('The subject token is not revoked or expired', 'RFC 8693 2.2.2'),
    user: rule('The user of the subject token is registered', 'RFC 8693 2.2.2'),
    actor: rule('An actor token is valid, and may act for the subject', 'RFC 8693 4.4'),
    audience: rule('The audience is registered', 'RFC 8693 2.2.2'),
    scope: rule('Every scope is defined for the audience and was granted', 'behaviour 7.19'),
  },
  [DEVICE_CODE_GRANT]: {
    ...granting('RFC 8628 3.4'),
    throttle: rule(
      'The request limit for this device code and address is not exceeded',
      'spec 8.1',
    ),
    credential_known: rule('The device code is known', 'RFC 8628 3.4'),
    credential_client: rule('The device code was issued to this client', 'RFC 8628 3.4'),
    credential_live: rule('The device code is not used or expired', 'RFC 8628 3.5'),
    polling: rule('The device waits for the interval between two polls', 'RFC 8628 3.5'),
    consent: rule('The user has approved the device', 'RFC 8628 3.5'),
    audience: rule('The audience is that of the device authorization', 'RFC 8707 2.2'),
    scope: rule('Every scope is defined for the audience', 'RFC 6749 3.3'),
    id_token: ID_TOKEN,
    consume: rule('The device code is redeemed by this request only', 'RFC 8628 3.5'),
  },
  'urn:ietf:params:oauth:grant-type:jwt-bearer': {
    ...granting('RFC 7523 2.1'),
    throttle: rule('The request limit for this client and address is not exceeded', 'spec 8.1'),
    credential_known: rule(
      'The assertion is a signed JWT, or on behalf of a user an access token',
      'RFC 7523 3',
    ),
    credential_client: rule(
      'The client signed the assertion with a registered key; an access token is for the client',
      'RFC 7523 3',
    ),
    credential_live: rule(
      'The assertion is for this issuer, names a subject, and is valid now',
      'RFC 7523 3',
    ),
    user: rule('Its subject is a registered user', 'RFC 7523 3'),
    ...targeted,
    id_token: ID_TOKEN,
    consume: rule('The jti, if there is one, was not used before', 'RFC 7523 3'),
  },
  password: {
    ...granting('RFC 6749 4.3.2'),
    throttle: rule(
      'The request limit for this username and address is not exceeded',
      'RFC 6749 4.3.2',
    ),
    credential_known: rule('The username is that of a registered user', 'RFC 6749 4.3.2'),
    user: rule('The password is that of the user, if the user has one', 'RFC 6749 4.3.2'),
    ...targeted,
    id_token: ID_TOKEN,
  },
};

/** Requests with which a client presents a token, to revoke or introspect it. */
const presenting = (section: string): Rules => ({
  ...reading(section),
  ...authenticated(section),
  parameters: required(section),
});

/** The checks of an authorization request, whether or not it is pushed. */
const ASKED: Rules = {
  response_mode: rule(
    'response_mode is supported, and can be used for this request',
    'behaviour 7.17',
  ),
  request_object: rule(
    'A request object, if there is one, is signed by the client and valid',
    'RFC 9101 6',
  ),
  response_type: rule('response_type is supported', 'RFC 6749 3.1.1'),
  grant_allowed: GRANT_ALLOWED,
  pkce: rule('A code_challenge is well formed; a public client has one', 'RFC 7636 4.3'),
  dpop_key: sometimes('dpop_jkt is the thumbprint of a key', 'RFC 9449 10'),
  audience: rule('The audience, if there is one, is registered', 'RFC 8707 2'),
  scope: rule('Every scope is defined for the audience', 'RFC 6749 3.3'),
  nonce: sometimes(
    'For an ID token in the response, there are a nonce and the scope openid',
    'OpenID Connect Core 3.2.2.1',
  ),
  id_token: ID_TOKEN,
  prompt: rule('prompt and max_age can be satisfied', 'OpenID Connect Core 3.1.2.1'),
  claims: sometimes('The claims parameter is well formed', 'OpenID Connect Core 5.5'),
  id_token_hint: rule(
    'The id_token_hint, if there is one, was issued by this issuer',
    'OpenID Connect Core 3.1.2.2',
  ),
};

const OF_ENDPOINT: Readonly<Partial<Record<Endpoint, Rules>>> = {
  revoke: {
    ...presenting('RFC 7009 2.1'),
    credential_known: rule('The token is known; an unknown one is not an error', 'RFC 7009 2.2'),
    credential_client: rule('The token was issued to this client', 'RFC 7009 2.1'),
    credential_live: rule('The token was valid; an invalid one is not an error', 'RFC 7009 2.2'),
    consume: rule('The token is revoked', 'RFC 7009 2'),
  },
  introspect: {
    ...presenting('RFC 7662 2.1'),
    credential_known: rule('The token is known; an unknown one is inactive', 'RFC 7662 2.2'),
    credential_client: rule('This client may introspect the token', 'behaviour 7.8'),
    credential_live: rule('The token is not revoked or expired', 'RFC 7662 2.2'),
  },
  userinfo: {
    method: rule('The method is GET or POST', 'OpenID Connect Core 5.3.1'),
    content_type: sometimes('The content type of the body is supported', 'RFC 6750 2.2'),
    body: sometimes('The body is well formed: each parameter once', 'RFC 6749 3.2'),
    authorization_header: rule('An access token is sent, in one way only', 'RFC 6750 2'),
    credential_known: rule('The access token was issued by this issuer', 'RFC 6750 3.1'),
    grant_content_type: sometimes('The body is a form', 'RFC 6750 2.2'),
    query: rule('No credentials in the query string', 'RFC 6750 5.3'),
    credential_live: rule('The access token is not revoked or expired', 'RFC 6750 3.1'),
    ...possession,
    dpop_token: sometimes('The proof is for this access token', 'RFC 9449 7'),
    dpop_key: boundKey('RFC 9449 7.1'),
    user: rule('The token represents a registered user', 'OpenID Connect Core 5.3.2'),
    audience: sometimes('The token is for this issuer: aud', 'behaviour 7.9'),
    scope: rule('The token has the scope openid', 'OpenID Connect Core 5.3'),
  },
  api: {
    origin: sometimes('A page that calls an MCP server is on this machine', 'behaviour 20.2'),
    path: rule('A rule of the API is for the path', 'behaviour 19.2'),
    method: rule('The rule accepts the method', 'behaviour 19.2'),
    authorization_header: rule('One access token is sent, not in the query', 'RFC 6750 2'),
    credential_known: rule(
      'The access token was issued by this issuer: signature and iss',
      'RFC 9068 4',
    ),
    typ: sometimes('The typ of a JWT is that of an access token', 'RFC 9068 4'),
    audience: rule('The access token is for this API: aud', 'RFC 9068 4'),
    not_before: sometimes('The nbf of the access token has passed', 'RFC 7519 4.1.5'),
    credential_live: rule('The access token is not revoked or expired: exp', 'RFC 6750 3.1'),
    token_type: sometimes('The rule accepts this kind of token', 'behaviour 19.2'),
    ...possession,
    dpop_token: sometimes('The proof is for this access token: ath', 'RFC 9449 7'),
    dpop_key: boundKey('RFC 9449 7.1'),
    scope: rule('The token has every scope that the rule requires', 'RFC 6750 3.1'),
    max_age: sometimes('The user signed in recently enough: auth_time', 'RFC 9470 3'),
    acr: sometimes('The user signed in as the rule requires: acr', 'RFC 9470 3'),
    message: sometimes('The JSON-RPC message is one that the MCP server knows', 'behaviour 20.2'),
  },
  device_authorization: {
    ...reading('RFC 8628 3.1'),
    ...authenticated('RFC 8628 3.1'),
    grant_allowed: GRANT_ALLOWED,
    parameters: required('RFC 8628 3.1'),
    ...targeted,
  },
  device: {
    method: rule('The method is GET or POST', 'RFC 8628 3.3'),
    content_type: sometimes('A POST body is a form', 'behaviour 9.3'),
    body: rule('Parameters are UTF-8', 'behaviour 9.3'),
    parameters: sometimes('A user code is entered', 'RFC 8628 3.3'),
    throttle: sometimes('Not too many wrong user codes came from this address', 'RFC 8628 5.1'),
    credential_known: sometimes('The user code is known', 'RFC 8628 6.1'),
    credential_live: sometimes('The user code is not used or expired', 'RFC 8628 3.3'),
    form: sometimes('The form belongs to this browser', 'RFC 6749 10.12'),
    user: sometimes('A registered user signs in', 'RFC 8628 3.3'),
    consent: sometimes('The user approves or denies the device', 'RFC 8628 3.3'),
  },
  authorize: {
    method: rule('The method is GET or POST', 'OpenID Connect Core 3.1.2.1'),
    content_type: sometimes('A POST body is a form', 'OpenID Connect Core 3.1.2.1'),
    body: rule(
      'Parameters are UTF-8; client_id, redirect_uri and request_uri are not repeated',
      'RFC 6749 3.1',
    ),
    form: sometimes(
      'The form is not expired or already submitted, and belongs to this browser',
      'RFC 6749 10.12',
    ),
    client_id: rule('The client is known', 'RFC 6749 4.1.1'),
    request_uri: sometimes(
      'The request_uri was issued to this client, is not expired or used',
      'RFC 9126 4',
    ),
    redirect_uri: rule('redirect_uri is one that the client registered', 'RFC 9700 2.1'),
    pushed: sometimes('The request was pushed, if that is required', 'RFC 9126 4'),
    parameters: rule('No other parameter is repeated, and none is too long', 'RFC 6749 3.1'),
    ...ASKED,
    user: rule('A registered user is signed in', 'OpenID Connect Core 3.1.2.3'),
    acr: sometimes('The sign-in has a requested acr', 'OpenID Connect Core 5.5.1.1'),
    consent: rule('The user consents', 'OpenID Connect Core 3.1.2.4'),
  },
  par: {
    ...reading('RFC 9126 2.1'),
    ...authenticated('RFC 9126 2.1'),
    parameters: required('RFC 9126 2.1'),
    request_uri: rule('The pushed request has no request_uri', 'RFC 9126 2.1'),
    ...possession,
    redirect_uri: rule('redirect_uri is one that the client registered', 'RFC 9700 2.1'),
    ...ASKED,
  },
  logout: {
    method: rule('The method is GET or POST', 'RP-Initiated Logout 2'),
    content_type: sometimes('A POST body is a form', 'RP-Initiated Logout 2'),
    body: rule('Parameters are UTF-8 and not repeated', 'RFC 6749 3.1'),
    id_token_hint: rule(
      'The id_token_hint, if there is one, was issued by this issuer',
      'RP-Initiated Logout 2',
    ),
    client_id: rule('The client, if one is given, is known', 'RP-Initiated Logout 2'),
    redirect_uri: rule('The post-logout redirect URI is registered', 'RP-Initiated Logout 3'),
    user: rule('The session ends', 'RP-Initiated Logout 2'),
  },
  register: {
    method: rule('The method is POST, or GET, PUT or DELETE to manage', 'RFC 7591 3.1'),
    content_type: rule('The content type is JSON, in UTF-8', 'RFC 7591 3.1'),
    body: rule('The body is a JSON object, each member once', 'RFC 7591 3.1'),
    authorization_header: rule(
      'The client may register, or manage this registration',
      'RFC 7591 3, RFC 7592 2',
    ),
    metadata: rule('Every member of the metadata is valid', 'RFC 7591 2'),
    capacity: rule('The limit of registered clients is not reached', 'RFC 7591 3.2'),
  },
};

const OUTSIDE: Partial<Record<CheckId, Rule>> = {
  http: rule('The request is well-formed HTTP within the limits', 'RFC 9112'),
  path: rule('There is an endpoint at the path', 'behaviour 7.1'),
  method: rule('The path supports the method', 'behaviour 3.8'),
  body: rule('The body arrives in full, within its limit', 'behaviour 3.8'),
  service: rule('No internal error occurs', 'behaviour 3.9'),
};

/** Where a request arrived, and with which grant. */
type Spot = Pick<Evaluation, 'endpoint' | 'grant_type'>;

function tableOf({ endpoint, grant_type }: Spot): Rules {
  const rules = endpoint === null ? undefined : OF_ENDPOINT[endpoint];
  if (rules !== undefined) return rules;
  if (grant_type !== null) return OF_GRANT[grant_type];
  return endpoint === null ? {} : BEFORE_GRANT;
}

/** Returns the rules for a request at this endpoint with this grant; none if the request reached no endpoint. */
export const rulesOf = (spot: Spot) =>
  Object.entries(tableOf(spot)) as readonly (readonly [CheckId, Rule])[];

/** Returns the rule of a check, also if it is one that is shown only where its check was made. */
export const ruleAt = (spot: Spot, id: CheckId): Rule | undefined =>
  tableOf(spot)[id] ?? OUTSIDE[id];
