// The provider in the place of a sandbox: requests go to the endpoints that its metadata names, with the credentials of
// the run; a person signs in there, in a browser. It has no control, and records no exchanges.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { KnownProvider } from '../../../engine/provider/known-provider.ts';
import { endpointAt } from '../../../scenario/against/plan.ts';
import type { ParsedScenario } from '../../../scenario/parse.ts';
import type {
  HttpAnswer,
  ScenarioControl,
  ScenarioSandbox,
  WireRequest,
} from '../../../scenario/runner/sandbox.ts';
import { ProviderError } from '../../../engine/provider/provider-error.ts';
import { bodyOf, type Connecting, requestOf } from '../../../engine/provider/request.ts';
import { listenForRedirect, parseLoopbackUri } from '../../../engine/callback/redirect-listener.ts';

const refuse = () => Promise.reject(new UnansweredError('A provider has no control API.'));

const NO_CONTROL: ScenarioControl = {
  codes: { create: refuse },
  tokens: { mint: refuse, list: refuse, revoke: refuse, expire: refuse },
  devices: { create: refuse, approve: refuse, deny: refuse, expire: refuse },
  clock: {
    // A provider has the time of the day.
    get: () => Promise.resolve({ now: new Date().toISOString(), frozen: false, offset_seconds: 0 }),
    update: refuse,
  },
  faults: { create: refuse },
  exchanges: {
    list: () => Promise.resolve({ items: [], next: null }),
    get: refuse,
  },
};

/** The path as it is in a sandbox whose issuer has no path of its own. */
function plainPath(path: string, { base }: KnownProvider): string {
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}

/** The place where the provider has the endpoint of a path. @throws UnansweredError */
function urlOf(path: string, { endpoint }: KnownProvider): URL {
  const name = endpointAt(path);
  const found = name === undefined ? 'a provider has no such path' : endpoint(name);
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
  /** null without one: steps that send the name and password of a user are skipped. */
  readonly user: { readonly name: string; readonly password: string } | null;
}

export interface Foreign {
  readonly provider: KnownProvider;
  readonly credentials: RunCredentials;
  /** null where nobody signs in. */
  readonly sign_in: SignInPorts | null;
}

/** @param scenario with the steps that are sent there */
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

/** What a step fails with; its code has the runner tell it as the result of the step. */
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

/** @throws UnansweredError naming the endpoint and the rule */
export async function sendTo(
  url: URL,
  { method, headers, body }: WireRequest,
  connecting: Connecting,
): Promise<HttpAnswer> {
  // The query is left out: it may hold a credential.
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

/** A redirect comes back to a listener on the loopback, which is there for as long as the sign-in takes. */
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
function createSignIn(ports: SignInPorts) {
  const state = randomBytes(16).toString('base64url');
  /** That of the newest authorization request; null without one. */
  let asked: string | null = null;
  return {
    /** An authorization request that is pushed before it is opened (RFC 9126). */
    pushed: (request: WireRequest): WireRequest => {
      const parameters = new URLSearchParams(String(request.body ?? ''));
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
