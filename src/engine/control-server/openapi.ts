// Generates the OpenAPI document from the contract and its schemas, and adds named records, examples and errors. The
// contract accepts any object where a merge patch or a draft is validated as a whole record; such bodies get the
// record's schema here.

import { type OpenAPI, OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { REFUSALS } from '../../core/checks/refusals/index.ts';
import { contract, GROUP_WORDS } from '../../control/contract.ts';
import { presetSchema } from '../../control/fault-schemas.ts';
import { causeSchema, forecastSchema, placeSchema, refusalSchema } from '../../control/schemas.ts';
import type { OperationMeta } from '../../control/operations/op.ts';
import { COMPONENTS } from './openapi-components.ts';

type Document = OpenAPI.Document;
type Operation = OpenAPI.OperationObject;

interface Described {
  readonly '~orpc': { readonly meta: OperationMeta };
}

/**
 * Members that contain the identifier of a cause. The contract has them as strings, because the list of causes is part
 * of core's texts, which the page and the command line do not load.
 */
const REASONS: ReadonlySet<unknown> = new Set([
  causeSchema.shape.reason,
  refusalSchema.shape.id,
  forecastSchema.shape.reason.def.innerType,
]);

/** In a response, members with a default are always present. Titles are labels of forms. */
const converter = new ZodToJsonSchemaConverter({
  interceptors: [
    ({ next, ...call }) => {
      const [required, schema] = next();
      if (typeof schema === 'object') delete schema.title;
      if (typeof schema === 'object' && REASONS.has(call.schema))
        schema.enum = Object.keys(REFUSALS);
      const { type } = call.schema._zod.def;
      const given = type === 'default' || type === 'prefault';
      return [required || (given && call.options.strategy === 'output'), schema];
    },
  ],
});

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

interface ObjectSchema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly required?: readonly string[];
  readonly description?: string | undefined;
}

/** Every member may be omitted; null resets it to its default (RFC 7396). */
function patchOf(schema: ObjectSchema, key?: string): ObjectSchema {
  const members = Object.entries(schema.properties ?? {}).filter(([name]) => name !== key);
  return {
    type: 'object',
    properties: Object.fromEntries(
      members.map(([name, member]) => [name, orDefault(member)] as const),
    ),
    additionalProperties: false,
  };
}

/** In a patch, a default would suggest that omitted members are reset to it. */
function orDefault({ default: _default, description, ...member }: ObjectSchema): ObjectSchema {
  if (member.properties !== undefined) return { ...patchOf(member), description };
  const options = member['anyOf'];
  const nullable =
    Array.isArray(options) && options.some((option: ObjectSchema) => option['type'] === 'null');
  return { ...(nullable ? member : { anyOf: [member, { type: 'null' }] }), description };
}

type Schemas = Record<string, ObjectSchema>;

/** Bodies by operation id: the name of the schema, and how it is derived from other schemas. */
function bodiesOf(schemas: Schemas): Readonly<Record<string, [string, ObjectSchema?]>> {
  const of = (name: string) => schemas[name] ?? {};
  const { required: _client, ...client } = of('ClientInput');
  const { required: _fault, ...fault } = of('FaultInput');
  const [, preset] = converter.convert(presetSchema, { strategy: 'input' }) as [
    boolean,
    ObjectSchema,
  ];
  const [, { properties: place }] = converter.convert(placeSchema, { strategy: 'input' }) as [
    boolean,
    ObjectSchema,
  ];
  const added = (record: ObjectSchema): ObjectSchema => ({
    ...record,
    properties: { ...record.properties, ...place },
  });
  return {
    'clients.create': ['ClientDraft', added(client)],
    'clients.update': ['ClientPatch', patchOf(client, 'client_id')],
    'users.create': ['UserDraft', added(of('UserInput'))],
    'users.update': ['UserPatch', patchOf(of('UserInput'), 'sub')],
    'audiences.create': ['AudienceDraft', added(of('AudienceInput'))],
    'audiences.update': ['AudiencePatch', patchOf(of('AudienceInput'), 'uri')],
    'apis.create': ['ApiDraft', added(of('ApiInput'))],
    'apis.update': ['ApiPatch', patchOf(of('ApiInput'), 'name')],
    'faults.create': ['FaultDraft', { ...fault, properties: { preset, ...fault.properties } }],
    'faults.update': ['FaultPatch', patchOf(fault, 'id')],
    'settings.update': ['SettingsPatch', patchOf(of('SettingsInput'))],
    'workspace.put': ['WorkspaceInput'],
    'savedFlows.put': ['SavedFlowDraft'],
    'savedRequests.put': ['SavedRequestDraft'],
  };
}

const operationsOf = ({ paths = {} }: Document) =>
  Object.entries(paths).flatMap(([path, methods = {}]) =>
    Object.values(methods).map((operation) => ({ path, operation: operation as Operation })),
  );

function setBody(operation: Operation, id: string, { example }: OperationMeta, schemas: Schemas) {
  const [name, made] = bodiesOf(schemas)[id] ?? [];
  if (name !== undefined) {
    if (made !== undefined) schemas[name] = made;
    operation.requestBody = { content: { 'application/json': { schema: ref(name) } } };
  }
  const body = operation.requestBody;
  if (body === undefined || '$ref' in body) return;
  const media = body.content['application/json'];
  const schema = name === undefined ? (media?.schema as ObjectSchema) : schemas[name];
  body.required = (schema?.required ?? []).length > 0;
  if (media !== undefined && example !== undefined) media.example = example;
}

/** Returns the example of the record, or of the list of records, that the schema names. */
function exampleOf(schema: ObjectSchema | undefined): unknown {
  const name = (at: unknown) => /\/(\w+)$/.exec((at as { readonly $ref?: string }).$ref ?? '')?.[1];
  if (schema === undefined) return undefined;
  const named = name(schema);
  if (named !== undefined) return COMPONENTS[named]?.example;
  const items = schema.properties?.['items']?.['items'];
  const item = items === undefined ? undefined : COMPONENTS[name(items) ?? '']?.example;
  const counts = schema.properties?.['clients'] === undefined ? {} : { clients: [] };
  return item === undefined ? undefined : { items: [item], next: null, ...counts };
}

const eventOf = (name: string) =>
  `event: message\ndata: ${JSON.stringify(COMPONENTS[name]?.example)}\n\n`;

/** Examples that are composed of named records. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  'exchanges.export': COMPONENTS['ExchangeDocument']?.example,
  events: eventOf('FeedBatch'),
  'holds.start': eventOf('HoldEvent'),
};

function setAnswer(
  { responses = {} }: Operation,
  id: string,
  { example_answer }: OperationMeta,
): void {
  const [status = '', response] =
    Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  if (response === undefined || '$ref' in response) return;
  response.description = status === '204' ? 'Done.' : 'Success.';
  if (status === '204') delete response.content;
  for (const media of Object.values(response.content ?? {})) {
    media.example = example_answer ?? EXAMPLES[id] ?? exampleOf(media.schema as ObjectSchema);
  }
}

/** The descriptions of the fields of a server-sent event (HTML 9.2), which the generator does not add. */
const EVENT_FIELDS: Readonly<Record<string, string>> = {
  event: 'Kind of the event.',
  data: 'The batch of changes.',
  id: 'Identifier of the event.',
  retry: 'Milliseconds to wait before connecting again.',
};

function describeEvents({ responses = {} }: Operation): void {
  const [ok] = Object.values(responses) as OpenAPI.ResponseObject[];
  const stream = ok?.content?.['text/event-stream']?.schema as ObjectSchema | undefined;
  for (const event of (stream?.['oneOf'] ?? []) as ObjectSchema[]) {
    for (const [name, field] of Object.entries(event.properties ?? {})) {
      Object.assign(field, { description: EVENT_FIELDS[name] });
    }
  }
}

/** Moves the description of a parameter from its schema, and removes members that the generator always adds. */
function settle(parameter: OpenAPI.ParameterObject | OpenAPI.ReferenceObject): void {
  if (!('name' in parameter)) return;
  const { description, ...schema } = (parameter.schema ?? {}) as unknown as ObjectSchema;
  if (description !== undefined) Object.assign(parameter, { description, schema });
  delete parameter.allowEmptyValue;
  delete parameter.allowReserved;
}

const metaOf = (id: string): OperationMeta => {
  const [noun = '', name = ''] = id.split('.');
  const node = (contract as Record<string, unknown>)[noun] as Record<string, Described> & Described;
  return (node[name] ?? node)['~orpc'].meta;
};

function complete(operation: Operation, path: string, schemas: Schemas): void {
  const id = operation.operationId ?? '';
  const meta = metaOf(id);
  const [tag = ''] = id.split('.');
  operation.tags = [tag in GROUP_WORDS ? tag : 'server'];
  setBody(operation, id, meta, schemas);
  setAnswer(operation, id, meta);
  describeEvents(operation);
  const has_input = operation.requestBody !== undefined || operation.parameters !== undefined;
  operation.responses = {
    ...Object.fromEntries(
      Object.entries(operation.responses ?? {}).filter(([code]) => code.startsWith('2')),
    ),
    ...errorsOf({ path, body: operation.requestBody !== undefined, has_input, ...meta }),
  };
  for (const parameter of operation.parameters ?? []) settle(parameter);
}

export async function createOpenApiDocument(version: string): Promise<string> {
  const generator = new OpenAPIGenerator({ schemaConverters: [converter] });
  const document = await generator.generate(contract, {
    info: {
      title: 'Grantbench control API',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'The REST API for everything that the workbench can do. Times (`*_at`) are in RFC 3339 format on the sandbox clock, `*_seconds` are whole seconds, `*_ms` are milliseconds. Percent-encode keys in paths.',
    },
    servers: [{ url: '/api', description: 'The control server that served this document' }],
    tags: Object.entries(GROUP_WORDS).map(([name, description]) => ({ name, description })),
    security: [{ token: [] }],
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'The control token, printed at start or set by GRANTBENCH_CONTROL_TOKEN.',
        },
      },
    },
    commonSchemas: COMPONENTS,
  });
  const schemas = (document.components?.schemas ?? {}) as unknown as Schemas;
  schemas['Error'] = ERROR_SCHEMA;
  if (document.components !== undefined) document.components.responses = ERROR_RESPONSES;
  for (const { path, operation } of operationsOf(document)) complete(operation, path, schemas);
  return JSON.stringify(document);
}

type Responses = Record<string, OpenAPI.ResponseObject>;

const ERROR_SCHEMA = {
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
    message: { type: 'string', description: 'The problem, as a sentence.' },
    field: {
      type: 'string',
      description: 'Path of the invalid member; absent for other errors.',
    },
  },
  required: ['code', 'message'],
} as const;

const response = (description: string, example: object): OpenAPI.ResponseObject => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } },
});

const ERROR_RESPONSES: Responses = {
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
  Forbidden: response('The Host or Origin is not allowed.', {
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
  readonly body: boolean;
  /** Whether the operation has a body or parameters. */
  readonly has_input: boolean;
  readonly conflict?: string;
}

function errorsOf({ path, body, has_input, conflict }: Facts) {
  return {
    ...(body ? { 400: shared('BadRequest') } : {}),
    401: shared('Unauthorized'),
    403: shared('Forbidden'),
    ...(path.includes('{') ? { 404: shared('NotFound') } : {}),
    ...(conflict === undefined
      ? {}
      : { 409: response(conflict, { code: 'conflict', message: conflict }) }),
    ...(has_input ? { 422: shared('Invalid') } : {}),
  };
}
