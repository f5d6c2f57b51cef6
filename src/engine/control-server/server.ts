// The control server: the page's files, the operations over REST and WebSocket, the OpenAPI document.
//
// A caller of the operations can read every secret and issue any token. Possible attackers, and the protection:
// - Another machine: the server listens on loopback unless --control-host widens it.
// - Another user or program on this machine: operations need the control token, 256 bits, compared by digest.
//   It is in no URL that is sent: the page gets it in the fragment, the socket as a subprotocol. It is in no argument
//   of a process either: a browser is started with a link that works once.
// - A page in the user's browser, by fetch, form or WebSocket: a foreign Origin is rejected, there is no CORS, and no
//   cookie that such a request could use.
// - The same page by DNS rebinding: a foreign Host is rejected.
// - A frame around our page, or script in it: frame-ancestors and a strict policy.
// - A path outside of the page's folder: paths are normalised and must be below it.

import { randomBytes } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { bind, bindLoopback } from '../../server/bind.ts';
import { CONNECTION_LIMITS, createSockets } from '../../server/sockets.ts';
import {
  Refusal,
  refusalOfBroken,
  refusalOfConnect,
  refusalOfExpectation,
  refusalText,
  sendRefusal,
} from './answers.ts';
import type { Engine } from '../engine.ts';
import { createRoutes } from './routes.ts';

export interface ControlServerOptions {
  /** `localhost` or a loopback address means both loopback addresses. */
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Generated if undefined. */
  readonly token?: string | undefined;
  /** Folder of the built page; null serves no page. */
  readonly page: string | null;
  /** Additional host names of this server. */
  readonly allowHosts?: readonly string[] | undefined;
}

export interface ControlServer {
  /** Without trailing slash and control token; `<url>/#token=<token>` opens the page. */
  readonly url: string;
  readonly token: string;
  /** Returns a URL that opens the page once within a minute. It does not contain the control token. */
  readonly linkOnce: () => string;
  readonly close: () => Promise<void>;
}

/** Time limit for operations in flight when the server closes. */
const DRAIN_MS = 1000;

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

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
  const routes = createRoutes(engine, options.page, token);
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
      // The client is gone, so there is nobody to respond to.
      if (response.destroyed) return;
      const refusal = refusalOf(error, engine.onFault);
      if (response.headersSent) response.destroy();
      else sendRefusal(response, refusal);
    }
  };
  const upgrade = async (request: IncomingMessage, socket: Socket, head: Buffer) => {
    try {
      checkNames(request);
      await routes.upgrade(request, socket, head);
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
      // The request may have been rejected before its turn.
      if (!response.headersSent) void answer(response, () => routes.serve(request, response));
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
    linkOnce: () => url + routes.linkOnce(),
    close: async () => {
      engine.setWorkbenchUrl(null);
      await routes.close();
      await Promise.all(servers.map((server) => sockets.end(server, DRAIN_MS)));
    },
  };
}

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Returns the allowed hosts. A foreign name means DNS rebinding or a page of another origin.
 * @param port the port it listens on
 * @param extra additional hosts, with or without port
 */
export function createHostCheck(port: number, extra: readonly string[]) {
  const known = new Set(LOOPBACK_HOSTS.map((name) => `${name}:${port}`));
  if (port === 80) for (const name of LOOPBACK_HOSTS) known.add(name);
  const others = extra.map((host) => host.toLowerCase());

  const isKnown = (host: string) => {
    const name = host.toLowerCase();
    return (
      known.has(name) || others.some((own) => name === own || name.replace(/:\d+$/, '') === own)
    );
  };
  const isKnownOrigin = (origin: string) => {
    const [, host] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
    return host !== undefined && isKnown(host);
  };
  /** Returns the problem of the headers, or null. */
  return ({ host, origin }: IncomingHttpHeaders): string | null => {
    if (host === undefined || !isKnown(host)) {
      return 'this Host is not allowed; see --allow-host';
    }
    if (origin !== undefined && !isKnownOrigin(origin)) {
      return 'pages from this Origin may not use the control server';
    }
    return null;
  };
}
