// Which component shows which view.

import type { ComponentType } from 'react';
import { ClientsView } from './features/clients/ClientsView.tsx';
import { FlowView } from './features/flow/FlowView.tsx';
import { SettingsView } from './features/settings/SettingsView.tsx';
import { ThrottlingView } from './features/throttling/ThrottlingView.tsx';
import { TrafficView } from './features/traffic/TrafficView.tsx';
import type { View, ViewProps } from './route.ts';

export const VIEW_COMPONENTS: Record<View, ComponentType<ViewProps>> = {
  flow: FlowView,
  clients: ClientsView,
  traffic: TrafficView,
  throttling: ThrottlingView,
  settings: SettingsView,
};
