// The errors of control as the OpenAPI document has them (docs/control-api.md): which operation has which, and
// what they look like.

import type { OpenAPI } from '@orpc/openapi';

type Responses = Record<string, OpenAPI.ResponseObject>;

export const ERROR_SCHEMA = {
  type: 'object',
  properties: {
    code: {
      type: 'string',
      description: 'Kind of the error.',
      enum: [
        'bad_request',
        'unauthorized',
        'forbidden',
        'not_found',
        'method_not_allowed',
        'conflict',
        'invalid',
        'too_many',
        'fault',
      ],
    },
    message: { type: 'string', description: 'What is wrong, as text.' },
    field: {
      type: 'string',
      description: 'Path of the invalid member; absent if the error is not about a member.',
    },
  },
  required: ['code', 'message'],
} as const;

const response = (description: string, example: object): OpenAPI.ResponseObject => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } },
});

export const ERROR_RESPONSES: Responses = {
  BadRequest: response(
    'The body is not JSON, too large (413), or not of type application/json (415).',
    {
      code: 'bad_request',
      message: 'the body is not UTF-8',
    },
  ),
  Unauthorized: response('The control token is missing or wrong.', {
    code: 'unauthorized',
    message: 'this needs the control token, as Authorization: Bearer <token>',
  }),
  Forbidden: response('The Host or the Origin is not allowed.', {
    code: 'forbidden',
    message: 'this Host is not allowed; see --allow-host',
  }),
  NotFound: response('The record does not exist.', {
    code: 'not_found',
    message: 'there is no client "checkout"',
  }),
  Invalid: response('A member or a parameter is invalid.', {
    code: 'invalid',
    message: 'redirect_uris[0] must be an absolute URI (RFC 6749 3.1.2)',
    field: 'redirect_uris[0]',
  }),
};

const shared = (name: string) => ({ $ref: `#/components/responses/${name}` });

interface Facts {
  readonly path: string;
  /** Whether it has a body. */
  readonly body: boolean;
  /** Whether it has a body or parameters. */
  readonly takes: boolean;
  readonly conflict?: string;
}

export function errorsOf({ path, body, takes, conflict }: Facts) {
  return {
    ...(body ? { 400: shared('BadRequest') } : {}),
    401: shared('Unauthorized'),
    403: shared('Forbidden'),
    ...(path.includes('{') ? { 404: shared('NotFound') } : {}),
    ...(conflict === undefined
      ? {}
      : { 409: response(conflict, { code: 'conflict', message: conflict }) }),
    ...(takes ? { 422: shared('Invalid') } : {}),
  };
}
