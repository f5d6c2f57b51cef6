// The control operations before they are loaded: any of them can be called at once, and the first call
// waits for what carries them out.

import type { ControlClient } from '../control/client.ts';

function operationAt(client: ControlClient, path: readonly string[]) {
  let found: unknown = client;
  for (const name of path) found = Reflect.get(Object(found) as object, name);
  if (typeof found === 'function') return found as (...args: readonly unknown[]) => unknown;
  throw new TypeError(`there is no control operation ${path.join('.')}`);
}

/** Nothing here may look like a promise, or `await` would call it. */
const isName = (key: string | symbol): key is string => typeof key === 'string' && key !== 'then';

function proxyAt(path: readonly string[], load: () => Promise<ControlClient>): unknown {
  return new Proxy(() => undefined, {
    get: (_target, key) => (isName(key) ? proxyAt([...path, key], load) : undefined),
    apply: async (_target, _self, args: readonly unknown[]) =>
      operationAt(await load(), path)(...args),
  });
}

export function deferControl(load: () => Promise<ControlClient>): ControlClient {
  return proxyAt([], load) as ControlClient;
}
