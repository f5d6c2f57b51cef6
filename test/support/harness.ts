// An engine on a free port with its control server, a manual machine clock and seeded random numbers. Every REST
// response is checked against the contract. Closed when the test ends.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { expect, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import type { z } from 'zod/mini';
import { contract, type ControlClient } from '../../src/control/contract.ts';
import type { workspaceSchema } from '../../src/core/records/schemas.ts';
import type {
  ControlServer,
  ControlServerOptions,
} from '../../src/engine/control-server/server.ts';
import { startControlServer } from '../../src/engine/control-server/server.ts';
import type { Engine, EngineOptions } from '../../src/engine/engine.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { ORDERS, REDIRECT_URI, seededRandom, START } from './core.ts';

export { ORDERS, REDIRECT_URI, START };

export const TOKEN = 'control-token';
const VERSION = '0.0.0-test';

type WorkspaceInput = z.input<typeof workspaceSchema>;

/** Signs with ES256, whose keys are generated quickly. The given members replace the defaults. */
export function workspaceInput(members: Partial<WorkspaceInput> = {}): WorkspaceInput {
  return {
    version: 1,
    name: 'Test',
    audiences: [{ uri: ORDERS, name: 'Orders', scopes: ['orders:read', 'orders:write'] }],
    clients: [
      {
        client_id: 'demo-app',
        client_secret: 'demo-secret',
        client_name: 'Demo application',
        redirect_uris: [REDIRECT_URI],
      },
    ],
    users: [{ sub: 'ada', name: 'Ada', email: 'ada@example.test' }],
    ...members,
    settings: { signing_alg: 'ES256', ...members.settings },
  };
}

/** Takes what must be done at the end, last things first. */
export type AtEnd = (end: () => Promise<void>) => void;

export async function temporaryFolder(atEnd: AtEnd = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'grantbench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A workspace file in its own folder, from members as for `workspaceInput` or from a text. */
export async function workspaceFile(
  content: Partial<WorkspaceInput> | string = {},
  atEnd?: AtEnd,
): Promise<string> {
  const file = join(await temporaryFolder(atEnd), 'workspace.json');
  const text =
    typeof content === 'string' ? content : `${JSON.stringify(workspaceInput(content), null, 2)}\n`;
  await writeFile(file, text);
  return file;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body, parsed as JSON; undefined when empty. */
  readonly body: unknown;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly raw?: string | Buffer;
  readonly headers?: OutgoingHttpHeaders;
  readonly signal?: AbortSignal;
}

/** One HTTP request with any headers, Host and Origin too. */
export function call(
  url: string,
  method: string,
  path: string,
  { body, raw, headers, signal }: CallOptions = {},
): Promise<Answer> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const outgoing = request(
      {
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        method,
        path,
        agent: false,
        headers: {
          ...(sent === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(sent) }),
          ...headers,
        },
        ...(signal === undefined ? {} : { signal }),
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const json = incoming.headers['content-type']?.startsWith('application/json') === true;
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            body: json && text !== '' ? JSON.parse(text) : undefined,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(sent);
  });
}

/** Sends these parameters as a form. */
export const sendForm = (
  url: string,
  path: string,
  parameters: Record<string, string>,
  headers: OutgoingHttpHeaders = {},
): Promise<Answer> =>
  call(url, 'POST', path, {
    raw: new URLSearchParams(parameters).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  });

interface Operation {
  readonly method: string;
  readonly path: RegExp;
  readonly output: z.ZodMiniType | undefined;
  readonly status: number;
}

interface ContractProcedure {
  readonly '~orpc': {
    readonly route: { method?: string; path?: string; successStatus?: number };
    readonly outputSchema?: z.ZodMiniType;
  };
}

function operationsIn(router: object): Operation[] {
  return Object.values(router).flatMap((item: object) => {
    if (!('~orpc' in item)) return operationsIn(item);
    const { route, outputSchema } = (item as ContractProcedure)['~orpc'];
    const pattern = (route.path ?? '').replace(/\{\w+\}/g, '[^/]+');
    return {
      method: route.method ?? '',
      path: new RegExp(`^/api${pattern}$`),
      output: outputSchema,
      status: route.successStatus ?? 200,
    };
  });
}

const OPERATIONS = operationsIn(contract);

/** Checks that a response conforms to the contract: its status and exactly its members. */
function expectContract(method: string, path: string, answer: Answer): void {
  if (answer.status >= 400) {
    expect(answer.body).toEqual({
      code: expect.any(String) as string,
      message: expect.any(String) as string,
      ...(Object.hasOwn(answer.body as object, 'field')
        ? { field: expect.any(String) as string }
        : {}),
    });
    return;
  }
  const [route = ''] = path.split('?');
  const operation = OPERATIONS.find((one) => one.method === method && one.path.test(route));
  if (operation === undefined) throw new Error(`no operation ${method} ${path}`);
  expect(answer.status).toBe(operation.status);
  if (operation.output === undefined) expect(answer.text).toBe('');
  else expect(operation.output.parse(answer.body)).toEqual(answer.body);
}

/** A response with a list. */
export interface Page<T> {
  readonly items: T[];
  readonly next: string | null;
}

export interface HarnessOptions {
  /** The workspace, as a read-only file. */
  readonly workspace?: Partial<WorkspaceInput>;
  readonly engine?: Partial<EngineOptions>;
  readonly control?: Partial<ControlServerOptions>;
  /** false leaves the server stopped. */
  readonly start?: boolean;
  /** By default, it ends with the test. */
  readonly atEnd?: AtEnd;
}

export interface Harness {
  readonly engine: Engine;
  readonly control: ControlServer;
  /** The base URL of the OAuth endpoints. */
  readonly url: () => string;
  /** Machine time, in ms since the epoch. */
  readonly machine: { now: number };
  readonly faults: unknown[];
  /** A control operation over REST, with the token; the path without `/api`. */
  readonly api: (
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
  ) => Promise<Answer>;
  /** The body of an operation that succeeds. */
  readonly get: <T = Record<string, unknown>>(path: string) => Promise<T>;
  /** The entries of a list. */
  readonly list: <T = Record<string, unknown>>(path: string) => Promise<T[]>;
  readonly post: <T = Record<string, unknown>>(path: string, body?: unknown) => Promise<T>;
  readonly patch: <T = Record<string, unknown>>(path: string, body: unknown) => Promise<T>;
  /** The operations over a WebSocket of their own. */
  readonly connect: () => Promise<ControlClient>;
  /** A token request, as a form by default. */
  readonly token: (
    parameters: Record<string, string>,
    headers?: OutgoingHttpHeaders,
  ) => Promise<Answer>;
  /** A fresh code of the demo client. */
  readonly code: (order?: Record<string, unknown>) => Promise<string>;
  /** Exchanges a fresh code. */
  readonly signIn: () => Promise<{ access_token: string; refresh_token: string }>;
}

export const CREDENTIALS = { client_id: 'demo-app', client_secret: 'demo-secret' } as const;

/** Starts an engine and a control server, which are closed in the required order when the test ends. */
export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const machine = { now: START };
  const faults: unknown[] = [];
  const { atEnd = onTestFinished } = options;
  const engine = await createEngine({
    port: 0,
    version: VERSION,
    workspace: { file: await workspaceFile(options.workspace, atEnd), save: false },
    now: () => machine.now,
    random: seededRandom(),
    onFault: (fault) => faults.push(fault),
    ...options.engine,
  });
  atEnd(() => engine.close());
  if (options.start !== false) await engine.start();
  const control = await startControlServer(engine, {
    host: '127.0.0.1',
    port: 0,
    page: null,
    token: TOKEN,
    ...options.control,
  });
  atEnd(() => control.close());

  const api: Harness['api'] = async (method, path, body, more = {}) => {
    const authorization = `Bearer ${control.token}`;
    const answer = await call(control.url, method, `/api${path}`, {
      ...(body === undefined ? {} : { body }),
      ...more,
      headers: { authorization, ...more.headers },
    });
    expectContract(method, `/api${path}`, answer);
    return answer;
  };
  const succeed = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await api(method, path, body);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body as T;
  };
  const url = () => `http://127.0.0.1:${engine.server().port}`;
  const token: Harness['token'] = (parameters, headers) =>
    sendForm(url(), '/oauth/token', parameters, headers);
  const code: Harness['code'] = async (order) => {
    const issued = await succeed<{ code: string }>('POST', '/codes', {
      client_id: 'demo-app',
      redirect_uri: REDIRECT_URI,
      ...order,
    });
    return issued.code;
  };
  return {
    engine,
    control,
    url,
    machine,
    faults,
    api,
    get: (path) => succeed('GET', path),
    list: async <T>(path: string) => (await succeed<Page<T>>('GET', path)).items,
    post: (path, body) => succeed('POST', path, body),
    patch: (path, body) => succeed('PATCH', path, body),
    connect: async () => {
      const address = `${control.url.replace(/^http/, 'ws')}/rpc`;
      const websocket = new WebSocket(address, ['grantbench', `token.${control.token}`]);
      await new Promise((resolve, reject) => {
        websocket.once('open', resolve);
        websocket.once('error', reject);
      });
      onTestFinished(() => websocket.close());
      return createORPCClient(
        new RPCLink({ websocket: websocket as unknown as globalThis.WebSocket }),
      );
    },
    token,
    code,
    signIn: async () => {
      const answer = await token({
        ...CREDENTIALS,
        grant_type: 'authorization_code',
        code: await code(),
        redirect_uri: REDIRECT_URI,
        audience: ORDERS,
      });
      expect(answer.status).toBe(200);
      return answer.body as { access_token: string; refresh_token: string };
    },
  };
}

/** Starts one in which the demo client has tokens, from exchange 1. */
export async function startSignedIn(options?: HarnessOptions) {
  const harness = await startHarness(options);
  return { harness, ...(await harness.signIn()) };
}

/** An error of control as it must come: status, code, the member at fault, and words about it. */
export function expectError(
  answer: Answer,
  status: number,
  code: string,
  field?: string,
  message: RegExp | string = /\w/,
): void {
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual({
    code,
    message:
      typeof message === 'string' ? message : (expect.stringMatching(message) as unknown as string),
    ...(field === undefined ? {} : { field }),
  });
}
