// The methods of a sandbox over a running engine. All of them use control operations, so that the library has no
// abilities that automation does not have.

import { AssertionError } from 'node:assert';
import type { ControlClient } from '../control/contract.ts';
import type { ServerState } from '../control/schemas.ts';
import type { Engine } from '../engine/engine.ts';
import { assertSafe, checkCase } from './client-check.ts';
import { exchangeNumber, explainExchange, overFetchText } from './explain.ts';
import { faultOf } from './fault-order.ts';
import type { Grantbench, SandboxClient } from './grantbench.ts';

// A client for control operations that are not loaded yet: any of them can be called immediately, and the first call
// loads them.

function operationAt(client: ControlClient, path: readonly string[]) {
  let found: unknown = client;
  for (const name of path) found = Reflect.get(Object(found) as object, name);
  if (typeof found === 'function') return found as (...args: readonly unknown[]) => unknown;
  throw new TypeError(`there is no control operation ${path.join('.')}`);
}

/** The client must have no `then`, because `await` would call it. */
const isName = (key: string | symbol): key is string => typeof key === 'string' && key !== 'then';

function proxyAt(path: readonly string[], load: () => Promise<ControlClient>): unknown {
  return new Proxy(() => undefined, {
    get: (_target, key) => (isName(key) ? proxyAt([...path, key], load) : undefined),
    apply: async (_target, _self, args: readonly unknown[]) =>
      operationAt(await load(), path)(...args),
  });
}

function deferControl(load: () => Promise<ControlClient>): ControlClient {
  return proxyAt([], load) as ControlClient;
}

function clientOf({ service }: Engine, client_id?: string): SandboxClient {
  const { clients } = service.registry;
  const client = client_id === undefined ? clients.list()[0] : clients.get(client_id);
  if (client === undefined && client_id === undefined) {
    throw new Error(
      'no client is registered: set one in the options or use control.clients.create',
    );
  }
  const { client_secret = '', redirect_uris = [] } = client ?? {};
  return {
    client_id: client?.client_id ?? client_id ?? '',
    client_secret: client_secret ?? '',
    redirect_uri: redirect_uris[0] ?? '',
  };
}

async function checkOverFetch({ advisories }: ControlClient): Promise<void> {
  const { items } = await advisories.list({ limit: 1000 });
  const found = items.filter(({ kind }) => kind === 'over_fetch').reverse();
  if (found.length === 0) return;
  throw new AssertionError({
    message: overFetchText(found),
    actual: found.map(({ exchange }) => exchange),
    expected: [],
    operator: 'expectNoOverFetch',
  });
}

/** Creates a sandbox over an engine that listens. @param certificate the certificate of HTTPS */
export function createSandbox(
  engine: Engine,
  { issuer, token_endpoint }: ServerState,
  certificate: string | null,
): Grantbench {
  let closed = false;
  const control = deferControl(() =>
    closed ? Promise.reject(new Error('this sandbox is closed')) : engine.getControl(),
  );
  const close = () => {
    closed = true;
    return engine.close();
  };
  return {
    issuer,
    tokenEndpoint: token_endpoint,
    authorizationEndpoint: `${engine.service.base()}/authorize`,
    certificate,
    get client() {
      return clientOf(engine);
    },
    issueCode: async (order = {}) => {
      const { client_id, redirect_uri } = clientOf(engine, order.client_id);
      return control.codes.create({ client_id, redirect_uri, ...order });
    },
    issueTokens: async (order = {}) => {
      const { client_id } = clientOf(engine, order.client_id);
      return control.tokens.mint({ client_id, ...order });
    },
    advance: (seconds) => control.clock.update({ advance_seconds: seconds }),
    freeze: () => control.clock.update({ frozen: true }),
    fail: async (order) => control.faults.create(faultOf(order)),
    throttle: async (limits) => {
      const mode = limits === 'off' ? 'off' : 'enforce';
      await control.settings.update({ throttle: { mode, ...(limits === 'off' ? {} : limits) } });
    },
    exchanges: async (filter = {}) =>
      (await control.exchanges.list({ limit: 1000, ...filter })).items,
    lastExchange: async () => {
      const [newest] = (await control.exchanges.list({ limit: 1 })).items;
      return newest === undefined ? null : control.exchanges.get({ number: newest.number });
    },
    explain: async (answer) =>
      explainExchange(await control.exchanges.get({ number: exchangeNumber(answer) })),
    cases: async () => (await control.clientChecks.cases()).items,
    check: (id, login) => checkCase(control, id, login),
    expectSafe: async (id, login) => assertSafe(await checkCase(control, id, login)),
    expectNoOverFetch: () => checkOverFetch(control),
    reset: async () => {
      await control.reset({ workspace: true });
    },
    control,
    close,
    [Symbol.asyncDispose]: close,
  };
}
