// Keeps the state in step with the engine: loads each list after connecting and whenever the feed says
// it changed, and loads all of them when the feed shows a gap.

import type { FeedBatch } from '../../control/schemas.ts';
import type { Topic } from '../../control/topics.ts';
import { control, startControl } from './control.ts';
import {
  applyBatch,
  change,
  hasGap,
  isReset,
  page,
  withClientCheck,
  withClock,
  withConnection,
  withExchanges,
  withFaults,
  withHeld,
  withLists,
  withReset,
  withRevision,
  withTime,
  type State,
} from './state.ts';

const PAGE = 1000;
const SECOND_MS = 1000;

interface Listing<T> {
  readonly items: T[];
  readonly next: string | null;
}

/** All pages of a list; the registries hold at most 10,000 records. */
async function all<T>(list: (input: { limit: number; after?: string }) => Promise<Listing<T>>) {
  const items: T[] = [];
  let after: string | null = null;
  do {
    const found: Listing<T> = await list(after === null ? { limit: PAGE } : { limit: PAGE, after });
    items.push(...found.items);
    after = found.next;
  } while (after !== null);
  return items;
}

const set = (part: Partial<State>) => page.setState(part);

const LOADERS: Partial<Record<Topic, () => Promise<void>>> = {
  clients: async () => set({ clients: await all(control.clients.list) }),
  users: async () => set({ users: await all(control.users.list) }),
  audiences: async () => set({ audiences: await all(control.audiences.list) }),
  apis: async () => set({ apis: await all(control.apis.list) }),
  settings: async () => {
    const [settings, shape] = await Promise.all([control.settings.get(), control.shape.get()]);
    set({ settings, shape });
  },
  server: async () => {
    const [server, former] = await Promise.all([control.server.get(), control.workspace.former()]);
    set({ server, former_workspaces: former.items });
  },
  keys: async () => set({ keys: (await control.keys.list()).items }),
  saved_flows: async () => set({ saved_flows: await all(control.savedFlows.list) }),
  saved_requests: async () => set({ saved_requests: await all(control.savedRequests.list) }),
  // Too many to load at every change: each view loads those that it shows.
  tokens: async () => change((state) => withRevision(state, 'credentials_revision')),
  devices: async () => change((state) => withRevision(state, 'devices_revision')),
  advisories: async () => change((state) => withRevision(state, 'advisories_revision')),
  throttle: async () => set({ counters: await all(control.throttle.list) }),
  faults: async () => {
    const [faults, presets] = await Promise.all([
      all(control.faults.list),
      page.getState().fault_presets.length > 0 ? null : control.faults.presets(),
    ]);
    change((state) => withFaults(state, faults));
    if (presets !== null) set({ fault_presets: presets.items });
  },
  client_check: async () => {
    const { active } = await control.clientChecks.get();
    change((state) => withClientCheck(state, active, Date.now()));
  },
  holds: async () => {
    const { items } = await control.holds.list();
    change((state) => withHeld(state, items, Date.now()));
  },
  clock: async () => {
    const clock = await control.clock.get();
    change((state) => withClock(state, clock, Date.now()));
  },
  exchanges: async () => {
    const { items, next } = await control.exchanges.list({ limit: PAGE });
    change((state) => withExchanges(state, items, next));
  },
};

const running = new Map<Topic, { again: boolean }>();

/** Loads a list. If it is asked for again meanwhile, it loads once more, so that the result is the newest. */
async function load(topic: Topic): Promise<void> {
  const loader = LOADERS[topic];
  if (loader === undefined) return;
  const already = running.get(topic);
  if (already !== undefined) {
    already.again = true;
    return;
  }
  const turn = { again: false };
  running.set(topic, turn);
  try {
    await loader();
  } catch {
    // After a lost connection everything is loaded again; after a rejection the former list stays.
  } finally {
    running.delete(topic);
  }
  if (turn.again) await load(topic);
}

async function loadAll(): Promise<void> {
  await Promise.all((Object.keys(LOADERS) as Topic[]).map(load));
  change(withLists);
}

let reloading = false;

/** Under heavy traffic every batch may have a gap, so the lists are reloaded at most once a second. */
function reloadSoon(): void {
  if (reloading) return;
  reloading = true;
  setTimeout(() => {
    reloading = false;
    void loadAll();
  }, SECOND_MS);
}

function take(batch: FeedBatch): void {
  if (hasGap(page.getState(), batch)) reloadSoon();
  const reset = isReset(page.getState(), batch);
  if (reset) change(withReset);
  change((state) => applyBatch(state, batch, Date.now()));
  const topics = new Set<Topic>(reset ? [...batch.changed, 'exchanges'] : batch.changed);
  for (const topic of topics) void load(topic);
}

/** Connects and follows the engine for the life of the page. */
export function startSync(): void {
  startControl({
    onState: (connection) => {
      change((state) => withConnection(state, connection, Date.now()));
      if (connection === 'open') void loadAll();
    },
    onBatch: take,
  });
  setInterval(() => change((state) => withTime(state, Date.now())), SECOND_MS);
}
