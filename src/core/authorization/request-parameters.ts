// The parameters of an authorization request. Those that the service does not support are ignored, as RFC 6749 3.1 says,
// and noted.

import type { ProfileRules } from '../checks/profiles.ts';
import type { Assertion } from '../client-authentication/signed-assertion.ts';
import type { WithParameters } from '../model/request.ts';
import { safeParameterName } from '../checks/parameters.ts';
import { type Evaluation, note } from '../checks/trace.ts';

/** A request object that is not verified yet, and the names of the parameters that were sent beside it. */
export interface OpenedObject extends Assertion<'request_object'> {
  readonly beside: readonly string[];
}

/** A request at the authorization or logout endpoint, sent in a query or a form. */
export interface AuthorizationRequest {
  /** The parameters; the first value of those that were sent more than once. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Names of parameters that were sent more than once. */
  readonly repeated: ReadonlySet<string>;
  /** Whether it is a POST with a client_id in the query, where no parameter is read. */
  readonly misplaced?: boolean;
  /** The request_uri of a pushed request (RFC 9126); absent if the browser sent the parameters. */
  readonly request_uri?: string;
  /** The request object that the parameters are from; it is verified before the request is stored. */
  readonly object?: OpenedObject | 'verified';
}

/** The parameters that the authorization endpoint reads. */
export const PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'scope',
  'audience',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'prompt',
  'max_age',
  'acr_values',
  'claims',
  'login_hint',
  'id_token_hint',
  'request',
  'request_uri',
  'registration',
];

/** Whether any profile reads the parameter. */
export const isAuthorizationParameter = (name: string): boolean =>
  name === 'resource' || name === 'dpop_jkt' || PARAMETERS.includes(name);

/** Parameters that OpenID Connect allows a server to ignore, as this service does. */
export const IGNORED = ['claims_locales', 'display', 'ui_locales'];

export function noteIgnored(request: WithParameters, rules: ProfileRules, evaluation: Evaluation) {
  const read = [
    ...PARAMETERS,
    ...(rules.audience === 'optional' ? ['resource'] : []),
    ...(rules.dpop === 'accepted' ? ['dpop_jkt'] : []),
  ];
  const ignored = [...request.parameters.keys()].filter((name) => !read.includes(name));
  const noted =
    rules.unknown_parameters === 'note'
      ? ignored.map((name) => (IGNORED.includes(name) ? name : safeParameterName(name)))
      : ignored.filter((name) => IGNORED.includes(name));
  if (noted.length > 0) note(evaluation, 'unknown_parameters', [...new Set(noted)].join(', '));
}
