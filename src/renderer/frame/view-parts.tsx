// The title, icon and component of each view. A component is loaded when it is first shown, or earlier while the page
// is idle. Flow comes with the page: most starts show it first, and the other views use most of its code.

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
  type Icon,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useReach } from '../connection/reach.ts';
import { atRest, lazyPart, type LazyPart } from '../ui/lazy-part.tsx';
import { type ViewProps, VIEWS, type View } from '../navigation/route.ts';
import { Loading } from '../ui/panel.tsx';
import { FlowView } from '../views/flow/FlowView.tsx';

/** Shown while a view's code loads. It shows an error only if the code cannot be loaded. */
function AwaitedView() {
  const cut = useReach((reach) => !reach.live);
  if (!cut) return <div aria-busy="true" />;
  return <Loading>This view loads when the connection is restored.</Loading>;
}

export const VIEW_HEADS: Record<View, { readonly title: string; readonly icon: Icon }> = {
  flow: { title: 'Flow', icon: IconSitemap },
  clients: { title: 'Clients', icon: IconAppWindow },
  users: { title: 'Users', icon: IconUser },
  requests: { title: 'Requests', icon: IconSend },
  tokens: { title: 'Tokens', icon: IconKey },
  devices: { title: 'Devices', icon: IconDeviceTv },
  traffic: { title: 'Traffic', icon: IconArrowsExchange },
  throttling: { title: 'Throttling', icon: IconGauge },
  faults: { title: 'Faults', icon: IconBolt },
  check: { title: 'Check your app', icon: IconShieldQuestion },
  settings: { title: 'Settings', icon: IconSettings },
  help: { title: 'Help', icon: IconHelpCircle },
};

const part = (load: () => Promise<ComponentType<ViewProps>>) => lazyPart(load, AwaitedView);

export const VIEW_PARTS: Record<View, LazyPart<ViewProps>> = {
  flow: part(async () => FlowView),
  clients: part(async () => (await import('../views/clients/ClientsView.tsx')).ClientsView),
  users: part(async () => (await import('../views/users/UsersView.tsx')).UsersView),
  requests: part(async () => (await import('../views/requests/RequestsView.tsx')).RequestsView),
  tokens: part(async () => (await import('../views/tokens/TokensView.tsx')).TokensView),
  devices: part(async () => (await import('../views/devices/DevicesView.tsx')).DevicesView),
  traffic: part(async () => (await import('../views/traffic/TrafficView.tsx')).TrafficView),
  throttling: part(
    async () => (await import('../views/throttling/ThrottlingView.tsx')).ThrottlingView,
  ),
  faults: part(async () => (await import('../views/faults/FaultsView.tsx')).FaultsView),
  check: part(async () => (await import('../views/check/CheckView.tsx')).CheckView),
  settings: part(async () => (await import('../views/settings/SettingsView.tsx')).SettingsView),
  help: part(async () => (await import('../views/help/HelpView.tsx')).HelpView),
};

/** Loads a view early. If that fails, the view is loaded again when it is shown, and the failure is reported then. */
export async function prefetchView(view: View): Promise<void> {
  await VIEW_PARTS[view].load().catch(() => undefined);
}

/** Loads the views one after the other. */
export async function prefetchViews(): Promise<void> {
  for (const view of VIEWS) {
    await atRest();
    await prefetchView(view);
  }
}
