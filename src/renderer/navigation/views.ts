// The page's views. frame/view-parts.tsx has their titles, icons and components.

/** In the order of the sidebar, the palette and the shortcuts. */
export const VIEWS = [
  'flow',
  'clients',
  'users',
  'requests',
  'tokens',
  'devices',
  'traffic',
  'throttling',
  'faults',
  'check',
  'settings',
  'help',
] as const;
export type View = (typeof VIEWS)[number];
