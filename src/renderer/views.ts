// Which component shows which view.

import type { ComponentType } from 'react';
import type { View } from './route.ts';

export interface ViewProps {
  /** What is open inside the view: a client_id, a section of the settings. */
  readonly item: string | null;
}

export const VIEW_COMPONENTS: Partial<Record<View, ComponentType<ViewProps>>> = {};
