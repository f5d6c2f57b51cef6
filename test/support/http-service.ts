// A token service over real HTTP on a free port, with a manual clock.

import { createHolds } from '../../src/server/faults/held-exchanges.ts';
import { connect } from 'node:net';
import { randomBytes } from 'node:crypto';
import { afterAll, onTestFinished } from 'vitest';
import {
  audienceSchema,
  type Client,
  clientSchema,
  type Settings,
  settingsSchema,
  type User,
  userSchema,
} from '../../src/core/records/schemas.ts';
import type { DomainEvent } from '../../src/core/model/ports.ts';
import { createClock } from '../../src/core/model/clock.ts';
import { createTokenService, type TokenService } from '../../src/core/service.ts';
import { createDocumentFetcher } from '../../src/engine/provider/documents.ts';
import { createJwsSigner, generateSigningKey } from '../../src/engine/key-material.ts';
import { createMemoryStores } from '../../src/core/stores/memory-stores.ts';
import type { CapturedExchange } from '../../src/server/capture.ts';
import { createCapture } from '../../src/server/capture.ts';
import { createHttpServer } from '../../src/server/listen.ts';
import { ORDERS as AUDIENCE, REDIRECT_URI, sha256, sha512 } from './core.ts';

export { AUDIENCE, REDIRECT_URI };

export const NOW = Date.parse('2026-03-01T10:00:00.000Z');
export const SECRET = 'demo-secret';

export interface HttpService {
  readonly service: TokenService;
  readonly url: string;
  readonly port: number;
  readonly faults: unknown[];
  readonly events: DomainEvent[];
  exchange(number: number): CapturedExchange | undefined;
  newest(): CapturedExchange | undefined;
  /** Issues a code for the demo client. */
  code(order?: Record<string, unknown>): Promise<string>;
  /** Each of these changes what the service knows, until the test ends. */
  configure(settings: SettingsDraft): void;
  changeClient(members: Partial<Client>): void;
  /** Puts this user's record with other members; with another sub it is a second user. */
  changeUser(sub: string, members: Partial<User>): void;
  stop(): Promise<void>;
}

export type SettingsDraft = Partial<Record<keyof Settings, unknown>>;

/** Starts with the demo client and `other-app`; missing settings have their defaults. */
export async function startHttpService(
  settings: SettingsDraft = {},
  client: Partial<Client> = {},
): Promise<HttpService> {
  const clock = createClock(() => NOW);
  const events: DomainEvent[] = [];
  const faults: unknown[] = [];
  let port = 0;
  const service = createTokenService(
    {
      clock,
      random: (bytes) => randomBytes(bytes),
      sha256,
      sha512,
      createSigner: createJwsSigner,
      generateKey: generateSigningKey,
      fetchDocument: createDocumentFetcher(() => [port]),
      stores: createMemoryStores({ onCeiling: () => undefined }),
      emit: (event) => events.push(event),
    },
    {
      settings: settingsSchema.parse({ signing_alg: 'ES256', ...settings }),
      defaultIssuer: () => `http://localhost:${port}`,
      isLocal: () => true,
    },
  );
  service.registry.clients.put(
    clientSchema.parse({
      client_id: 'demo-app',
      client_secret: SECRET,
      client_name: 'Demo application',
      redirect_uris: [REDIRECT_URI],
      ...client,
    }),
  );
  service.registry.clients.put(
    clientSchema.parse({
      client_id: 'other-app',
      client_secret: 'other-secret',
      redirect_uris: [REDIRECT_URI],
    }),
  );
  service.registry.users.put(userSchema.parse({ sub: 'ada', name: 'Ada Example' }));
  service.registry.audiences.put(
    audienceSchema.parse({ uri: AUDIENCE, scopes: ['orders:read', 'orders:write'] }),
  );
  const capture = createCapture(
    () => service.settings().capture,
    () => undefined,
  );
  const server = createHttpServer({
    ownStates: new Set(),
    holds: createHolds(() => undefined),
    service,
    capture,
    stopwatch: () => performance.now(),
    version: '0.0.0-test',
    workbenchUrl: () => 'http://127.0.0.1:4281/',
    certificate: () => Promise.reject(new Error('no certificate')),
    reservedPorts: () => [],
    onFault: (fault) => faults.push(fault),
  });
  port = (await server.start({ port: 0, host: null, https: false })).port;
  server.answer();
  const { clients } = service.registry;
  return {
    service,
    url: `http://localhost:${port}`,
    port,
    faults,
    events,
    exchange: (number) => capture.get(number),
    newest: () => [...capture.newestFirst()][0],
    code: async (order = {}) => {
      const issued = await service.authorize({
        client_id: 'demo-app',
        redirect_uri: REDIRECT_URI,
        ...order,
      });
      return issued.value;
    },
    configure: (members) => {
      const before = service.settings();
      service.setSettings(settingsSchema.parse({ ...before, ...members }));
      onTestFinished(() => {
        service.setSettings(before);
      });
    },
    changeClient: (members) => {
      const known = clients.get('demo-app');
      if (known === undefined) throw new Error('the demo client is not registered');
      clients.put({ ...known, ...members });
      onTestFinished(() => {
        clients.put(known);
      });
    },
    changeUser: (sub, members) => {
      const { users } = service.registry;
      const known = users.get(sub);
      if (known === undefined) throw new Error(`there is no user ${sub}`);
      users.put({ ...known, ...members });
    },
    stop: () => server.stop(),
  };
}

const stoppedBy =
  (atEnd: (stop: () => Promise<void>) => void) =>
  async (settings?: SettingsDraft, client?: Partial<Client>): Promise<HttpService> => {
    const http = await startHttpService(settings, client);
    atEnd(http.stop);
    return http;
  };

/** Starts one that is stopped after all tests of the calling file. */
export const sharedHttpService = stoppedBy(afterAll);

/** Starts one that is stopped when the test ends. */
export const ownHttpService = stoppedBy(onTestFinished);

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text as JSON; an empty object if there is none. */
  readonly body: Record<string, unknown>;
}

export async function answeredBy(response: Response): Promise<Answered> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
}

/** The six parameters of spec 4.1.1. */
export function exchangeParameters(url: string, code: string): Record<string, string> {
  return {
    client_id: 'demo-app',
    client_secret: SECRET,
    audience: url,
    grant_type: 'authorization_code',
    redirect_uri: REDIRECT_URI,
    code,
  };
}

/** The four parameters of spec 4.1.2. */
export function refreshParameters(refresh_token: string): Record<string, string> {
  return {
    grant_type: 'refresh_token',
    client_id: 'demo-app',
    client_secret: SECRET,
    refresh_token,
  };
}

export async function postJson(
  url: string,
  body: string | Uint8Array<ArrayBuffer> | Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Answered> {
  return answeredBy(
    await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    }),
  );
}

export async function postForm(
  url: string,
  body: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<Answered> {
  return answeredBy(
    await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: typeof body === 'string' ? body : new URLSearchParams(body).toString(),
    }),
  );
}

/** Sends bytes over a raw socket. @returns everything received until it is closed */
export function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket
      .on('data', (chunk: Buffer) => {
        answer += chunk.toString('latin1');
      })
      .on('close', () => {
        resolve(answer);
      })
      .on('error', reject);
  });
}
