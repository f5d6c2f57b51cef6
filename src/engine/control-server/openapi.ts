// The OpenAPI document, made of the contract. Bodies that the contract leaves open, because a merge
// patch or a draft is judged as a whole record, are described here by the record's own schema.

import type { OpenAPI } from '@orpc/openapi';
import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import type { z } from 'zod';
import { contract } from '../../control/contract.ts';
import { faultSchema } from '../../core/schemas.ts';
import {
  audienceSchema,
  clientSchema,
  settingsSchema,
  userSchema,
  workspaceSchema,
} from '../../control/schemas.ts';

const ERROR = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    field: { type: 'string', description: 'Path of the member at fault' },
  },
  required: ['code', 'message'],
} as const;

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
}

const converter = new ZodToJsonSchemaConverter();

const describe = (schema: z.ZodType): ObjectSchema =>
  converter.convert(schema, { strategy: 'input' })[1] as ObjectSchema;

/** Every member may be left out; null puts it back to its default. */
function asPatch(schema: ObjectSchema, key?: string): object {
  const members = Object.entries(schema.properties ?? {}).filter(([name]) => name !== key);
  return {
    type: 'object',
    properties: Object.fromEntries(
      members.map(([name, member]) => [
        name,
        member.properties !== undefined ? asPatch(member) : { anyOf: [member, { type: 'null' }] },
      ]),
    ),
    additionalProperties: false,
  };
}

function bodies(): readonly (readonly [path: string, method: 'post' | 'patch' | 'put', object])[] {
  const client = describe(clientSchema);
  const user = describe(userSchema);
  const audience = describe(audienceSchema);
  const fault = describe(faultSchema);
  const preset = { type: 'string', description: 'A ready-made rule to start from' } as const;
  return [
    ['/clients', 'post', { ...client, required: [] }],
    ['/clients/{client_id}', 'patch', asPatch(client, 'client_id')],
    ['/users', 'post', user],
    ['/users/{sub}', 'patch', asPatch(user, 'sub')],
    ['/audiences', 'post', audience],
    ['/audiences/{uri}', 'patch', asPatch(audience, 'uri')],
    ['/faults', 'post', { ...fault, properties: { preset, ...fault.properties }, required: [] }],
    ['/faults/{id}', 'patch', asPatch(fault, 'id')],
    ['/settings', 'patch', asPatch(describe(settingsSchema))],
    ['/workspace', 'put', describe(workspaceSchema)],
  ];
}

function withBodies(document: OpenAPI.Document): OpenAPI.Document {
  for (const [path, method, schema] of bodies()) {
    const operation = document.paths?.[path]?.[method];
    if (operation === undefined) continue;
    operation.requestBody = { required: true, content: { 'application/json': { schema } } };
  }
  return document;
}

export async function createOpenApiDocument(version: string): Promise<string> {
  const generator = new OpenAPIGenerator({ schemaConverters: [converter] });
  const document = await generator.generate(contract, {
    info: { title: 'Grantbench control API', version },
    servers: [{ url: '/api' }],
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    customErrorResponseBodySchema: () => ERROR,
  });
  return JSON.stringify(withBodies(document));
}
