// A person signs in at the provider, in a browser: the redirect comes back to a listener on the loopback
// (RFC 8252 7.3), which is there for as long as the sign-in takes.

import { randomBytes } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { hostOf } from '../../../../engine/provider/addresses.ts';
import type { HttpRequest } from '../../../../oauth/fields.ts';
import type { HttpAnswer } from '../../../../scenario/runner/sandbox.ts';
import { UnansweredError } from './send.ts';

/** Minutes that somebody has to sign in. */
const PATIENCE_MIN = 5;

export interface SignInPorts {
  /** The redirect URI that the client has at the provider. */
  readonly redirect_uri: string;
  /** Shows the page to the person. */
  readonly show: (url: URL) => void;
  /** Milliseconds to wait for the redirect. */
  readonly patience_ms?: number;
}

function tell(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
    .end(`${text}\n`);
}

function listening(server: Server, at: URL): Promise<void> {
  return new Promise((done, failed) => {
    server.once('error', (cause) => {
      failed(new UnansweredError(`${at.href} cannot be listened at: ${cause.message}.`, { cause }));
    });
    server.listen(Number(at.port), hostOf(at), done);
  });
}

/** The redirect of this request: a page that knows neither path nor state cannot bring one. */
function received(server: Server, at: URL, state: string, patience_ms: number) {
  return new Promise<URL>((done, failed) => {
    const timer = setTimeout(() => {
      failed(new UnansweredError('Nobody has signed in at the provider in time.'));
    }, patience_ms);
    server.on('request', ({ method, url: target = '/' }, response) => {
      const url = URL.canParse(target, at.origin) ? new URL(target, at.origin) : null;
      const isRedirect = method === 'GET' && url?.pathname === at.pathname;
      if (!isRedirect || url.searchParams.get('state') !== state) {
        tell(response, 404, 'This is not the redirect that Grantbench waits for.');
        return;
      }
      clearTimeout(timer);
      response.once('close', () => {
        done(url);
      });
      tell(response, 200, 'Grantbench has received the redirect. You can close this page.');
    });
  });
}

/** The redirect to a request with this state. @throws UnansweredError where none has come */
async function redirectTo(authorization: URL, state: string, ports: SignInPorts): Promise<URL> {
  const { redirect_uri, show, patience_ms = PATIENCE_MIN * 60_000 } = ports;
  const at = new URL(redirect_uri);
  const server = createServer();
  try {
    await listening(server, at);
    const redirect = received(server, at, state, patience_ms);
    show(authorization);
    return await redirect;
  } finally {
    server.close();
    // A browser may hold a connection that it has sent nothing on.
    server.closeAllConnections();
  }
}

/** Sets the state, and returns the one of the scenario. */
function replaceState(parameters: URLSearchParams, state: string): string | null {
  const asked = parameters.get('state');
  parameters.set('state', state);
  return asked;
}

/**
 * Sign-ins of one run. The state of a scenario can be guessed: a random one is sent in its place (RFC 6749 10.12), and
 * the answer has that of the scenario again.
 */
export function createSignIn(ports: SignInPorts) {
  const state = randomBytes(16).toString('base64url');
  /** That of the newest authorization request; null without one. */
  let asked: string | null = null;
  return {
    /** An authorization request that is pushed before it is opened (RFC 9126). */
    pushed: (request: HttpRequest): HttpRequest => {
      const parameters = new URLSearchParams(request.body);
      asked = replaceState(parameters, state);
      return { ...request, body: parameters.toString() };
    },
    /** @throws UnansweredError where no redirect has come */
    open: async (authorization: URL): Promise<HttpAnswer> => {
      const { searchParams } = authorization;
      if (!searchParams.has('request_uri')) asked = replaceState(searchParams, state);
      const goesTo = searchParams.get('redirect_uri') ?? ports.redirect_uri;
      if (goesTo !== ports.redirect_uri) {
        throw new UnansweredError(
          `The redirect would go to ${goesTo}, not to ${ports.redirect_uri}.`,
        );
      }
      const location = await redirectTo(authorization, state, ports);
      if (asked === null) location.searchParams.delete('state');
      else location.searchParams.set('state', asked);
      return { status: 303, headers: { location: location.href }, text: '', exchange: null };
    },
  };
}
