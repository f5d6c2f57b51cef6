// The OpenAPI document is complete, an independent validator accepts it, and a client generated from it by a public
// generator works against the server.

import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import createClient from 'openapi-fetch';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from '../../src/control/zod.ts';
import type { Exchange } from '../../src/control/schemas.ts';
import { REFUSALS } from '../../src/core/checks/refusals/index.ts';
import { rulesOf } from '../../src/core/checks/rules.ts';
import { createEvaluation } from '../../src/core/checks/trace.ts';
import { GRANT_TYPES } from '../../src/core/records/enumerations.ts';
import { COMPONENTS } from '../../src/engine/control-server/openapi-components.ts';
import { createOpenApiDocument } from '../../src/engine/control-server/openapi.ts';
import { call, startHarness, temporaryFolder, TOKEN } from '../support/harness.ts';
import { words } from '../support/words.ts';

interface Media {
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly description?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, Media> }>>;
}
interface Document {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

let text: string;
let document: Document;

beforeAll(async () => {
  text = await createOpenApiDocument('0.0.0-test');
  document = JSON.parse(text) as Document;
});

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );

/** The paths of members without a description. HAR 1.2 describes its own members. */
function wordless(schema: unknown, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === 'example' || keyword === 'default') return [];
    const missing =
      keyword === 'properties'
        ? Object.entries(value as object)
            .filter(([, member]) => !('description' in (member as object)))
            .map(([name]) => `${place}.${name}`)
        : [];
    return [...missing, ...wordless(value, place)];
  });
}

/** Removes prose and examples, which may change; the contract itself may not. */
function withoutWords(value: unknown, names = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutWords(item));
  if (typeof value !== 'object' || value === null) return value;
  const prose = ([name, words]: [string, unknown]) =>
    !names &&
    (name === 'example' ||
      (['description', 'summary'].includes(name) && typeof words === 'string'));
  return Object.fromEntries(
    Object.entries(value)
      .filter((entry) => !prose(entry))
      .map(([name, member]) => [name, withoutWords(member, name === 'properties')]),
  );
}

/** The document of an earlier build. */
const FORMER = new URL('../replay/corpus/documents/openapi.json', import.meta.url);

/** Bounds that may be raised. */
const UPPER_BOUNDS = ['maxItems', 'maxLength', 'maximum'];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Example {
  readonly schema: object;
  readonly example: unknown;
  readonly place: string;
}

/** Every example with its schema. */
function examplesIn(value: unknown, place = ''): Example[] {
  if (!isObject(value)) return [];
  const { schema, example } = value;
  if (isObject(schema) && example !== undefined) return [{ schema, example, place }];
  return Object.entries(value).flatMap(([name, member]) => examplesIn(member, `${place}/${name}`));
}

/** The values that are sent: a stream of events is described event by event, with parsed data. */
function dataOf(example: unknown): unknown {
  if (typeof example !== 'string' || !example.startsWith('event: ')) return example;
  const [, event, data = ''] = /^event: (.*)\ndata: (.*)\n\n$/.exec(example) ?? [];
  return { event, data: JSON.parse(data) as unknown };
}

type ExampleExchange = Pick<Exchange, 'error' | 'trace'> & {
  readonly why: NonNullable<Exchange['why']>;
};

/** The exchanges in an example, with their evaluations. */
function exchangesIn(example: unknown): ExampleExchange[] {
  if (Array.isArray(example)) return example.flatMap(exchangesIn);
  if (!isObject(example)) return [];
  const own = isObject(example['why']) ? [example as unknown as ExampleExchange] : [];
  return [...own, ...Object.values(example).flatMap(exchangesIn)];
}

/** Workspace records that have a schema of their own since then, with all members of the former one. */
const RENAMED = [['Workspace', 'users', 'User', 'WorkspaceUser']] as const;

/** Bodies that accept a position beside the record since then. */
const PLACED = [
  ['/users', 'UserInput', 'UserDraft'],
  ['/audiences', 'AudienceInput', 'AudienceDraft'],
] as const;

/** The former document with the current names. */
function withRenamed(former: unknown): unknown {
  const copy = structuredClone(former) as {
    paths: Record<
      string,
      { post: { requestBody: { content: Record<string, { schema: unknown }> } } }
    >;
    components: { schemas: Record<string, { properties: Record<string, { items: unknown }> }> };
  };
  const { schemas } = copy.components;
  for (const [record, member, before, now] of RENAMED) {
    const list = schemas[record]?.properties[member];
    expect(list?.items).toEqual({ $ref: `#/components/schemas/${before}` });
    if (list !== undefined) list.items = { $ref: `#/components/schemas/${now}` };
    schemas[now] ??= schemas[before] as NonNullable<(typeof schemas)[string]>;
  }
  for (const [path, before, now] of PLACED) {
    const body = copy.paths[path]?.post.requestBody.content['application/json'];
    expect(body?.schema).toEqual({ $ref: `#/components/schemas/${before}` });
    if (body !== undefined) body.schema = { $ref: `#/components/schemas/${now}` };
    schemas[now] ??= schemas[before] as NonNullable<(typeof schemas)[string]>;
  }
  return copy;
}

/** The paths at which the document lacks or contradicts the former one. Additions are allowed. */
function lacking(former: unknown, now: unknown, path = ''): string[] {
  if (isObject(former) && isObject(now)) {
    return Object.entries(former).flatMap(([name, value]) =>
      UPPER_BOUNDS.includes(name) && Number(now[name]) >= Number(value)
        ? []
        : lacking(value, now[name], `${path}/${name}`),
    );
  }
  if (Array.isArray(former) && Array.isArray(now)) {
    return former
      .filter((value) => !now.some((other) => lacking(value, other).length === 0))
      .map((value) => `${path} lacks ${JSON.stringify(value)}`);
  }
  return former === now ? [] : [`${path} was ${JSON.stringify(former)}`];
}

describe('the document', () => {
  it('contains everything in the document of an earlier build, apart from descriptions, summaries and examples', async () => {
    const former = withoutWords(JSON.parse(await readFile(FORMER, 'utf8')));
    expect(lacking(withRenamed(former), withoutWords(document))).toEqual([]);
  });

  it('is valid OpenAPI 3.1 for an independent validator', async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(text) as Record<string, unknown>)).toEqual({
      valid: true,
    });
    expect(validator.version).toBe('3.1');
  });

  it('has a description, a tag, an id and the possible errors for each operation', () => {
    const tags = document.tags.map(({ name }) => name);
    for (const { path, operationId, description, summary, responses, ...rest } of operations()) {
      expect([operationId, description, summary]).toEqual(
        Array(3).fill(expect.stringMatching(/\w/)),
      );
      expect(tags).toEqual(expect.arrayContaining([...(rest.tags ?? ['none'])]));
      const codes = Object.keys(responses);
      expect(codes, operationId).toEqual(expect.arrayContaining(['401', '403']));
      expect(codes.includes('404'), operationId).toBe(path.includes('{'));
      const takes = rest.requestBody !== undefined || rest.parameters !== undefined;
      expect(codes.includes('422'), operationId).toBe(takes);
    }
  });

  it('has an example of every request and response body', () => {
    for (const { operationId, requestBody, responses } of operations()) {
      for (const media of Object.values(requestBody?.content ?? {})) {
        expect(media.example, operationId).toBeDefined();
      }
      for (const { content } of Object.values(responses)) {
        for (const media of Object.values(content ?? {})) {
          expect(media.example, operationId).toBeDefined();
        }
      }
    }
  });

  it('has no example that its own schema rejects', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const { components, paths } = JSON.parse(text) as object &
      Pick<Document, 'components' | 'paths'>;
    ajv.addSchema({ $id: 'openapi', components });
    const validators = new Map<string, ValidateFunction>();
    const problems = examplesIn({ components, paths }).flatMap(({ schema, example, place }) => {
      const named = JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/');
      const validate = validators.get(named) ?? ajv.compile(JSON.parse(named) as object);
      validators.set(named, validate);
      validate(dataOf(example));
      return (validate.errors ?? []).map(
        ({ instancePath, message = '' }) => `${place} ${instancePath} ${message}`,
      );
    });
    expect(problems).toEqual([]);
  });

  it('names only existing checks and reasons in examples', () => {
    const rules = GRANT_TYPES.flatMap((grant_type) =>
      rulesOf({ ...createEvaluation(1), grant_type }),
    ).map(([id, { rule, section }]) => ({ id, rule, section }));
    const reasons = Object.values(REFUSALS).map(({ check, error, summary }) => ({
      check,
      error,
      summary,
    }));
    const exchanges = examplesIn(document).flatMap(({ example }) => exchangesIn(example));
    expect(exchanges.length).toBeGreaterThan(2);
    for (const { error, trace, why } of exchanges) {
      for (const { id, rule, section } of trace)
        expect(rules).toContainEqual({ id, rule, section });
      const { check, summary } = why;
      expect(reasons).toContainEqual({ check, error, summary });
    }
  });

  it('lists all checks and deviations wherever one is named', () => {
    const idsIn = (name: string, member: string) =>
      (document.components.schemas[name] as { properties: Record<string, { enum?: string[] }> })
        .properties[member]?.enum;
    const checks = [...new Set(Object.values(REFUSALS).map(({ check }) => check))];
    expect(idsIn('Check', 'id')).toEqual(expect.arrayContaining(checks));
    expect(idsIn('Cause', 'check')).toEqual(idsIn('Check', 'id'));
    expect(idsIn('Deviation', 'id')).toContain('basic_accepted');
  });

  it('lists every member of a new user', () => {
    const { properties = {} } = document.components.schemas['UserDraft'] as { properties?: object };
    expect(Object.keys(properties)).toEqual(
      words('sub name email password locked claims acr_values groups roles position'),
    );
  });

  it('has examples that the schemas parse', () => {
    for (const [name, { schema, example }] of Object.entries(COMPONENTS)) {
      if (example !== undefined)
        expect(z.safeParse(schema, example), name).toMatchObject({ success: true });
    }
  });

  it('describes every parameter and every member of every record', () => {
    const { Har: _har, ...schemas } = document.components.schemas;
    const missing = [
      ...Object.entries(schemas).flatMap(([name, schema]) => wordless(schema, name)),
      ...operations().flatMap(({ operationId, requestBody, responses, parameters = [] }) => [
        ...wordless([requestBody, responses], operationId),
        ...parameters
          .filter(({ description }) => description === undefined)
          .map(({ name }) => `${operationId}?${name}`),
      ]),
    ];
    expect(missing).toEqual([]);
  });
});

describe('GET /docs', () => {
  it('shows every operation and record, without script, network or token', async () => {
    const { control } = await startHarness({ start: false });
    const { status, headers, text: page } = await call(control.url, 'GET', '/docs');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const [, nonce = ''] = /style-src 'nonce-([^']+)'/.exec(
      String(headers['content-security-policy']),
    )!;
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src /);
    expect(page).toContain(`<style nonce="${nonce}">`);
    expect(page).not.toMatch(/<script|https?:\/\/(?!(localhost|127\.0\.0\.1|orders\.example))/);
    expect(page).not.toContain(TOKEN);
    for (const { operationId } of operations()) expect(page).toContain(`id="${operationId}"`);
    const [, ...anchors] = page.split('href="#').map((rest) => rest.split('"')[0]);
    for (const anchor of new Set(anchors)) expect(page).toContain(`id="${anchor ?? ''}"`);
  });
});

describe('every example of a body', () => {
  it('is accepted by the server, or rejected for a missing record, not for its form', async () => {
    const { api } = await startHarness();
    for (const { operationId: id, path, method, requestBody, responses } of operations()) {
      const request = requestBody?.content['application/json']?.example;
      // A stream of events only ends with its connection.
      const streams = responses['200']?.content?.['text/event-stream'] !== undefined;
      if (request === undefined || streams || path.startsWith('/server/')) continue;
      const { status } = await api(
        method.toUpperCase(),
        path.replace('{number}', '9').replace(/\{\w+\}/, 'nobody'),
        request,
      );
      expect([200, 201, 404, 409], id).toContain(status);
    }
  });
});

const USE = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api';
export async function use(baseUrl: string): Promise<components['schemas']['Client'][]> {
  const api = createClient<paths>({ baseUrl });
  const { data, error } = await api.PATCH('/clients/{client_id}', {
    params: { path: { client_id: 'shop' } },
    body: { client_name: 'Shop', throttle: { limit: 5, window_seconds: 60 } },
  });
  const words: string | undefined = error?.message ?? data?.client_name;
  const { data: minted } = await api.POST('/tokens', { body: { client_id: words ?? 'shop' } });
  const seconds: number | undefined = minted?.expires_in;
  await api.PATCH('/settings', { body: { throttle: { limit: seconds ?? 1 } } });
  // @ts-expect-error a limit is a number
  await api.PATCH('/settings', { body: { throttle: { limit: 'five' } } });
  const { data: list } = await api.GET('/clients', { params: { query: { limit: 5 } } });
  return list?.items ?? [];
}
`;

/** The errors of the compiler in strict mode. */
async function compile(types: string): Promise<string[]> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'node_modules'));
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    await symlink(join(process.cwd(), 'node_modules', name), join(folder, 'node_modules', name));
  }
  await writeFile(join(folder, 'api.ts'), types);
  await writeFile(join(folder, 'use.ts'), USE);
  const program = ts.createProgram([join(folder, 'use.ts')], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2023,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('a client generated from the document by openapi-typescript', () => {
  it('has strict types for bodies, parameters and responses', async () => {
    expect(await compile(astToString(await openapiTS(text)))).toEqual([]);
  }, 60_000);

  it('lists, creates, changes, issues tokens and reads errors, against the real server', async () => {
    const { control } = await startHarness();
    const api = createClient<Record<string, Record<string, never>>>({
      baseUrl: `${control.url}/api`,
      headers: { Authorization: `Bearer ${TOKEN}` },
    }) as unknown as Record<'GET' | 'POST' | 'PATCH', Sent>;
    const created = await api.POST('/clients', { body: { client_id: 'shop' } });
    expect(created).toMatchObject({ data: { client_id: 'shop' }, response: { status: 201 } });
    const params = { path: { client_id: 'shop' } };
    const body = { grant_types: ['refresh_token'] };
    expect(await api.PATCH('/clients/{client_id}', { params, body })).toMatchObject({ data: body });
    const { data } = await api.GET('/clients', { params: { query: { limit: 1 } } });
    expect(data).toMatchObject({ items: [{ client_id: 'shop' }] });
    const minted = await api.POST('/tokens', { body: { client_id: 'shop' } });
    expect(minted).toMatchObject({ data: { token_type: 'Bearer' } });
    const again = await api.POST('/clients', { body: { client_id: 'shop' } });
    expect(again).toMatchObject({
      response: { status: 409 },
      error: { code: 'conflict', field: 'client_id' },
    });
  });
});

type Sent = (
  path: string,
  options: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
