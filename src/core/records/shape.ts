// The schema of a provider shape: the paths, metadata, claims, responses and errors of a provider. Rules between its
// members, and the names in its templates, are checked when a shape is resolved (core/shape).

import { MAX_SHAPE_BYTES } from './bounds.ts';
import { described, z } from './zod.ts';
import { ENDPOINTS, type EndpointName } from './endpoints.ts';
import { PROVIDER_WORDS } from './enumeration-words.ts';
import { GRANT_TYPES, PROVIDER_LENIENCES, REFRESH_TOKEN_FORMATS } from './enumerations.ts';
import {
  atMostEntries,
  jsonMembers,
  oneOf,
  text,
  uniqueList,
  visible,
  whole,
  withinBytes,
} from './members.ts';

const NAME = /^[a-z][a-z0-9_]*$/;
/** One segment of a path (RFC 3986 3.3). */
const SEGMENT = /^[\w.~!$&'*+,;=:@()-]{1,300}$/;
/** A segment that is a parameter. */
const PARAMETER = /^\{[a-z][a-z0-9_]{0,100}\}$/;

const isSegment = (segment: string) => SEGMENT.test(segment) || PARAMETER.test(segment);

function isPathTemplate(path: string): boolean {
  const [first, ...segments] = path.split('/');
  return first === '' && segments.length > 0 && segments.every(isSegment);
}

const pathTemplate = visible(300).check(
  z.refine(
    isPathTemplate,
    'must be a path such as /{tenant}/oauth2/token, without a trailing slash',
  ),
);

const parameterValue = z.string('must be a string').check(
  z.regex(/^[\w.~-]{1,100}$/, 'must be 1 to 100 letters, digits or any of . _ ~ -'),
  z.refine((value) => !/^\.{1,2}$/.test(value), 'must not be . or ..'),
);

const parametersSchema = z
  .record(
    z.string().check(z.regex(NAME, 'must be a name in lower case')),
    z
      .array(parameterValue, 'must be an array')
      .check(z.minLength(1, 'must have at least one value'), atMostEntries(20)),
    'must be a JSON object',
  )
  .check(z.refine((all) => Object.keys(all).length <= 10, 'must have at most 10 parameters'));

const pathsOf = (name: EndpointName) =>
  described(
    z.optional(
      z.nullable(
        z
          .array(pathTemplate, 'must be an array, or null for none')
          .check(z.minLength(1, 'must have at least one path, or be null'), atMostEntries(5)),
      ),
    ),
    `Paths of the ${ENDPOINTS[name].words}; the metadata has the first one. null if the provider has none.`,
  );

/** Each endpoint is listed explicitly, so that the types have each member. */
const pathsSchema = z.strictObject({
  authorization: pathsOf('authorization'),
  token: pathsOf('token'),
  pushed_authorization_request: pathsOf('pushed_authorization_request'),
  userinfo: pathsOf('userinfo'),
  jwks: pathsOf('jwks'),
  end_session: pathsOf('end_session'),
  revocation: pathsOf('revocation'),
  introspection: pathsOf('introspection'),
  device_authorization: pathsOf('device_authorization'),
  registration: pathsOf('registration'),
  openid_configuration: pathsOf('openid_configuration'),
  oauth_authorization_server: pathsOf('oauth_authorization_server'),
} satisfies Record<EndpointName, unknown>);

const template = (words: string) => described(z.optional(jsonMembers()), words);

const errorSchema = z.strictObject({
  reason: described(
    z.optional(visible(100)),
    'The reason that the request was rejected for, such as code_expired.',
  ),
  error: described(z.optional(visible(100)), 'The error code that would be sent without a shape.'),
  grant_type: described(z.optional(visible(200)), 'The grant_type of the request.'),
  status: described(z.optional(whole(400, 599)), 'Status of the response.'),
  body: template('Template of the members of the body; without one, the body does not change.'),
});

export const shapeSchema = z
  .strictObject({
    provider: described(z.optional(oneOf(PROVIDER_WORDS)), {
      title: 'Provider',
      description:
        'An included shape, which provides the members that this one does not have. Omit it for a complete custom shape.',
    }),
    name: described(z.optional(text(100)), 'Display name.'),
    parameters: described(
      z.optional(parametersSchema),
      'Values for {name} in paths. Paths with all values are served; the metadata has the first one.',
    ),
    issuer_path: described(
      z.optional(
        z.union([z.literal('/'), pathTemplate], 'must be / or a path such as /realms/{realm}'),
      ),
      'Path of the issuer identifier, appended to the address of the service. A path in settings.issuer replaces it.',
    ),
    paths: described(
      z.optional(pathsSchema),
      'Paths of the endpoints, from the root. The usual paths are served as well.',
    ),
    metadata: described(
      z.optional(jsonMembers()),
      'Members of the metadata documents besides endpoints; null omits one.',
    ),
    access_token_typ: described(
      z.optional(oneOf(['JWT', 'at+jwt'])),
      'The typ in the header of access tokens, if it differs from that of their format.',
    ),
    access_token: template('Template of claims in access tokens; null omits a claim.'),
    id_token: template('Template of claims in ID tokens; null omits a claim.'),
    userinfo: template('Template of claims at userinfo; null omits a claim.'),
    refresh_token_format: described(
      z.optional(oneOf(REFRESH_TOKEN_FORMATS)),
      'Whether refresh tokens are opaque strings or JWTs.',
    ),
    refresh_token: template('Template of claims in refresh tokens that are JWTs.'),
    token_response: template('Template of additional members of the token response.'),
    device_response: template(
      'Template of additional members of the device authorization response; null omits verification_uri_complete.',
    ),
    grant_types: described(
      z.optional(
        z
          .record(visible(200), oneOf(GRANT_TYPES), 'must be a JSON object')
          .check(z.refine((all) => Object.keys(all).length <= 10, 'must have at most 10 members')),
      ),
      'Alternative names of grants, each with its standard grant_type.',
    ),
    accepts: described(
      z.optional(uniqueList(oneOf(PROVIDER_LENIENCES), 'entry', PROVIDER_LENIENCES.length)),
      'What the provider accepts although the standards do not: the same credentials in header and body, HTTP Basic with a client_id alone, an access token in the query at userinfo, an access token as the assertion of the JWT bearer grant.',
    ),
    logout_parameters: described(
      z.optional(
        z
          .record(visible(100), visible(100), 'must be a JSON object')
          .check(z.refine((all) => Object.keys(all).length <= 10, 'must have at most 10 members')),
      ),
      'Alternative names of parameters of the logout endpoint, each with its standard name.',
    ),
    errors: described(
      z.optional(z.array(errorSchema, 'must be an array').check(atMostEntries(200))),
      'The responses to errors; the first entry that matches applies.',
    ),
    settings: described(
      z.optional(jsonMembers()),
      'Settings of the shape, which apply unless the workspace has its own.',
    ),
  })
  .check(withinBytes(MAX_SHAPE_BYTES));
