// What each view is called, and which component shows it. Each is loaded when it is first shown, or before that while the
// page has nothing else to do.

import type { ComponentType } from 'react';
import { lazyPart, retryOnReconnect } from '../ui/lazy-part.ts';
import type { View, ViewProps } from '../navigation/route.ts';

export const VIEW_NAMES: Record<View, string> = {
  flow: 'Flow',
  clients: 'Clients',
  users: 'Users',
  requests: 'Requests',
  tokens: 'Tokens',
  traffic: 'Traffic',
  throttling: 'Throttling',
  faults: 'Faults',
  settings: 'Settings',
};

type Shown = ComponentType<ViewProps>;

const LOADERS: Record<View, () => Promise<Shown>> = {
  flow: async () => (await import('../views/flow/FlowView.tsx')).FlowView,
  clients: async () => (await import('../views/clients/ClientsView.tsx')).ClientsView,
  users: async () => (await import('../views/users/UsersView.tsx')).UsersView,
  requests: async () => (await import('../views/requests/RequestsView.tsx')).RequestsView,
  tokens: async () => (await import('../views/tokens/TokensView.tsx')).TokensView,
  traffic: async () => (await import('../views/traffic/TrafficView.tsx')).TrafficView,
  throttling: async () => (await import('../views/throttling/ThrottlingView.tsx')).ThrottlingView,
  faults: async () => (await import('../views/faults/FaultsView.tsx')).FaultsView,
  settings: async () => (await import('../views/settings/SettingsView.tsx')).SettingsView,
};

export const VIEW_COMPONENTS: Record<View, Shown> = {
  flow: lazyPart(LOADERS.flow),
  clients: lazyPart(LOADERS.clients),
  users: lazyPart(LOADERS.users),
  requests: lazyPart(LOADERS.requests),
  tokens: lazyPart(LOADERS.tokens),
  traffic: lazyPart(LOADERS.traffic),
  throttling: lazyPart(LOADERS.throttling),
  faults: lazyPart(LOADERS.faults),
  settings: lazyPart(LOADERS.settings),
};

const AT_REST_MS = 300;

/** Safari 17 cannot tell when it is idle. */
const atRest = () =>
  new Promise<void>((rested) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => rested());
    else setTimeout(rested, AT_REST_MS);
  });

/** Loads one view after the other, so that each is there by the time it is asked for. */
export async function prefetchViews(): Promise<void> {
  for (const view of Object.keys(LOADERS) as View[]) {
    await atRest();
    // A view that cannot be had now is asked for again when it is shown, and told then.
    await retryOnReconnect(LOADERS[view]).catch(() => undefined);
  }
}
