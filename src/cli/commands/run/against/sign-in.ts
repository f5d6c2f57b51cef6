// A person signs in at the provider, in a browser: the redirect comes back to a listener on the loopback, which is
// there for as long as the sign-in takes.

import { randomBytes } from 'node:crypto';
import {
  listenForRedirect,
  parseLoopbackUri,
} from '../../../../engine/callback/redirect-listener.ts';
import type { HttpRequest } from '../../../../oauth/fields.ts';
import type { HttpAnswer } from '../../../../scenario/runner/sandbox.ts';
import { UnansweredError } from './send.ts';

export interface SignInPorts {
  /** The redirect URI that the client has at the provider. */
  readonly redirect_uri: string;
  /** Shows the page to the person. */
  readonly show: (url: URL) => void;
  /** Milliseconds to wait for the redirect; 5 minutes by default. */
  readonly patience_ms?: number;
}

/** The redirect to a request with this state. @throws UnansweredError where none has come */
async function redirectTo(authorization: URL, state: string, ports: SignInPorts): Promise<URL> {
  const { redirect_uri, show, patience_ms } = ports;
  const uri = parseLoopbackUri(redirect_uri);
  if (uri === null) throw new UnansweredError(`${redirect_uri} is not on the loopback.`);
  const listener = await listenForRedirect(uri, state, patience_ms).catch((cause: unknown) => {
    const { message } = cause as Error;
    throw new UnansweredError(`${redirect_uri} cannot be listened at: ${message}.`, { cause });
  });
  try {
    show(authorization);
    const location = await listener.received;
    if (location !== null) return location;
  } finally {
    listener.close();
  }
  throw new UnansweredError('Nobody has signed in at the provider in time.');
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
