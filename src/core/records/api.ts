// The schema of a protected API (behaviour 19): the paths that it covers, the audience of its tokens, and the rules by
// which a request is accepted.

import { described, z } from './zod.ts';
import { API_BOUNDS } from './bounds.ts';
import { API_METHODS } from './enumerations.ts';
import { API_KIND_WORDS, API_TOKEN_TYPE_WORDS } from './enumeration-words.ts';
import {
  acrSchema,
  atMostEntries,
  audienceUriSchema,
  oneOf,
  orNull,
  scopeTokenSchema,
  seconds,
  TEN_YEARS,
  text,
  uniqueList,
  visible,
} from './members.ts';

/** A segment that is no dot segment (RFC 3986 3.3). */
const SEGMENT = /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/;

function isApiPath(path: string): boolean {
  const [before, root, ...segments] = path.split('/');
  const isServed = root === 'api' || root === 'mcp';
  return before === '' && isServed && segments.every((segment) => SEGMENT.test(segment));
}

const apiPathSchema = text(200).check(
  z.refine(
    isApiPath,
    'must be /api, /mcp or a path below one of them, of letters, digits and ._~-, without a slash at the end: all other paths are reserved for the service',
  ),
);

const rulePathSchema = text(200).check(
  z.regex(/^\//, 'must begin with /'),
  z.regex(
    /^[\x21\x22\x24-\x3e\x40-\x7e]*$/,
    'must be visible ASCII without ? and #: percent-encode other characters',
  ),
);

const apiScopeSchema = scopeTokenSchema.check(
  z.refine(
    (scope) => scope !== 'offline_access',
    'must not be offline_access, which requests a refresh token and is not the scope of an API',
  ),
);

export const apiRuleSchema = z.strictObject(
  {
    path: described(z._default(rulePathSchema, '/*'), {
      title: 'Path',
      description:
        'Path below that of the API, with * for any characters; / is the path of the API itself. Of an MCP server, the name of a tool after a slash; / is every other message.',
    }),
    methods: described(
      z._default(
        uniqueList(oneOf(API_METHODS), 'method', API_METHODS.length).check(
          z.minLength(1, 'must have at least one entry'),
        ),
        [...API_METHODS],
      ),
      { title: 'Methods', description: 'Methods that the rule accepts. GET includes HEAD.' },
    ),
    scopes: described(z._default(uniqueList(apiScopeSchema, 'scope', 50), []), {
      title: 'Scopes',
      description: 'Scopes that the token must have, all of them.',
    }),
    max_age: described(orNull(seconds(0, TEN_YEARS)), {
      title: 'Maximum age in seconds',
      description:
        'Maximum seconds since the user signed in (RFC 9470); null for no limit. Compared with the claim auth_time.',
    }),
    acr_values: described(z._default(uniqueList(acrSchema, 'acr', 20), []), {
      title: 'acr values',
      description:
        'Authentication context classes, of which the claim acr of the token must be one (RFC 9470); none for any.',
    }),
    token_type: described(z._default(oneOf(API_TOKEN_TYPE_WORDS), 'any'), {
      title: 'Tokens',
      description: 'The kind of access token that the rule accepts.',
    }),
  },
  'must be a JSON object',
);

/** An API that the sandbox serves, and that accepts its own access tokens. */
export const apiSchema = z.strictObject({
  name: described(
    visible(50).check(
      z.regex(
        /^[A-Za-z0-9][A-Za-z0-9_-]*$/,
        'must be letters, digits, _ and -, and begin with a letter or a digit',
      ),
    ),
    { title: 'Name', description: 'Identifier of the API, part of its default path and audience.' },
  ),
  kind: described(z._default(oneOf(API_KIND_WORDS), 'http'), {
    title: 'Kind',
    description: 'What the API is: any paths over HTTP, or an MCP server at one path.',
  }),
  path: described(orNull(apiPathSchema), {
    title: 'Path',
    description:
      'The path that its requests begin with, below the issuer; null for /api/<name>. Of several APIs, the one with the longest path is used.',
  }),
  audience: described(orNull(audienceUriSchema), {
    title: 'Audience',
    description:
      'The audience of its access tokens; null for <issuer>/api/<name>, or for the URL of an MCP server, which follow the port.',
  }),
  rules: described(
    z._default(
      z
        .array(apiRuleSchema, 'must be an array')
        .check(atMostEntries(API_BOUNDS.rules), z.minLength(1, 'must have at least one entry')),
      [
        {
          path: '/*',
          methods: [...API_METHODS],
          scopes: [],
          max_age: null,
          acr_values: [],
          token_type: 'any',
        },
      ],
    ),
    {
      title: 'Rules',
      description:
        'Rules, in the order in which they are compared with a request. The first with its path and method is applied; a request without one is rejected.',
    },
  ),
});
