// The OpenAPI document, made of the contract.

import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { contract } from '../control/contract.ts';

const errorSchema = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    field: { type: 'string', description: 'Path of the member at fault' },
  },
  required: ['code', 'message'],
} as const;

export async function createOpenApiDocument(version: string): Promise<string> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const document = await generator.generate(contract, {
    info: { title: 'Grantbench control API', version },
    servers: [{ url: '/api' }],
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    customErrorResponseBodySchema: () => errorSchema as never,
  });
  return JSON.stringify(document);
}
