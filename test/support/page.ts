// The page without a browser: its state and the actions of its buttons, connected to an engine like a browser tab.
// Browser features are simulated, the page itself is not.

import { expect, onTestFinished, vi } from 'vitest';
import WebSocket from 'ws';
import type { Harness } from './harness.ts';
import { TOKEN } from './harness.ts';

/** A storage of a browser tab. */
function storage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

/** A server that no longer accepts the token. */
class RefusedSocket extends EventTarget {
  constructor() {
    super();
    queueMicrotask(() => this.dispatchEvent(new Event('close')));
  }
}

function browser({ control }: Harness, sockets: WebSocket[]): Record<string, unknown> {
  const { host, protocol, origin } = new URL(control.url);
  const events = new EventTarget();
  /** Ended with the test. */
  class PageSocket extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols);
      sockets.push(this);
    }
  }
  return {
    window: {},
    location: { host, protocol, origin, pathname: '/', search: '', hash: `#token=${TOKEN}` },
    history: { pushState: () => undefined, replaceState: () => undefined },
    sessionStorage: storage(),
    localStorage: storage(),
    WebSocket: PageSocket,
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  };
}

export interface PageWithoutBrowser {
  /** Loads the records and settings, of which a real page is notified. */
  readonly refresh: () => Promise<void>;
}

/** Call this before importing modules of the page, which read browser globals on import. */
export async function openPage(harness: Harness): Promise<PageWithoutBrowser> {
  const sockets: WebSocket[] = [];
  for (const [name, value] of Object.entries(browser(harness, sockets))) vi.stubGlobal(name, value);
  const { control, reconnect, startControl } =
    await import('../../src/renderer/connection/control.ts');
  const { change, page, withClock, withConnection, withExchanges, withLists } =
    await import('../../src/renderer/connection/state.ts');
  const { changeFlow, flow } = await import('../../src/renderer/views/flow/flow-store.ts');
  let connection = 'connecting';
  const reached = (state: string) => expect.poll(() => connection).toBe(state);
  startControl({
    onState: (state) => {
      connection = state;
      change((known) => withConnection(known, state, Date.now()));
    },
    onBatch: () => undefined,
  });
  // A page reconnects until its token is rejected.
  onTestFinished(async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(null, { status: 401 })));
    vi.stubGlobal('WebSocket', RefusedSocket);
    for (const socket of sockets) socket.terminate();
    await reached('lost');
    reconnect();
    await reached('rejected');
    page.setState(page.getInitialState(), true);
    changeFlow(flow.getInitialState);
    vi.unstubAllGlobals();
  });
  await reached('open');
  const refresh = async () => {
    const [clients, users, audiences, apis, faults, settings, shape, server, clock, keys] =
      await Promise.all([
        control.clients.list({}),
        control.users.list({}),
        control.audiences.list({}),
        control.apis.list({}),
        control.faults.list({}),
        control.settings.get(),
        control.shape.get(),
        control.server.get(),
        control.clock.get(),
        control.keys.list(),
      ]);
    page.setState({
      clients: clients.items,
      users: users.items,
      audiences: audiences.items,
      apis: apis.items,
      faults: faults.items,
      settings,
      shape,
      server,
      keys: keys.items,
    });
    const { items, next } = await control.exchanges.list({ limit: 1000 });
    change((state) => withExchanges(withLists(withClock(state, clock, Date.now())), items, next));
  };
  await refresh();
  return { refresh };
}
