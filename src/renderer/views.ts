// Which component shows which view.

import type { ComponentType } from 'react';
import { ClientsView } from './features/clients/ClientsView.tsx';
import { FlowView } from './features/flow/FlowView.tsx';
import { SettingsView } from './features/settings/SettingsView.tsx';
import { TokensView } from './features/tokens/TokensView.tsx';
import { ThrottlingView } from './features/throttling/ThrottlingView.tsx';
import { TrafficView } from './features/traffic/TrafficView.tsx';
import { UsersView } from './features/users/UsersView.tsx';
import type { View, ViewProps } from './route.ts';

export const VIEW_COMPONENTS: Record<View, ComponentType<ViewProps>> = {
  flow: FlowView,
  clients: ClientsView,
  users: UsersView,
  tokens: TokensView,
  traffic: TrafficView,
  throttling: ThrottlingView,
  settings: SettingsView,
};
