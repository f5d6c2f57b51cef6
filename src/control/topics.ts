// The topics and counts in batches of the feed. Separate from names.ts, which a start must not load.

export const TOPICS = [
  'clients',
  'users',
  'audiences',
  'apis',
  'settings',
  'server',
  'clock',
  'tokens',
  'devices',
  'exchanges',
  'throttle',
  'keys',
  'faults',
  'client_check',
  'holds',
  'advisories',
  'saved_flows',
  'saved_requests',
] as const;

/** The feed has the counts of this many seconds, including the current one. */
export const RATE_SECONDS = 120;

export type Topic = (typeof TOPICS)[number];
