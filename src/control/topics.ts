// What batches of the feed name and count. Apart from names.ts, which a start must not load.

export const TOPICS = [
  'clients',
  'users',
  'audiences',
  'settings',
  'server',
  'clock',
  'tokens',
  'devices',
  'exchanges',
  'throttle',
  'keys',
  'faults',
  'advisories',
  'saved_flows',
  'saved_requests',
] as const;

/** For so many seconds, the running one among them, the feed has the counts of requests. */
export const RATE_SECONDS = 120;

export type Topic = (typeof TOPICS)[number];
