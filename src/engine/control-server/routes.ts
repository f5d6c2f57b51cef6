// The routes of the control server: the page's files, the operations over REST and WebSocket, the OpenAPI document,
// and its page. Only the operations need the control token. Host and Origin were checked before.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { readAuthorization } from '../../core/client-authentication/authorization-header.ts';
import type { Engine } from '../engine.ts';
import { lazily } from '../promises.ts';
import { pathOfRequest, Refusal, sendBody } from './answers.ts';
import type { Reference } from './reference.ts';
import { createStaticFiles, documentPolicy, pagePolicy, type ReadStatic } from './static-files.ts';

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

/** Returns the control token from the subprotocols `grantbench` and `token.<token>`. */
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
      read === null ? 'this server does not serve the workbench page' : 'no resource at this path';
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

/** Redirects to the page. The control token is in the fragment, which no server or log receives. */
function followLink(
  request: IncomingMessage,
  response: ServerResponse,
  links: OneTimeLinks,
  token: string,
): void {
  const { raw } = pathOfRequest(request);
  // A HEAD request would consume the link.
  if (request.method !== 'GET' || !links.use(raw)) {
    const message =
      'this link was already used or is older than a minute: open the URL that grantbench printed';
    throw new Refusal(404, { code: 'not_found', message });
  }
  sendBody(response, 303, 'text/plain', '', { Location: `/#token=${token}` });
}

/** Serves the page of the OpenAPI document, which needs no control token. */
async function makeReference(document: Buffer): Promise<{ body: Buffer; policy: string }> {
  const { referencePage } = await import('./reference.ts');
  const nonce = randomBytes(16).toString('base64url');
  const page = await referencePage(JSON.parse(document.toString()) as Reference, nonce);
  return { body: Buffer.from(page), policy: documentPolicy(nonce) };
}

/** @param page folder of the built page; null serves no page */
export function createRoutes(engine: Engine, page: string | null, token: string) {
  const checkToken = createTokenCheck(token);
  const links = createOneTimeLinks();
  const readPage = page === null ? null : createStaticFiles(page);
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
  // Generated once, because it takes long and is the same for every request.
  const reference = lazily(async () => makeReference(await openApi()));
  return {
    /** @throws Refusal for a path, method or token that is not accepted */
    serve: async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { raw, decoded } = pathOfRequest(request);
      if (raw === '/api' || raw.startsWith('/api/')) {
        checkToken(bearer(request));
        const answer = await rest();
        // The connection may be closed before the operations are loaded for the first time.
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
      if (isOneTimeLink(raw)) {
        followLink(request, response, links, token);
        return;
      }
      return sendPage(request, response, readPage, decoded);
    },
    /** Returns the path of a link that opens the page with its control token, once. */
    linkOnce: links.create,
    /** @throws Refusal for a path or token that is not accepted, or too many WebSockets */
    upgrade: async (request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> => {
      const { raw } = pathOfRequest(request);
      if (raw !== '/rpc') {
        throw new Refusal(404, { code: 'not_found', message: 'the WebSocket is at /rpc' });
      }
      checkToken(offeredToken(request));
      (await sockets()).accept(request, socket, head);
    },
    /** Closes the WebSockets, without loading their code if there are none. */
    close: async (): Promise<void> => {
      if (sockets.wanted()) (await sockets()).close();
    },
  };
}

const PREFIX = '/open/';
const VALID_MS = 60_000;

type OneTimeLinks = ReturnType<typeof createOneTimeLinks>;

const linkDigest = (text: string) => createHash('sha256').update(text).digest('base64');

const isOneTimeLink = (path: string): boolean => path.startsWith(PREFIX);

/** @param now ms of a monotonic clock */
export function createOneTimeLinks(now: () => number = () => performance.now()) {
  let current: { readonly digest: string; readonly until: number } | null = null;
  return {
    /** Returns the path of a new link. An earlier unused link becomes invalid. */
    create: (): string => {
      const path = PREFIX + randomBytes(32).toString('base64url');
      current = { digest: linkDigest(path), until: now() + VALID_MS };
      return path;
    },
    /** Whether the path is that of the link, which then becomes invalid. */
    use: (path: string): boolean => {
      if (current === null || linkDigest(path) !== current.digest) return false;
      const inTime = now() <= current.until;
      current = null;
      return inTime;
    },
  };
}
