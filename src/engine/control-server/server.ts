// The control server: the page's files, the operations over REST and WebSocket, the OpenAPI document.
//
// Whoever gets through here can read every secret and mint any token, so: who could reach it, and what
// stops them.
// - Another machine: the server listens on loopback unless --control-host widens it.
// - Another user or program on this machine: operations need the token, 256 bits, compared by digest.
//   It is in no URL that is sent: the page gets it in the fragment, the socket as a subprotocol.
// - A page in the user's browser, by fetch, form or WebSocket: a foreign Origin is refused, there is no
//   CORS, and nothing is ambient (no cookies) that a request could ride on.
// - The same page by DNS rebinding: a foreign Host is refused.
// - A frame around our page, or script in it: frame-ancestors and a strict policy.
// - A path out of the page's folder: paths are normalised and must stay below it.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { readAuthorization } from '../../core/client-authentication/authorization-header.ts';
import { bind, bindLoopback } from '../../server/bind.ts';
import { CONNECTION_LIMITS, createSockets } from '../../server/sockets.ts';
import {
  pathOfRequest,
  Refusal,
  refusalOfBroken,
  refusalOfConnect,
  refusalOfExpectation,
  refusalText,
  sendBody,
  sendRefusal,
} from './answers.ts';
import type { Engine } from '../engine.ts';
import { lazily } from '../lazily.ts';
import { createHostCheck } from './origin.ts';
import type { Reference } from './reference.ts';
import { createStaticFiles, documentPolicy, pagePolicy, type ReadStatic } from './static-files.ts';

export interface ControlServerOptions {
  /** `localhost` or a loopback address takes both loopback addresses. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Made when left out. */
  readonly token?: string | undefined;
  /** Folder of the built page; null serves none. */
  readonly page: string | null;
  /** Further names this server may be called by. */
  readonly allowHosts?: readonly string[] | undefined;
}

export interface ControlServer {
  /** Without trailing slash and without token; `<url>/#token=<token>` opens the page. */
  readonly url: string;
  readonly token: string;
  readonly close: () => Promise<void>;
}

/** Operations in flight may take this long once the server is told to close. */
const DRAIN_MS = 1000;

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

const digest = (text: string) => createHash('sha256').update(text).digest();

function createTokenCheck(token: string) {
  const expected = digest(token);
  return (presented: string | undefined): void => {
    if (presented !== undefined && timingSafeEqual(digest(presented), expected)) return;
    const message = 'this needs the control token, as Authorization: Bearer <token>';
    throw new Refusal(401, { code: 'unauthorized', message }, { 'WWW-Authenticate': 'Bearer' });
  };
}

function bearer({ headers }: IncomingMessage): string | undefined {
  const { scheme, credentials } = readAuthorization(headers.authorization);
  return scheme === 'bearer' ? credentials : undefined;
}

/** The token among the subprotocols `grantbench` and `token.<token>`. */
function offeredToken({ headers }: IncomingMessage): string | undefined {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  if (!offered.includes('grantbench')) return undefined;
  return offered.find((name) => name.startsWith('token.'))?.slice('token.'.length);
}

async function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  read: ReadStatic | null,
  path: string,
): Promise<void> {
  const found = read === null ? null : await read(path);
  if (found === null) {
    const message =
      read === null
        ? 'this server does not serve the workbench page'
        : 'there is no resource at this path';
    throw new Refusal(404, { code: 'not_found', message });
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const message = 'only GET and HEAD are allowed';
    throw new Refusal(405, { code: 'method_not_allowed', message }, { Allow: 'GET, HEAD' });
  }
  sendBody(response, 200, found.type, found.body, {
    'Cache-Control': found.cache,
    'Content-Security-Policy': pagePolicy(request.headers.host ?? ''),
  });
}

/** The OpenAPI document as a page: without token, as the page's files are. */
async function makeReference(document: Buffer): Promise<{ body: Buffer; policy: string }> {
  const { referencePage } = await import('./reference.ts');
  const nonce = randomBytes(16).toString('base64url');
  const page = await referencePage(JSON.parse(document.toString()) as Reference, nonce);
  return { body: Buffer.from(page), policy: documentPolicy(nonce) };
}

function createDoors(engine: Engine, options: ControlServerOptions, token: string) {
  const checkToken = createTokenCheck(token);
  const readPage = options.page === null ? null : createStaticFiles(options.page);
  const rest = lazily(async () => {
    const [{ createRestHandler }, router] = await Promise.all([
      import('./rest.ts'),
      engine.getRouter(),
    ]);
    return createRestHandler(router);
  });
  const sockets = lazily(async () => {
    const [{ createRpcSockets }, router] = await Promise.all([
      import('./rpc-socket.ts'),
      engine.getRouter(),
    ]);
    return createRpcSockets(router, engine.onFault);
  });
  const openApi = lazily(async () => {
    const { createOpenApiDocument } = await import('./openapi.ts');
    return Buffer.from(await createOpenApiDocument(engine.server().version));
  });
  // Made once, as bytes: it takes long, and nothing of it depends on who asks.
  const reference = lazily(async () => makeReference(await openApi()));
  return {
    serve: async (request: IncomingMessage, response: ServerResponse) => {
      const { raw, decoded } = pathOfRequest(request);
      if (raw === '/api' || raw.startsWith('/api/')) {
        checkToken(bearer(request));
        const answer = await rest();
        // The connection may be gone by the time the operations are loaded for the first time.
        if (response.destroyed) return;
        return answer(request, response);
      }
      if (raw === '/openapi.json' && request.method === 'GET') {
        sendBody(response, 200, 'application/json', await openApi());
        return;
      }
      if (raw === '/docs' && (request.method === 'GET' || request.method === 'HEAD')) {
        const { body, policy } = await reference();
        sendBody(response, 200, 'text/html; charset=utf-8', body, {
          'Content-Security-Policy': policy,
        });
        return;
      }
      return sendPage(request, response, readPage, decoded);
    },
    upgrade: async (request: IncomingMessage, socket: Socket, head: Buffer) => {
      const { raw } = pathOfRequest(request);
      if (raw !== '/rpc') {
        throw new Refusal(404, { code: 'not_found', message: 'the WebSocket is at /rpc' });
      }
      checkToken(offeredToken(request));
      (await sockets()).accept(request, socket, head);
    },
    /** Ends what has been opened; nothing is loaded for it. */
    close: async () => {
      if (sockets.wanted()) (await sockets()).close();
    },
  };
}

function refusalOf(error: unknown, onFault: (fault: unknown) => void): Refusal {
  if (error instanceof Refusal) return error;
  onFault(error);
  return new Refusal(500, { code: 'fault', message: 'an internal error occurred in Grantbench' });
}

/**
 * Serves the page and the operations of an engine.
 * @throws PortInUseError
 */
export async function startControlServer(
  engine: Engine,
  options: ControlServerOptions,
): Promise<ControlServer> {
  const token = options.token ?? randomBytes(32).toString('base64url');
  if (!/^[\w.~-]+$/.test(token)) {
    throw new Error('a control token must contain only letters, digits and - . _ ~');
  }
  engine.hide(token);
  const doors = createDoors(engine, options, token);
  let foreign: ReturnType<typeof createHostCheck> = () => 'the server is not listening yet';
  const checkNames = (request: IncomingMessage) => {
    const message = foreign(request.headers);
    if (message !== null) throw new Refusal(403, { code: 'forbidden', message });
  };

  const answer = async (response: ServerResponse, act: () => Promise<void>) => {
    try {
      checkNames(response.req);
      await act();
    } catch (error) {
      // Nobody is there any more to be told anything.
      if (response.destroyed) return;
      const refusal = refusalOf(error, engine.onFault);
      if (response.headersSent) response.destroy();
      else sendRefusal(response, refusal);
    }
  };
  const upgrade = async (request: IncomingMessage, socket: Socket, head: Buffer) => {
    try {
      checkNames(request);
      await doors.upgrade(request, socket, head);
      return null;
    } catch (error) {
      return refusalText(refusalOf(error, engine.onFault));
    }
  };
  const sockets = createSockets({
    toBroken: (error) => refusalText(refusalOfBroken(error)),
    toConnect: () => refusalText(refusalOfConnect()),
    toUpgrade: upgrade,
    toUnfinished: (response, error) => {
      if (response.headersSent) response.destroy();
      else sendRefusal(response, refusalOfBroken(error));
    },
  });
  const make = (): Server => {
    const serve = sockets.inTurn((request, response) => {
      // It may have been refused before its turn came.
      if (!response.headersSent) void answer(response, () => doors.serve(request, response));
    });
    const server = createServer(CONNECTION_LIMITS, serve);
    server.on('checkExpectation', (_request, response) => {
      void answer(response, () => Promise.reject(refusalOfExpectation()));
    });
    sockets.attend(server);
    return server;
  };

  const local = LOOPBACK.includes(options.host);
  const reserved = [engine.server().port];
  const { servers, port } = local
    ? await bindLoopback(make, (server) => sockets.end(server, 0), options.port, reserved)
    : await bind(make(), options.host, options.port, reserved);
  const name = local || ['0.0.0.0', '::'].includes(options.host) ? 'localhost' : options.host;
  const host = name.includes(':') ? `[${name}]` : name;
  foreign = createHostCheck(port, [`${host}:${port}`, ...(options.allowHosts ?? [])]);

  const url = `http://${host}:${port}`;
  engine.setWorkbenchUrl(options.page === null ? null : url);
  return {
    url,
    token,
    close: async () => {
      engine.setWorkbenchUrl(null);
      await doors.close();
      await Promise.all(servers.map((server) => sockets.end(server, DRAIN_MS)));
    },
  };
}
