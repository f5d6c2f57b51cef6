// The title, icon and component of each view. A component is loaded when it is first shown, or earlier while the page
// is idle.

import {
  IconAppWindow,
  IconArrowsExchange,
  IconBolt,
  IconDeviceTv,
  IconGauge,
  IconHelpCircle,
  IconKey,
  IconSend,
  IconSettings,
  IconShieldQuestion,
  IconSitemap,
  IconUser,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useReach } from '../connection/reach.ts';
import { lazyPart, type LazyPart } from '../ui/lazy-part.tsx';
import { VIEWS, type View, type ViewProps } from '../navigation/route.ts';
import { Loading } from '../ui/panel.tsx';

/** Shown while a view's code loads. It shows an error only if the code cannot be loaded. */
function AwaitedView() {
  const cut = useReach((reach) => !reach.live);
  if (!cut) return <div aria-busy="true" />;
  return <Loading>This view loads when the connection is restored.</Loading>;
}

interface ViewEntry {
  readonly title: string;
  readonly icon: typeof IconGauge;
  readonly Shown: LazyPart<ViewProps>;
}

const entry = (
  title: string,
  icon: typeof IconGauge,
  load: () => Promise<ComponentType<ViewProps>>,
): ViewEntry => ({
  title,
  icon,
  Shown: lazyPart(load, AwaitedView),
});

export const VIEW_ENTRIES: Record<View, ViewEntry> = {
  flow: entry(
    'Flow',
    IconSitemap,
    async () => (await import('../views/flow/FlowView.tsx')).FlowView,
  ),
  clients: entry(
    'Clients',
    IconAppWindow,
    async () => (await import('../views/clients/ClientsView.tsx')).ClientsView,
  ),
  users: entry(
    'Users',
    IconUser,
    async () => (await import('../views/users/UsersView.tsx')).UsersView,
  ),
  requests: entry(
    'Requests',
    IconSend,
    async () => (await import('../views/requests/RequestsView.tsx')).RequestsView,
  ),
  tokens: entry(
    'Tokens',
    IconKey,
    async () => (await import('../views/tokens/TokensView.tsx')).TokensView,
  ),
  devices: entry(
    'Devices',
    IconDeviceTv,
    async () => (await import('../views/devices/DevicesView.tsx')).DevicesView,
  ),
  traffic: entry(
    'Traffic',
    IconArrowsExchange,
    async () => (await import('../views/traffic/TrafficView.tsx')).TrafficView,
  ),
  throttling: entry(
    'Throttling',
    IconGauge,
    async () => (await import('../views/throttling/ThrottlingView.tsx')).ThrottlingView,
  ),
  faults: entry(
    'Faults',
    IconBolt,
    async () => (await import('../views/faults/FaultsView.tsx')).FaultsView,
  ),
  check: entry(
    'Check your app',
    IconShieldQuestion,
    async () => (await import('../views/check/CheckView.tsx')).CheckView,
  ),
  settings: entry(
    'Settings',
    IconSettings,
    async () => (await import('../views/settings/SettingsView.tsx')).SettingsView,
  ),
  help: entry(
    'Help',
    IconHelpCircle,
    async () => (await import('../views/help/HelpView.tsx')).HelpView,
  ),
};

const AT_REST_MS = 300;

/** Safari 17 has no requestIdleCallback. */
const atRest = () =>
  new Promise<void>((rested) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => rested());
    else setTimeout(rested, AT_REST_MS);
  });

/** Loads a view early. If that fails, the view is loaded again when it is shown, and the failure is reported then. */
export async function prefetchView(view: View): Promise<void> {
  await VIEW_ENTRIES[view].Shown.load().catch(() => undefined);
}

/** Loads the views one after the other. */
export async function prefetchViews(): Promise<void> {
  for (const view of VIEWS) {
    await atRest();
    await prefetchView(view);
  }
}
