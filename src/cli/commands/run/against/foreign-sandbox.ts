// The provider in the place of a sandbox: requests go to the endpoints that its metadata names, with the credentials of
// the run. It has no control, and records no exchanges.

import type { KnownProvider } from '../../../../engine/provider/known-provider.ts';
import type { HttpRequest } from '../../../../oauth/fields.ts';
import { endpointAt } from '../../../../scenario/against/plan.ts';
import type { ParsedScenario } from '../../../../scenario/reader/parse.ts';
import type { ScenarioControl, ScenarioSandbox } from '../../../../scenario/runner/sandbox.ts';
import type { RunCredentials } from './environment.ts';
import { sendTo, UnansweredError } from './send.ts';
import { createSignIn, type SignInPorts } from './sign-in.ts';

const refuse = () => Promise.reject(new UnansweredError('A provider has no control API.'));

const NO_CONTROL: ScenarioControl = {
  codes: { create: refuse },
  tokens: { mint: refuse, list: refuse, revoke: refuse, expire: refuse },
  devices: { approve: refuse, deny: refuse, expire: refuse },
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
    send: async (request: HttpRequest) => {
      const path = plainPath(request.path, provider);
      const url = urlOf(path, provider);
      const send = (outgoing: HttpRequest) => sendTo(url, outgoing, provider.connecting);
      if (signIn === null || scenario.steps[step]?.authorize === undefined) return send(request);
      return endpointAt(path) === 'authorization' ? signIn.open(url) : send(signIn.pushed(request));
    },
    close: () => Promise.resolve(),
  };
}
