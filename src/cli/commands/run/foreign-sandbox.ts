// A provider with the interface of a sandbox: requests go to the endpoints in its metadata, with the credentials of
// the run; a user signs in there in a browser. It has no control API and records no exchanges.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { KnownProvider } from '../../../engine/provider/known-provider.ts';
import { endpointAt } from '../../../scenario/server-paths.ts';
import type { ParsedScenario } from '../../../scenario/parse.ts';
import type {
  HttpAnswer,
  ScenarioControl,
  ScenarioSandbox,
  WireRequest,
} from '../../../scenario/runner/scenario-sandbox.ts';
import { ProviderError } from '../../../engine/provider/provider-error.ts';
import { bodyOf, type Connecting, requestOf } from '../../../engine/provider/provider-request.ts';
import { listenForRedirect, parseLoopbackUri } from '../../../engine/redirect-listener.ts';

const reject = () => Promise.reject(new UnansweredError('A provider has no control API.'));

const NO_CONTROL: ScenarioControl = {
  codes: { create: reject },
  tokens: { mint: reject, list: reject, revoke: reject, expire: reject },
  devices: { create: reject, approve: reject, deny: reject, expire: reject },
  clock: {
    // A provider uses the real time.
    get: () => Promise.resolve({ now: new Date().toISOString(), frozen: false, offset_seconds: 0 }),
    update: reject,
  },
  faults: { create: reject },
  holds: { start: reject, release: reject },
  exchanges: {
    list: () => Promise.resolve({ items: [], next: null }),
    get: reject,
  },
};

/** Returns the path without the path of the issuer. */
function plainPath(path: string, { base }: KnownProvider): string {
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}

/** Returns the provider's URL of the endpoint. @throws UnansweredError */
function urlOf(path: string, { endpoint }: KnownProvider): URL {
  const name = endpointAt(path);
  const found = name === undefined ? 'a provider does not have this path' : endpoint(name);
  if (typeof found === 'string') throw new UnansweredError(`${found}.`);
  const url = new URL(found);
  const query = path.split('?').slice(1).join('?');
  if (query !== '') url.search = url.search === '' ? query : `${url.search}&${query}`;
  return url;
}

export interface RunCredentials {
  readonly client_id: string;
  /** null for a public client. */
  readonly client_secret: string | null;
  /** null without a user: steps that send a username and password are skipped. */
  readonly user: { readonly name: string; readonly password: string } | null;
}

export interface Foreign {
  readonly provider: KnownProvider;
  readonly credentials: RunCredentials;
  readonly sign_in: SignInPorts | null;
}

/** @param scenario the scenario with the steps to send to the provider */
export function foreignSandbox(
  { scenario, workspace }: ParsedScenario,
  { provider, credentials, sign_in }: Foreign,
): ScenarioSandbox {
  const { client_id, client_secret, user } = credentials;
  const redirect_uris = sign_in === null ? [] : [sign_in.redirect_uri];
  const signIn = sign_in === null ? null : createSignIn(sign_in);
  let step = 0;
  return {
    control: NO_CONTROL,
    issuer: provider.issuer,
    clients: workspace.clients
      .slice(0, 1)
      .map((client) => ({ ...client, client_id, client_secret, redirect_uris })),
    users: workspace.users
      .slice(0, user === null ? 0 : 1)
      .map((one) => ({ ...one, sub: user?.name ?? '', password: user?.password ?? null })),
    uriOf: (path) => urlOf(plainPath(path, provider), provider).href,
    onStep: (index) => {
      step = index;
    },
    send: async (request: WireRequest) => {
      const path = plainPath(request.path, provider);
      const url = urlOf(path, provider);
      const send = (outgoing: WireRequest) => sendTo(url, outgoing, provider.connecting);
      if (signIn === null || scenario.steps[step]?.authorize === undefined) return send(request);
      return endpointAt(path) === 'authorization' ? signIn.open(url) : send(signIn.pushed(request));
    },
    close: () => Promise.resolve(),
  };
}

/** The error of a step without a response. Because it has a code, the runner reports it as the result of the step. */
class UnansweredError extends Error {
  readonly code = 'unanswered';
}

async function answerOf(place: URL, response: IncomingMessage): Promise<HttpAnswer> {
  const { statusCode: status = 0, headers } = response;
  return {
    status,
    headers,
    text: (await bodyOf(place, response)).toString('utf8'),
    exchange: null,
  };
}

function byName(headers: WireRequest['headers']): Record<string, string[]> {
  const values: Record<string, string[]> = {};
  for (const [name, value] of headers) (values[name] ??= []).push(value);
  return values;
}

/** @throws UnansweredError naming the endpoint and the problem */
export async function sendTo(
  url: URL,
  { method, headers, body }: WireRequest,
  connecting: Connecting,
): Promise<HttpAnswer> {
  // Errors name the URL without its query, which may contain a credential.
  const place = new URL(`${url.origin}${url.pathname}`);
  try {
    return await requestOf(
      url,
      { method, headers: byName(headers), ...(body === undefined ? {} : { body }) },
      connecting,
      (response) => answerOf(place, response),
      place,
    );
  } catch (cause) {
    if (cause instanceof ProviderError) throw new UnansweredError(cause.message, { cause });
    throw cause;
  }
}

/** What a sign-in needs. A listener on the loopback receives the redirect and closes after the sign-in. */
export interface SignInPorts {
  /** The redirect URI of the client at the provider. */
  readonly redirect_uri: string;
  /** Shows the sign-in page to the user. */
  readonly show: (url: URL) => void;
  /** Milliseconds to wait for the redirect; 5 minutes by default. */
  readonly patience_ms?: number;
}

/** Waits for the redirect with this state. @throws UnansweredError if it was not received in time */
async function redirectTo(authorization: URL, state: string, ports: SignInPorts): Promise<URL> {
  const { redirect_uri, show, patience_ms } = ports;
  const uri = parseLoopbackUri(redirect_uri);
  if (uri === null) throw new UnansweredError(`${redirect_uri} is not a loopback address.`);
  const listener = await listenForRedirect(uri, state, patience_ms).catch((cause: unknown) => {
    const { message } = cause as Error;
    throw new UnansweredError(`Cannot listen on ${redirect_uri}: ${message}.`, { cause });
  });
  try {
    show(authorization);
    const location = await listener.received;
    if (location !== null) return location;
  } finally {
    listener.close();
  }
  throw new UnansweredError('The sign-in timed out.');
}

function replaceState(parameters: URLSearchParams, state: string): string | null {
  const asked = parameters.get('state');
  parameters.set('state', state);
  return asked;
}

/**
 * Handles the sign-ins of one run. The state of a scenario can be guessed, so a random state is sent in its place
 * (RFC 6749 10.12) and replaced again in the redirect.
 */
function createSignIn(ports: SignInPorts) {
  const state = randomBytes(16).toString('base64url');
  /** The state of the newest authorization request; null without one. */
  let asked: string | null = null;
  return {
    /** Prepares a pushed authorization request (RFC 9126). */
    pushed: (request: WireRequest): WireRequest => {
      const parameters = new URLSearchParams(String(request.body ?? ''));
      asked = replaceState(parameters, state);
      return { ...request, body: parameters.toString() };
    },
    /** @throws UnansweredError if no redirect was received */
    open: async (authorization: URL): Promise<HttpAnswer> => {
      const { searchParams } = authorization;
      if (!searchParams.has('request_uri')) asked = replaceState(searchParams, state);
      const goesTo = searchParams.get('redirect_uri') ?? ports.redirect_uri;
      if (goesTo !== ports.redirect_uri) {
        throw new UnansweredError(
          `The scenario's redirect_uri is ${goesTo}, but --sign-in is ${ports.redirect_uri}.`,
        );
      }
      const location = await redirectTo(authorization, state, ports);
      if (asked === null) location.searchParams.delete('state');
      else location.searchParams.set('state', asked);
      return { status: 303, headers: { location: location.href }, text: '', exchange: null };
    },
  };
}
