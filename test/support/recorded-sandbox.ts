// A sandbox for steps of scenarios that performs nothing: it records the calls of control and the requests.

import type {
  HttpAnswer,
  ScenarioControl,
  ScenarioSandbox,
  WireRequest,
} from '../../src/scenario/runner/scenario-sandbox.ts';
import { admin, client, REDIRECT_URI } from './core.ts';
import { exchangeOf } from './exchanges.ts';

export const ISSUER = 'http://localhost:4000/tenant';

export interface Recorded {
  /** Called with the operation's name and its order; returns its result. */
  readonly onCall?: (name: string, order: unknown) => unknown;
  /** The responses to the requests, in order; 200 with an empty object by default. */
  readonly responses?: readonly Partial<HttpAnswer>[];
  readonly sandbox?: Partial<ScenarioSandbox>;
}

/** A sandbox with two clients and two users. */
export function recordedSandbox({ onCall, responses = [], sandbox: more = {} }: Recorded = {}) {
  const calls: [name: string, order: unknown][] = [];
  const sent: WireRequest[] = [];
  const operation = (name: string) => async (order: unknown) => {
    calls.push([name, order]);
    return Promise.resolve(onCall?.(name, order) ?? {});
  };
  const group = (name: string) =>
    new Proxy({}, { get: (_, member: string) => operation(`${name}.${member}`) });
  const control = new Proxy({}, { get: (_, name: string) => group(name) });
  const sandbox: ScenarioSandbox = {
    control: control as ScenarioControl,
    issuer: ISSUER,
    clients: [client({ redirect_uris: [REDIRECT_URI, `${REDIRECT_URI}/2`] }), admin()],
    users: [
      { sub: 'ada', password: 'lovelace' },
      { sub: 'bob', password: null },
    ],
    send: (request) => {
      sent.push(request);
      const usual = { status: 200, headers: {}, text: '{}', exchange: exchangeOf({}) };
      return Promise.resolve({ ...usual, ...responses[sent.length - 1] });
    },
    close: () => Promise.resolve(),
    ...more,
  };
  return { sandbox, calls, sent };
}
